import { expect, test } from 'vitest'
import { type DocumentConflict, mergeDocuments } from '../../src/content/document/merge.ts'
import { resolveWith } from '../../src/content/document/resolve.ts'
import { edited, page, print } from '../support/edited-documents.ts'

/** What two authors made of a page, as Markdown, with how many conflicts. */
function merged(base: string, ours: string, theirs: string) {
  const before = page(base)
  const result = mergeDocuments(before, edited(before, ours), edited(before, theirs))
  return { markdown: print(result.document).trimEnd(), ...result }
}

function only(conflicts: readonly DocumentConflict[]): DocumentConflict {
  expect(conflicts).toHaveLength(1)
  return conflicts[0] as DocumentConflict
}

/** What the result is when the only conflict is decided for each of the sides. */
function decided(base: string, ours: string, theirs: string) {
  const { document, conflicts } = merged(base, ours, theirs)
  const conflict = only(conflicts)
  const text = (side: 'base' | 'ours' | 'theirs') => print(resolveWith(document, conflict, side)).trimEnd()
  return { base: text('base'), ours: text('ours'), theirs: text('theirs') }
}

test('two authors change different sentences of one paragraph: both changes are there', () => {
  const { markdown, conflicts, document, combined } = merged(
    'The server listens on port 80. It needs no file. It starts at once.',
    'The server listens on port 8080. It needs no file. It starts at once.',
    'The server listens on port 80. It needs no file. It starts within a second. It stops at once.',
  )
  expect(markdown).toBe(
    'The server listens on port 8080. It needs no file. It starts within a second. It stops at once.',
  )
  expect(conflicts).toEqual([])
  expect(combined).toEqual([document.nodes[0]?.key])
})

test.each([
  ['words of one sentence', 'The server is on port 80.', 'The server is on port 8080.', 'The service is on port 80.'],
  ['a rewritten sentence', 'Use the old key', 'Use the very old key', 'Never share any secrets'],
  ['a number and its unit', '10 requests per second', '20 requests per second', '10 requests per minute'],
  ['a version', 'Get 1.2.3 now.', 'Get 1.2.4 now.', 'Get 1.3.3 now.'],
  ['a date', 'Due on 2026-01-31.', 'Due on 2026-02-31.', 'Due on 2026-01-30.'],
  ['marks and words', 'Never share your token.', '**Never share your token.**', 'Never share your key.'],
  ['a link', 'Read [a. B](https://a.b/c).', 'Read [a. C](https://a.b/c).', 'Read [d. B](https://a.b/c).'],
  ['a code span', 'Run `a. B c`.', 'Run `a. D c`.', 'Run `x. B c`.'],
  ['a sentence with an abbreviation', 'Ask Dr. Smith today.', 'Ask Dr. Smith tomorrow.', 'Tell Dr. Smith today.'],
  ['a formula', 'Then $$a + b$$ holds.', 'Then $$a + c$$ holds.', 'Then $$d + b$$ holds.'],
  ['a heading', '## Old name', '## New name', '## Old title'],
  ['a list item', '* one thing', '* two things', '* one thought'],
])('%s: a conflict, and either decision gives what one side has', (_, base, ours, theirs) => {
  expect(merged(base, ours, theirs).markdown).toBe(ours)
  expect(decided(base, ours, theirs)).toEqual({ base, ours, theirs })
})

test('a decision about one sentence keeps the changes of both sides to others', () => {
  const base = 'One is red. Two is blue. Three is green.'
  const ours = 'One is pink. Two is blue. Three is lime.'
  const theirs = 'One is ruby. Two is navy. Three is green.'
  expect(decided(base, ours, theirs)).toEqual({
    base: 'One is red. Two is navy. Three is lime.',
    ours: 'One is pink. Two is navy. Three is lime.',
    theirs: 'One is ruby. Two is navy. Three is lime.',
  })
})

test('sentences that are added at the start and at the end are separated by spaces', () => {
  expect(merged('Stay here.', 'First this. Stay here.', 'Stay here. Then that.').markdown).toBe(
    'First this. Stay here. Then that.',
  )
  expect(merged('One. Two. Three.', 'Two. Three.', 'One. Two. Three. Four.').markdown).toBe('Two. Three. Four.')
})

