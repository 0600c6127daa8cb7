import { describe, expect, test } from 'vitest'
import { type SummaryEntry, parseSummary, printSummary } from '../../src/content/markdown/summary.ts'
import { markdownFiles } from '../support/repositories.ts'

/** Returns entries as lines of text for comparison. */
function picture(entries: readonly SummaryEntry[], indent = ''): string[] {
  return entries.flatMap((entry) => {
    const inside = picture(entry.children, `${indent}  `)
    switch (entry.type) {
      case 'group':
        return [`${indent}group ${entry.title}${entry.slug ? ` #${entry.slug}` : ''}`, ...inside]
      case 'page':
        return [
          `${indent}page ${entry.title} -> ${entry.path}${entry.linkTitle ? ` "${entry.linkTitle}"` : ''}`,
          ...inside,
        ]
      case 'link':
        return [`${indent}link ${entry.title} -> ${entry.destination}`, ...inside]
      case 'empty':
        return [`${indent}empty ${entry.title}`, ...inside]
      case 'computed':
        return [`${indent}computed ${JSON.stringify(entry.source)}`, ...inside]
    }
  })
}

const normal = `# Table of contents

* [Home](README.md)
* [A_b \\[c\\] \\<d>](<setting up/a (1).md> "Short \\"x\\"")
  * [Deep](a/README.md)
    * [Deeper](a/b/c.md)
* [Elsewhere](https://example.com/x?a=1&b=2)
  * [Below it](below.md)

## First group

* [Anchor](a.md#heading)
* Without a page
  * [Its child](child.md)

## Zweite Gruppe <a href="#own" id="own"></a>

* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
    downloadLink: false
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  \`\`\`

***

* [Free again](free.md)
`

test('a table of contents in normal form is parsed and printed unchanged', () => {
  const { entries, problems } = parseSummary(normal)
  expect(problems).toEqual([])
  expect(picture(entries)).toEqual([
    'page Home -> README.md',
    'page A_b [c] <d> -> setting up/a (1).md "Short "x""',
    '  page Deep -> a/README.md',
    '    page Deeper -> a/b/c.md',
    'link Elsewhere -> https://example.com/x?a=1&b=2',
    '  page Below it -> below.md',
    'group First group',
    '  link Anchor -> a.md#heading',
    '  empty Without a page',
    '    page Its child -> child.md',
    'group Zweite Gruppe #own',
    '  computed {"type":"builtin:openapi","props":{"models":true,"downloadLink":false},"dependencies":{"spec":{"ref":{"kind":"openapi","spec":"pets"}}}}',
    'page Free again -> free.md',
  ])
  expect(printSummary(entries)).toBe(normal)
})

describe('a table of contents in another format', () => {
  test.each<[string, string, string[]]>([
    [
      'other bullets and indents',
      '- [A](a.md)\n    + [B](b.md)\n\t\t* [C](c.md)\n1. [D](d.md)\n   - [E](e.md)',
      ['page A -> a.md', '  page B -> b.md', '    page C -> c.md', 'page D -> d.md', '  page E -> e.md'],
    ],
    ['a slip of one column', '* [A](a.md)\n * [B](b.md)', ['page A -> a.md', 'page B -> b.md']],
    [
      'going back to an odd indent',
      '* [A](a.md)\n     * [B](b.md)\n   * [C](c.md)',
      ['page A -> a.md', '  page B -> b.md', '  page C -> c.md'],
    ],
    ['escapes in paths', '* [A](setting\\_up/minimax-\\[legacy].md)', ['page A -> setting_up/minimax-[legacy].md']],
    ['paths from here', '* [A](./a.md)', ['page A -> a.md']],
    ['markup in titles', '* [`x` **y** ~~z~~ &amp; 🎉](a.md)', ['page x y z & 🎉 -> a.md']],
    ['marked links', '* **[A](a.md)**', ['page A -> a.md']],
    ['old group anchors', '## G <a id="g-1"></a>\n\n* [A](a.md)', ['group G #g-1', '  page A -> a.md']],
    ['other headings', '# T\n### X\n## G ##\n* [A](a.md)', ['group G', '  page A -> a.md']],
    ['other dividers', '## G\n* [A](a.md)\n\n---\n\n* [B](b.md)', ['group G', '  page A -> a.md', 'page B -> b.md']],
    ['front matter', '---\nx: 1\n---\n* [A](a.md)', ['page A -> a.md']],
    ['carriage returns', '## G\r\n\r\n* [A](a.md)\r\n', ['group G', '  page A -> a.md']],
    ['comments', '<!--\n* [A](a.md)\n-->\n* [B](b.md)', ['page B -> b.md']],
    ['code', '```\n* [A](a.md)\n```\n* [B](b.md)', ['page B -> b.md']],
    ['addresses', '* https://example.com', ['link https://example.com -> https://example.com']],
  ])('is parsed and printed with %s', (_, source, expected) => {
    const { entries } = parseSummary(source)
    expect(picture(entries)).toEqual(expected)
    const printed = printSummary(entries)
    expect(picture(parseSummary(printed).entries)).toEqual(expected)
    expect(printSummary(parseSummary(printed).entries)).toBe(printed)
  })
})

test('invalid lines are ignored and reported with their line numbers', () => {
  const { entries, problems } = parseSummary(
    '* [A](a.md)\n{% endif %}\n*\n  * ```yaml\n    a: [\n    ```\n* [B](b.md)\n',
  )
  expect(picture(entries)).toEqual(['page A -> a.md', 'page B -> b.md'])
  expect(entries.map(({ line }) => line)).toEqual([1, 7])
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 6])
})

test('the slug of a group is printed only if it does not follow from the title', () => {
  const children: [] = []
  const group = (title: string, slug: string): SummaryEntry => ({ type: 'group', line: 0, title, slug, children })
  expect(
    printSummary([group('Getting Started', 'getting-started'), group('Getting Started', 'getting-started-1')]),
  ).toBe(
    '# Table of contents\n\n## Getting Started\n\n## Getting Started <a href="#getting-started-1" id="getting-started-1"></a>\n',
  )
})

test.each([
  ['items', '* [A b](a.md)\n'.repeat(100_000)],
  ['junk', 'junk\n'.repeat(100_000)],
  ['groups', '## G\n'.repeat(100_000)],
  ['an item in an item', '* '.repeat(500_000)],
  ['brackets', `* ${'['.repeat(200_000)}`],
  ['spaces in a heading', `## ${' '.repeat(200_000)}x #${' '.repeat(200_000)}x`],
  ['unclosed anchors', `## ${'<a id="'.repeat(50_000)}`],
  ['steps', Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth * 2)}* a`).join('\n')],
])('a very long source is parsed within the test timeout: %s', (_, source) => {
  const { entries } = parseSummary(source)
  expect(printSummary(entries)).toMatch(/^# Table of contents\n/)
})

test('tables of contents of repositories in normal form are printed unchanged', () => {
  const writtenByHand = new Set(['harbor/SUMMARY.md', 'shipyard/docs/SUMMARY.md'])
  const files = markdownFiles().filter(({ name }) => name.endsWith('SUMMARY.md') && !writtenByHand.has(name))
  for (const { name: file, read } of files) {
    const source = read()
    const { entries, problems } = parseSummary(source)
    expect({ file, problems, printed: printSummary(entries) }).toEqual({ file, problems: [], printed: source })
  }
})
