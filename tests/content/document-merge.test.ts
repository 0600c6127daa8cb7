import { expect, test } from 'vitest'
import { type DocumentConflict, mergeDocuments } from '../../src/content/document/merge.ts'
import { resolveDocumentConflict } from '../../src/content/document/resolve-document-conflicts.ts'
import { parseEdited, parseWithKeys, printDocument } from '../support/edited-documents.ts'

/** Merges two versions of a page and returns the result with its Markdown. */
async function merged(base: string, ours: string, theirs: string) {
  const before = parseWithKeys(base)
  const result = await mergeDocuments(before, parseEdited(before, ours), parseEdited(before, theirs))
  return { markdown: printDocument(result.document).trimEnd(), ...result }
}

function only(conflicts: readonly DocumentConflict[]): DocumentConflict {
  expect(conflicts).toHaveLength(1)
  return conflicts[0] as DocumentConflict
}

/** Returns the Markdown after the only conflict is resolved with each of the versions. */
async function decided(base: string, ours: string, theirs: string) {
  const { document, conflicts } = await merged(base, ours, theirs)
  const conflict = only(conflicts)
  const text = (side: 'base' | 'ours' | 'theirs') =>
    printDocument(resolveDocumentConflict(document, conflict, side)).trimEnd()
  return { base: text('base'), ours: text('ours'), theirs: text('theirs') }
}