test('languages without spaces merge by sentence too', () => {
  const { markdown, conflicts } = merged('设置端口。重启服务。', '设置新端口。重启服务。', '设置端口。重启所有服务。')
  expect(markdown).toBe('设置新端口。重启所有服务。')
  expect(conflicts).toEqual([])
})

test('both change the level of a heading and one of them a word: no conflict', () => {
  const both = merged('## Install the old server', '### Install the old server', '### Install the new server')
  expect([both.markdown, both.conflicts]).toEqual(['### Install the new server', []])
  const each = merged('## Install the old server', '### Install the old server', '## Install the new server')
  expect([each.markdown, each.conflicts]).toEqual(['### Install the new server', []])
})

test('both move one block, each to another place: a conflict about its place', () => {
  const paragraphs = ['First text', 'Second text', 'Third text', 'Fourth text']
  const inOrder = (...order: number[]) => order.map((at) => paragraphs[at]).join('\n\n')
  const { markdown, conflicts, document } = merged(inOrder(0, 1, 2, 3), inOrder(3, 0, 1, 2), inOrder(0, 3, 1, 2))
  expect(markdown).toBe(inOrder(3, 0, 1, 2))
  const conflict = only(conflicts)
  expect(conflict.part).toBe('place')
  expect(print(resolveWith(document, conflict, 'theirs')).trimEnd()).toBe(inOrder(0, 3, 1, 2))
  expect(print(resolveWith(document, conflict, 'base')).trimEnd()).toBe(inOrder(0, 1, 2, 3))
})

const note = (...texts: string[]) => `{% hint style="info" %}\n${texts.join('\n\n')}\n{% endhint %}`

test('both move one block into different hints: a conflict about its place', () => {
  const { markdown, conflicts, document } = merged(
    [note('In one'), note('In two'), 'Somewhere else'].join('\n\n'),
    [note('In one', 'Somewhere else'), note('In two')].join('\n\n'),
    [note('In one'), note('In two', 'Somewhere else')].join('\n\n'),
  )
  expect(markdown).toBe([note('In one', 'Somewhere else'), note('In two')].join('\n\n'))
  expect(print(resolveWith(document, only(conflicts), 'theirs')).trimEnd()).toBe(
    [note('In one'), note('In two', 'Somewhere else')].join('\n\n'),
  )
})

test('two authors change the same word: ours stays, and the conflict contains all three versions', () => {
  const { markdown, conflicts, document } = merged('Wait a minute.', 'Wait a second.', 'Wait an hour.')
  expect(markdown).toBe('Wait a second.')
  const conflict = only(conflicts)
  const text = (side: 'base' | 'ours' | 'theirs') => print(resolveWith(document, conflict, side)).trimEnd()
  expect([text('base'), text('ours'), text('theirs')]).toEqual(['Wait a minute.', 'Wait a second.', 'Wait an hour.'])
})

test('a link around words that the other author removes is a conflict', () => {
  const { conflicts } = merged('Read the guide first.', 'Read the [guide](https://example.com) first.', 'Read first.')
  expect(conflicts).toHaveLength(1)
})

test('insertions of both at one place are kept, theirs first; equal ones once', () => {
  expect(merged('One\n\nTwo', 'One\n\nOurs\n\nTwo', 'One\n\nTheirs\n\nTwo').markdown).toBe(
    'One\n\nTheirs\n\nOurs\n\nTwo',
  )
  expect(merged('One\n\nTwo', 'One\n\nNew\n\nTwo', 'One\n\nNew\n\nTwo more').markdown).toBe('One\n\nNew\n\nTwo more')
})

test('a block that one author moves and the other edits is moved and edited', () => {
  const { markdown, conflicts } = merged(
    'First of all\n\nSecond of all\n\nThird of all',
    'Third of all\n\nFirst of all\n\nSecond of all',
    'First of all\n\nSecond of all\n\nThird of all things',
  )
  expect(markdown).toBe('Third of all things\n\nFirst of all\n\nSecond of all')
  expect(conflicts).toEqual([])
})

