import { expect, test } from 'vitest'
import { type DocumentConflict, mergeDocuments } from '../../src/content/document/merge.ts'
import { resolveWith } from '../../src/content/document/resolve.ts'
import { edited, page, print } from '../support/edited-documents.ts'

/** What two authors made of a page, as Markdown, with how many conflicts. */
function merged(base: string, ours: string, theirs: string) {
  const before = page(base)
  const { document, conflicts } = mergeDocuments(before, edited(before, ours), edited(before, theirs))
  return { markdown: print(document).trimEnd(), conflicts, document }
}

function only(conflicts: readonly DocumentConflict[]): DocumentConflict {
  expect(conflicts).toHaveLength(1)
  return conflicts[0] as DocumentConflict
}

test('two authors change different words of one sentence: both changes are there', () => {
  const { markdown, conflicts } = merged(
    'The server listens on port 80 by default.',
    'The server listens on port 8080 by default.',
    'The service listens on port 80 by default.',
  )
  expect(markdown).toBe('The service listens on port 8080 by default.')
  expect(conflicts).toEqual([])
})

test('two authors change the same word: ours stays, and the conflict knows all three versions', () => {
  const { markdown, conflicts, document } = merged('Wait a minute.', 'Wait a second.', 'Wait an hour.')
  expect(markdown).toBe('Wait a second.')
  const conflict = only(conflicts)
  const text = (side: 'base' | 'ours' | 'theirs') => print(resolveWith(document, conflict, side)).trimEnd()
  expect([text('base'), text('ours'), text('theirs')]).toEqual(['Wait a minute.', 'Wait a second.', 'Wait an hour.'])
})

test('one author marks a sentence, the other changes a word in it: the new word is marked too', () => {
  const { markdown, conflicts } = merged(
    'Never share your token.',
    '**Never share your token.**',
    'Never share your key.',
  )
  expect(markdown).toBe('**Never share your key.**')
  expect(conflicts).toEqual([])
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
  expect(conflict.where.after).toBeTypeOf('string')
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

const hint = (style: string, text: string) => `{% hint style="${style}" %}\n${text}\n{% endhint %}`

test('one author changes the style of a hint both changed, and loses nothing inside when it is resolved', () => {
  const { markdown, conflicts, document } = merged(
    hint('info', 'Mind the gap here'),
    hint('warning', 'Mind the wide gap here'),
    hint('danger', 'Mind the gap over here'),
  )
  expect(markdown).toBe(hint('warning', 'Mind the wide gap over here'))
  const conflict = only(conflicts)
  expect(print(resolveWith(document, conflict, 'theirs')).trimEnd()).toBe(hint('danger', 'Mind the wide gap over here'))
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
  expect(only(conflicts).ours?.type).toBe('table')
  expect(print(document)).toContain('b2899')
})