test('merges changes to different sentences of one paragraph', async () => {
  const { markdown, conflicts, document, combined } = await merged(
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
])('reports a conflict for %s that resolves to each of the versions', async (_, base, ours, theirs) => {
  expect((await merged(base, ours, theirs)).markdown).toBe(ours)
  expect(await decided(base, ours, theirs)).toEqual({ base, ours, theirs })
})

test('resolving a conflict in one sentence keeps the changes of both sides to other sentences', async () => {
  const base = 'One is red. Two is blue. Three is green.'
  const ours = 'One is pink. Two is blue. Three is lime.'
  const theirs = 'One is ruby. Two is navy. Three is green.'
  expect(await decided(base, ours, theirs)).toEqual({
    base: 'One is red. Two is navy. Three is lime.',
    ours: 'One is pink. Two is navy. Three is lime.',
    theirs: 'One is ruby. Two is navy. Three is lime.',
  })
})

test('separates sentences that are added at the start and at the end with spaces', async () => {
  expect((await merged('Stay here.', 'First this. Stay here.', 'Stay here. Then that.')).markdown).toBe(
    'First this. Stay here. Then that.',
  )
  expect((await merged('One. Two. Three.', 'Two. Three.', 'One. Two. Three. Four.')).markdown).toBe('Two. Three. Four.')
})

test('merges by sentence in languages without spaces', async () => {
  const { markdown, conflicts } = await merged(
    '设置端口。重启服务。',
    '设置新端口。重启服务。',
    '设置端口。重启所有服务。',
  )
  expect(markdown).toBe('设置新端口。重启所有服务。')
  expect(conflicts).toEqual([])
})

test('merges a change of the level of a heading with a change of its text', async () => {
  const both = await merged('## Install the old server', '### Install the old server', '### Install the new server')
  expect([both.markdown, both.conflicts]).toEqual(['### Install the new server', []])
  const each = await merged('## Install the old server', '### Install the old server', '## Install the new server')
  expect([each.markdown, each.conflicts]).toEqual(['### Install the new server', []])
})

test('reports a place conflict when both sides move a block to different positions', async () => {
  const paragraphs = ['First text', 'Second text', 'Third text', 'Fourth text']
  const inOrder = (...order: number[]) => order.map((at) => paragraphs[at]).join('\n\n')
  const { markdown, conflicts, document } = await merged(inOrder(0, 1, 2, 3), inOrder(3, 0, 1, 2), inOrder(0, 3, 1, 2))
  expect(markdown).toBe(inOrder(3, 0, 1, 2))
  const conflict = only(conflicts)
  expect(conflict.part).toBe('place')
  expect(printDocument(resolveDocumentConflict(document, conflict, 'theirs')).trimEnd()).toBe(inOrder(0, 3, 1, 2))
  expect(printDocument(resolveDocumentConflict(document, conflict, 'base')).trimEnd()).toBe(inOrder(0, 1, 2, 3))
})

const note = (...texts: string[]) => `{% hint style="info" %}\n${texts.join('\n\n')}\n{% endhint %}`

test('reports one conflict when both sides move a block into different hints', async () => {
  const { markdown, conflicts, document } = await merged(
    [note('In one'), note('In two'), 'Somewhere else'].join('\n\n'),
    [note('In one', 'Somewhere else'), note('In two')].join('\n\n'),
    [note('In one'), note('In two', 'Somewhere else')].join('\n\n'),
  )
  expect(markdown).toBe([note('In one', 'Somewhere else'), note('In two')].join('\n\n'))
  expect(printDocument(resolveDocumentConflict(document, only(conflicts), 'theirs')).trimEnd()).toBe(
    [note('In one'), note('In two', 'Somewhere else')].join('\n\n'),
  )
})

test('keeps ours when both sides change the same word, with all three versions in the conflict', async () => {
  const { markdown, conflicts, document } = await merged('Wait a minute.', 'Wait a second.', 'Wait an hour.')
  expect(markdown).toBe('Wait a second.')
  const conflict = only(conflicts)
  const text = (side: 'base' | 'ours' | 'theirs') =>
    printDocument(resolveDocumentConflict(document, conflict, side)).trimEnd()
  expect([text('base'), text('ours'), text('theirs')]).toEqual(['Wait a minute.', 'Wait a second.', 'Wait an hour.'])
})

test('reports a conflict when one side links words that the other side removes', async () => {
  const { conflicts } = await merged(
    'Read the guide first.',
    'Read the [guide](https://example.com) first.',
    'Read first.',
  )
  expect(conflicts).toHaveLength(1)
})

test('keeps insertions of both sides at one position, theirs first, and equal ones once', async () => {
  expect((await merged('One\n\nTwo', 'One\n\nOurs\n\nTwo', 'One\n\nTheirs\n\nTwo')).markdown).toBe(
    'One\n\nTheirs\n\nOurs\n\nTwo',
  )
  expect((await merged('One\n\nTwo', 'One\n\nNew\n\nTwo', 'One\n\nNew\n\nTwo more')).markdown).toBe(
    'One\n\nNew\n\nTwo more',
  )
})

test('moves and edits a block that one side moves and the other side edits', async () => {
  const { markdown, conflicts } = await merged(
    'First of all\n\nSecond of all\n\nThird of all',
    'Third of all\n\nFirst of all\n\nSecond of all',
    'First of all\n\nSecond of all\n\nThird of all things',
  )
  expect(markdown).toBe('Third of all things\n\nFirst of all\n\nSecond of all')
  expect(conflicts).toEqual([])
})

test('applies an edit to a block that the other side moves into a hint', async () => {
  const { markdown, conflicts } = await merged(
    '{% hint style="info" %}\nMind this\n{% endhint %}\n\nAnd that as well',
    '{% hint style="info" %}\nMind this\n\nAnd that as well\n{% endhint %}',
    '{% hint style="info" %}\nMind this\n{% endhint %}\n\nAnd that as well today',
  )
  expect(markdown).toBe('{% hint style="info" %}\nMind this\n\nAnd that as well today\n{% endhint %}')
  expect(conflicts).toEqual([])
})

test('removes a block that one side removes and the other side does not change', async () => {
  expect((await merged('One\n\nTwo\n\nThree', 'One\n\nThree', 'One\n\nTwo\n\nThree more')).markdown).toBe(
    'One\n\nThree more',
  )
})

test('reports a conflict for a removed block that the other side edited and can restore it in its position', async () => {
  const { markdown, conflicts, document } = await merged(
    'One\n\nTwo words\n\nThree',
    'One\n\nThree',
    'One\n\nTwo good words\n\nThree',
  )
  expect(markdown).toBe('One\n\nThree')
  expect(conflicts).toMatchObject([{ ours: null, theirs: { type: 'paragraph' } }])
  const conflict = only(conflicts)
  expect(printDocument(resolveDocumentConflict(document, conflict, 'theirs'))).toBe('One\n\nTwo good words\n\nThree\n')
})

test('keeps a block that ours edited and theirs removed, with a conflict', async () => {
  const { markdown, conflicts } = await merged(
    'One\n\nTwo words\n\nThree',
    'One\n\nTwo good words\n\nThree',
    'One\n\nThree',
  )
  expect(markdown).toBe('One\n\nTwo good words\n\nThree')
  expect(conflicts).toMatchObject([{ ours: { type: 'paragraph' }, theirs: null }])
})

test('keeps a block that theirs moved into a hint that ours removed', async () => {
  const { markdown } = await merged(
    [note('In one'), 'Somewhere else'].join('\n\n'),
    'Somewhere else',
    note('In one', 'Somewhere else'),
  )
  expect(markdown).toBe('Somewhere else')
})

test('restores a block at the end when its neighbor no longer exists', async () => {
  const { conflicts } = await merged('One\n\nTwo words', 'One', 'One\n\nTwo good words')
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({ where: { after: expect.any(String) } })
  expect(printDocument(resolveDocumentConflict(parseWithKeys('Else'), conflict, 'theirs'))).toBe(
    'Else\n\nTwo good words\n',
  )
})

test('reports a conflict on the paragraph of a list item and merges the other items', async () => {
  const { markdown, conflicts } = await merged('* red\n* green', '* rose\n* green\n* blue', '* ruby\n* dark green')
  expect(markdown).toBe('* rose\n* dark green\n* blue')
  expect(conflicts).toMatchObject([{ ours: { type: 'paragraph' } }])
})

const titled = (options: string) => `{% code${options} %}\n\`\`\`js\nrun()\n\`\`\`\n{% endcode %}`

test('merges the settings of a block one by one', async () => {
  const { markdown, conflicts } = await merged(
    titled(' title="a.js" lineNumbers="true"'),
    titled(' title="b.js" lineNumbers="true"'),
    titled(' title="a.js" overflow="wrap" lineNumbers="true"'),
  )
  expect(markdown).toBe(titled(' title="b.js" overflow="wrap" lineNumbers="true"'))
  expect(conflicts).toEqual([])
})

const code = (...lines: string[]) => ['```', ...lines, '```'].join('\n')

test('merges code line by line', async () => {
  const both = await merged(code('a', 'b', 'c'), code('a1', 'b', 'c'), code('a', 'b', 'c', 'd'))
  expect(both.markdown).toBe(code('a1', 'b', 'c', 'd'))
  const same = await merged(code('a', 'b', 'c'), code('a', 'b1', 'c'), code('a', 'b2', 'c'))
  expect(same.markdown).toBe(code('a', 'b1', 'c'))
  expect(same.conflicts).toHaveLength(1)
})

test('reports a conflict for changes to adjacent lines of code', async () => {
  expect(await decided(code('a', 'b', 'c'), code('a1', 'b', 'c'), code('a', 'b1', 'c'))).toEqual({
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

test('merges tables by rows, columns and cells', async () => {
  const { markdown, conflicts } = await merged(
    table(['Name', 'Port'], ['http', '80'], ['ssh', '22']),
    table(['Name', 'Port'], ['dns', '53'], ['http', '80'], ['ssh', '2222']),
    table(['Name', 'Port', 'Use'], ['http', '8080', 'web'], ['ssh', '22', 'shell']),
  )
  expect(compact(markdown)).toBe(
    compact(table(['Name', 'Port', 'Use'], ['dns', '53', ''], ['http', '8080', 'web'], ['ssh', '2222', 'shell'])),
  )
  expect(conflicts).toEqual([])
})

test('reports one conflict of the table for a row that one side removes and the other side edits', async () => {
  const { conflicts, document } = await merged(
    table(['Name', 'Port'], ['http', '80'], ['ssh', '22']),
    table(['Name', 'Port'], ['http', '80']),
    table(['Name', 'Port'], ['http', '80'], ['ssh', '2222']),
  )
  expect(conflicts).toMatchObject([{ ours: { type: 'table' }, theirs: { type: 'table' } }])
  const conflict = only(conflicts)
  expect(printDocument(resolveDocumentConflict(document, conflict, 'theirs'))).toContain('2222')
})

test('keeps an added row when both sides rename a column, with either resolution of the conflict', async () => {
  const before = table(['Name', 'Port'], ['http', '80'])
  const { markdown, conflicts, document } = await merged(
    before,
    table(['Service', 'Port'], ['http', '80']),
    table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22']),
  )
  expect(compact(markdown)).toBe(compact(table(['Service', 'Port'], ['http', '80'], ['ssh', '22'])))
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({
    parts: [{ part: expect.stringMatching(/^columns\/.+\/title$/), base: 'Name', ours: 'Service', theirs: 'Protocol' }],
  })
  expect(compact(printDocument(resolveDocumentConflict(document, conflict, 'theirs')).trimEnd())).toBe(
    compact(table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22'])),
  )
})

const rows = (...order: string[]) => table(['Name'], ...order.map((name) => [`row ${name}`]))

test('reports only a position conflict when both sides move a row to different positions', async () => {
  const { markdown, conflicts, document } = await merged(
    rows('a', 'b', 'c', 'd'),
    rows('d', 'a', 'b', 'c'),
    rows('a', 'd', 'b', 'c'),
  )
  expect(compact(markdown)).toBe(compact(rows('d', 'a', 'b', 'c')))
  const conflict = only(conflicts)
  expect(conflict).toMatchObject({ parts: [{ part: expect.stringMatching(/^rows\/.+\/position$/) }] })
  expect(compact(printDocument(resolveDocumentConflict(document, conflict, 'theirs')).trimEnd())).toBe(
    compact(rows('a', 'd', 'b', 'c')),
  )
})

const hint = (style: string, text: string) => `{% hint style="${style}" %}\n${text}\n{% endhint %}`

test('keeps the text changes inside a hint when a conflict about its style is resolved', async () => {
  const { markdown, conflicts, document } = await merged(
    hint('info', 'Mind the gap. It is here.'),
    hint('warning', 'Mind the wide gap. It is here.'),
    hint('danger', 'Mind the gap. It is over here.'),
  )
  expect(markdown).toBe(hint('warning', 'Mind the wide gap. It is over here.'))
  const conflict = only(conflicts)
  expect(printDocument(resolveDocumentConflict(document, conflict, 'theirs')).trimEnd()).toBe(
    hint('danger', 'Mind the wide gap. It is over here.'),
  )
})

test('merges without a base and keeps equal blocks once', async () => {
  const { document, conflicts } = await mergeDocuments(
    undefined,
    parseWithKeys('Same\n\nOurs'),
    parseWithKeys('Same\n\nTheirs'),
  )
  expect(printDocument(document)).toBe('Same\n\nTheirs\n\nOurs\n')
  expect(conflicts).toEqual([])
})

const ports = (count: number, name: string, port: string) =>
  table(['Name', 'Port'], ...Array.from({ length: count }, (_, row) => [`${name}${row}`, `${port}${row}`]))

test('reports one conflict with 100 parts when both sides rewrite a table of thousands of rows', async () => {
  const { conflicts, document } = await merged(ports(3000, 'a', '1'), ports(2900, 'b', '2'), ports(3000, 'a', '3'))
  expect(only(conflicts)).toMatchObject({ ours: { type: 'table' }, parts: { length: 100 } })
  expect(printDocument(document)).toContain('b2899')
})