test('what one author moves into a hint, the other edits outside: it is edited in the hint', () => {
  const { markdown, conflicts } = merged(
    '{% hint style="info" %}\nMind this\n{% endhint %}\n\nAnd that as well',
    '{% hint style="info" %}\nMind this\n\nAnd that as well\n{% endhint %}',
    '{% hint style="info" %}\nMind this\n{% endhint %}\n\nAnd that as well today',
  )
  expect(markdown).toBe('{% hint style="info" %}\nMind this\n\nAnd that as well today\n{% endhint %}')
  expect(conflicts).toEqual([])
})

test('what one author removes and the other leaves alone is gone', () => {
  expect(merged('One\n\nTwo\n\nThree', 'One\n\nThree', 'One\n\nTwo\n\nThree more').markdown).toBe('One\n\nThree more')
})

test('a removed block that the other author edited stays removed and can be put back where it was', () => {
  const { markdown, conflicts, document } = merged(
    'One\n\nTwo words\n\nThree',
    'One\n\nThree',
    'One\n\nTwo good words\n\nThree',
  )
  expect(markdown).toBe('One\n\nThree')
  expect(conflicts).toMatchObject([{ ours: null, theirs: { type: 'paragraph' } }])
  const conflict = only(conflicts)
  expect(print(resolveWith(document, conflict, 'theirs'))).toBe('One\n\nTwo good words\n\nThree\n')
})

test('when its neighbour is gone, a block is put back at the end', () => {
  const { conflicts } = merged('One\n\nTwo words', 'One', 'One\n\nTwo good words')
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({ where: { after: expect.any(String) } })
  expect(print(resolveWith(page('Else'), conflict, 'theirs'))).toBe('Else\n\nTwo good words\n')
})

test('a conflict inside a list is one of its paragraph; the other items merge', () => {
  const { markdown, conflicts } = merged('* red\n* green', '* rose\n* green\n* blue', '* ruby\n* dark green')
  expect(markdown).toBe('* rose\n* dark green\n* blue')
  expect(conflicts).toMatchObject([{ ours: { type: 'paragraph' } }])
})

const titled = (options: string) => `{% code${options} %}\n\`\`\`js\nrun()\n\`\`\`\n{% endcode %}`

test('settings of a block merge one by one', () => {
  const { markdown, conflicts } = merged(
    titled(' title="a.js" lineNumbers="true"'),
    titled(' title="b.js" lineNumbers="true"'),
    titled(' title="a.js" overflow="wrap" lineNumbers="true"'),
  )
  expect(markdown).toBe(titled(' title="b.js" overflow="wrap" lineNumbers="true"'))
  expect(conflicts).toEqual([])
})

const code = (...lines: string[]) => ['```', ...lines, '```'].join('\n')

test('code merges line by line', () => {
  const both = merged(code('a', 'b', 'c'), code('a1', 'b', 'c'), code('a', 'b', 'c', 'd'))
  expect(both.markdown).toBe(code('a1', 'b', 'c', 'd'))
  const same = merged(code('a', 'b', 'c'), code('a', 'b1', 'c'), code('a', 'b2', 'c'))
  expect(same.markdown).toBe(code('a', 'b1', 'c'))
  expect(same.conflicts).toHaveLength(1)
})

test('changes to adjacent lines of code are a conflict', () => {
  expect(decided(code('a', 'b', 'c'), code('a1', 'b', 'c'), code('a', 'b1', 'c'))).toEqual({
    base: code('a', 'b', 'c'),
    ours: code('a1', 'b', 'c'),
    theirs: code('a', 'b1', 'c'),
  })
})

const table = (...rows: string[][]) => {
  const [header = [], ...body] = rows
  return [header, header.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
const compact = (markdown: string) => markdown.replace(/ +/g, ' ').replace(/-+/g, '---')

test('tables merge by rows, columns and cells', () => {
  const { markdown, conflicts } = merged(
    table(['Name', 'Port'], ['http', '80'], ['ssh', '22']),
    table(['Name', 'Port'], ['dns', '53'], ['http', '80'], ['ssh', '2222']),
    table(['Name', 'Port', 'Use'], ['http', '8080', 'web'], ['ssh', '22', 'shell']),
  )
  expect(compact(markdown)).toBe(
    compact(table(['Name', 'Port', 'Use'], ['dns', '53', ''], ['http', '8080', 'web'], ['ssh', '2222', 'shell'])),
  )
  expect(conflicts).toEqual([])
})

test('a row that one author removes and the other edits is one conflict of the table', () => {
  const { conflicts, document } = merged(
    table(['Name', 'Port'], ['http', '80'], ['ssh', '22']),
    table(['Name', 'Port'], ['http', '80']),
    table(['Name', 'Port'], ['http', '80'], ['ssh', '2222']),
  )
  expect(conflicts).toMatchObject([{ ours: { type: 'table' }, theirs: { type: 'table' } }])
  const conflict = only(conflicts)
  expect(print(resolveWith(document, conflict, 'theirs'))).toContain('2222')
})

test('both rename a column and theirs adds a row: the row is there, whatever is decided about the name', () => {
  const before = table(['Name', 'Port'], ['http', '80'])
  const { markdown, conflicts, document } = merged(
    before,
    table(['Service', 'Port'], ['http', '80']),
    table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22']),
  )
  expect(compact(markdown)).toBe(compact(table(['Service', 'Port'], ['http', '80'], ['ssh', '22'])))
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({
    parts: [{ part: expect.stringMatching(/^columns\/.+\/title$/), base: 'Name', ours: 'Service', theirs: 'Protocol' }],
  })
  expect(compact(print(resolveWith(document, conflict, 'theirs')).trimEnd())).toBe(
    compact(table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22'])),
  )
})

const rows = (...order: string[]) => table(['Name'], ...order.map((name) => [`row ${name}`]))

test('both move one row, each to another place: a conflict about its position alone', () => {
  const { markdown, conflicts, document } = merged(
    rows('a', 'b', 'c', 'd'),
    rows('d', 'a', 'b', 'c'),
    rows('a', 'd', 'b', 'c'),
  )
  expect(compact(markdown)).toBe(compact(rows('d', 'a', 'b', 'c')))
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({ parts: [{ part: expect.stringMatching(/^rows\/.+\/position$/) }] })
  expect(compact(print(resolveWith(document, conflict, 'theirs')).trimEnd())).toBe(compact(rows('a', 'd', 'b', 'c')))
})

const hint = (style: string, text: string) => `{% hint style="${style}" %}\n${text}\n{% endhint %}`

test('one author changes the style of a hint both changed, and loses nothing inside when it is resolved', () => {
  const { markdown, conflicts, document } = merged(
    hint('info', 'Mind the gap. It is here.'),
    hint('warning', 'Mind the wide gap. It is here.'),
    hint('danger', 'Mind the gap. It is over here.'),
  )
  expect(markdown).toBe(hint('warning', 'Mind the wide gap. It is over here.'))
  const conflict = only(conflicts)
  expect(print(resolveWith(document, conflict, 'theirs')).trimEnd()).toBe(
    hint('danger', 'Mind the wide gap. It is over here.'),
  )
})

test('without a base, what both have is there once', () => {
  const { document, conflicts } = mergeDocuments(undefined, page('Same\n\nOurs'), page('Same\n\nTheirs'))
  expect(print(document)).toBe('Same\n\nTheirs\n\nOurs\n')
  expect(conflicts).toEqual([])
})

const ports = (count: number, name: string, port: string) =>
  table(['Name', 'Port'], ...Array.from({ length: count }, (_, row) => [`${name}${row}`, `${port}${row}`]))

test('two authors write a table of thousands of rows anew, in contradiction: one conflict, found in little time', () => {
  const { conflicts, document } = merged(ports(3000, 'a', '1'), ports(2900, 'b', '2'), ports(3000, 'a', '3'))
  expect(only(conflicts)).toMatchObject({ ours: { type: 'table' }, parts: { length: 100 } })
  expect(print(document)).toContain('b2899')
})
