import { describe, expect, test } from 'vitest'
import { spliceSummary } from '../../src/content/markdown/splice-summary.ts'
import { type SummaryEntry, type SummaryItem, parseSummary } from '../../src/content/markdown/summary.ts'

const parse = (source: string) => parseSummary(source).entries
const page = (title: string, path: string, children: readonly SummaryItem[] = []): SummaryItem => ({
  type: 'page',
  title,
  path,
  line: 0,
  children,
})

/** Maps every entry; an entry that is mapped to undefined is removed with its children. */
function mapEntries(
  entries: readonly SummaryEntry[],
  change: (entry: SummaryEntry) => SummaryEntry | undefined,
): SummaryEntry[] {
  return entries.flatMap((entry) => {
    const changed = change(entry)
    if (!changed) return []
    return [{ ...changed, children: mapEntries(changed.children, change) as SummaryItem[] }]
  })
}

const renamed = (entries: readonly SummaryEntry[], from: string, to: string) =>
  mapEntries(entries, (entry) => ('title' in entry && entry.title === from ? { ...entry, title: to } : entry))
const without = (entries: readonly SummaryEntry[], title: string) =>
  mapEntries(entries, (entry) => ('title' in entry && entry.title === title ? undefined : entry))
const addedTo = (entries: readonly SummaryEntry[], title: string, ...added: SummaryItem[]) =>
  mapEntries(entries, (entry) =>
    'title' in entry && entry.title === title ? { ...entry, children: [...entry.children, ...added] } : entry,
  )

const odd = `---
x: 1
---
# Our book

- [Home](./README.md)  
- [A\\_b](a%20b.md 'Short')
<!-- about
A -->
    - [**Deep**](a/README.md)
    {% junk %}
        - [Deeper](<a/b.md>)


##  Second   <a id="two"></a>
- [C](c.md)
- \`\`\`yaml
  dependencies: { }
  type:   builtin:openapi # which
  \`\`\`

---

- [Free](free.md)`

describe('printing over an unusually formatted table of contents', () => {
  const entries = parse(odd)

  test('changes nothing without edits, even if paths are spelled differently', () => {
    expect(spliceSummary(odd, entries)).toBe(odd)
    const spelled = mapEntries(entries, (entry) =>
      entry.type === 'page' ? { ...entry, path: `./${decodeURIComponent(entry.path)}` } : entry,
    )
    expect(spliceSummary(odd, spelled)).toBe(odd)
  })

  test('changes only an edited title', () => {
    expect(spliceSummary(odd, renamed(entries, 'A_b', 'A [c]'))).toBe(
      odd.replace("[A\\_b](a%20b.md 'Short')", "[A \\[c\\]](a%20b.md 'Short')"),
    )
    expect(spliceSummary(odd, renamed(entries, 'Home', 'Start'))).toBe(odd.replace('[Home]', '[Start]'))
    expect(spliceSummary(odd, renamed(entries, 'Second', 'Third'))).toBe(odd.replace('##  Second', '##  Third'))
  })

  test('changes only an edited path or link title', () => {
    const moved = mapEntries(entries, (entry) =>
      entry.type === 'page' && entry.path === 'a%20b.md' ? { ...entry, path: 'new/a b.md' } : entry,
    )
    expect(spliceSummary(odd, moved)).toBe(odd.replace('a%20b.md', '<new/a b.md>'))
    const short = mapEntries(entries, (entry) =>
      entry.type === 'page' && entry.path === 'a%20b.md' ? { ...entry, linkTitle: 'Shorter' } : entry,
    )
    expect(spliceSummary(odd, short)).toBe(odd.replace("'Short'", '"Shorter"'))
  })

  test('prints new items in the style of their neighbors', () => {
    expect(spliceSummary(odd, addedTo(entries, 'Home', page('N', 'n.md', [page('M', 'm.md')])))).toBe(
      odd.replace('README.md)  \n', 'README.md)  \n    - [N](n.md)\n        - [M](m.md)\n'),
    )
    expect(spliceSummary(odd, addedTo(entries, 'Second', page('N', 'n.md')))).toBe(
      odd.replace('\n\n---', '\n- [N](n.md)\n\n---'),
    )
    expect(spliceSummary(odd, [...entries, page('N', 'n.md')])).toBe(`${odd}\n- [N](n.md)`)
  })

  test('removes an entry but keeps comments and the surrounding lines', () => {
    expect(spliceSummary(odd, without(entries, 'Free'))).toBe(odd.slice(0, odd.indexOf('\n\n---\n\n- [Free')))
    expect(spliceSummary(odd, without(entries, 'Deep'))).toBe(
      odd.replace('    - [**Deep**](a/README.md)\n', '').replace('        - [Deeper](<a/b.md>)\n', ''),
    )
    expect(spliceSummary(odd, without(entries, 'C'))).toBe(odd.replace('- [C](c.md)\n', ''))
  })

  test('moves a subtree with its comments and changes only its indentation', () => {
    const [home, a, second, free] = entries as [SummaryItem, SummaryItem, SummaryEntry, SummaryItem]
    const [deep] = a.children as [SummaryItem]
    expect(spliceSummary(odd, [home, { ...a, children: [] }, second, free, deep])).toBe(
      `${odd.replace(/ {4}- \[\*\*Deep[^]*?b\.md>\)\n/, '')}\n- [**Deep**](a/README.md)\n    {% junk %}\n    - [Deeper](<a/b.md>)`,
    )
  })

  test('moves a computed page with its YAML, and reprints edited YAML', () => {
    const [home, a, second, free] = entries as [SummaryItem, SummaryItem, SummaryEntry, SummaryItem]
    const [c, computed] = second.children as [SummaryItem, SummaryItem]
    const moved = [home, a, { ...second, children: [{ ...c, children: [computed] }] } as SummaryEntry, free]
    expect(spliceSummary(odd, moved)).toContain(
      '- [C](c.md)\n    - ```yaml\n      dependencies: { }\n      type:   builtin:openapi # which\n      ```\n\n---',
    )
    const edited = mapEntries(entries, (entry) =>
      entry.type === 'computed' ? { ...entry, source: { ...entry.source, props: { models: true } } } : entry,
    )
    expect(spliceSummary(odd, edited)).toBe(
      odd.replace(
        /- ```yaml[^]*?\n {2}```/,
        '- ```yaml\n  dependencies: {}\n  type: builtin:openapi\n  props:\n    models: true\n  ```',
      ),
    )
  })
})

const normal =
  '# Table of contents\n\n* [A](a.md)\n\n## G\n\n* [B](b.md)\n\n## H\n\n* [C](c.md)\n\n***\n\n* [D](d.md)\n'

test('group headings and dividers are printed only where they are needed', () => {
  const [a, g, h, d] = parse(normal) as [SummaryItem, SummaryEntry, SummaryEntry, SummaryItem]
  const group: SummaryEntry = { type: 'group', title: 'N', slug: 'own', line: 0, children: [page('M', 'm.md')] }
  expect(spliceSummary(normal, [a, g, group, h, d])).toBe(
    normal.replace('## H', '## N <a href="#own" id="own"></a>\n\n* [M](m.md)\n\n## H'),
  )
  expect(spliceSummary(normal, [g, h])).toBe(
    normal.replace('* [A](a.md)\n\n', '').replace('\n***\n\n* [D](d.md)\n', ''),
  )
  expect(spliceSummary(normal, [g, a, h, d])).toBe(
    '# Table of contents\n\n## G\n\n* [B](b.md)\n\n***\n\n* [A](a.md)\n\n## H\n\n* [C](c.md)\n\n***\n\n* [D](d.md)\n',
  )
  expect(spliceSummary(normal, [a, g, { ...h, children: [...h.children, d] }])).toBe(
    normal.replace('\n\n***\n\n', '\n'),
  )
  expect(spliceSummary(normal, [a, g, h, page('N', 'n.md'), d])).toBe(normal.replace('* [D]', '* [N](n.md)\n* [D]'))
  expect(spliceSummary(normal, [a, h, g, d])).toBe(
    '# Table of contents\n\n* [A](a.md)\n\n## H\n\n* [C](c.md)\n\n## G\n\n* [B](b.md)\n\n***\n\n* [D](d.md)\n',
  )
})

test.each([
  ['carriage returns', '* [A](a.md)\r\n\r\n## G\r\n', '* [A](a.md)\r\n* [N](n.md)\r\n\r\n## G\r\n'],
  ['a mark of byte order', '\ufeff* [A](a.md)\n', '\ufeff* [A](a.md)\n* [N](n.md)\n'],
  ['tabs', '+ [A](a.md)\n\t+ [B](b.md)\n', '+ [A](a.md)\n\t+ [B](b.md)\n+ [N](n.md)\n'],
  ['numbers', '1. [A](a.md)\n2. [B](b.md)\n', '1. [A](a.md)\n2. [B](b.md)\n1. [N](n.md)\n'],
  ['blank lines between items', '* [A](a.md)\n\n* [B](b.md)\n', '* [A](a.md)\n\n* [B](b.md)\n\n* [N](n.md)\n'],
  ['a comment that is never closed', '* [A](a.md)\n<!-- x\n', '* [A](a.md)\n* [N](n.md)\n<!-- x\n'],
  ['nothing but a title', '# Ours\n', '# Ours\n\n* [N](n.md)\n'],
  ['nothing', '', '# Table of contents\n\n* [N](n.md)\n'],
])('prints a new item into a source with %s', (_, source, expected) => {
  const entries = parse(source)
  const at = entries.findIndex(({ type }) => type === 'group')
  expect(spliceSummary(source, entries.toSpliced(at === -1 ? entries.length : at, 0, page('N', 'n.md')))).toBe(expected)
})

test('a new first child has the indentation of its siblings', () => {
  const source = '* [A](a.md)\n     * [B](b.md)\n'
  const [a] = parse(source) as [SummaryItem]
  expect(spliceSummary(source, [{ ...a, children: [page('N', 'n.md'), ...a.children] }])).toBe(
    '* [A](a.md)\n     * [N](n.md)\n     * [B](b.md)\n',
  )
})

test('a title or path that cannot be printed is normalized without changing other lines', () => {
  const source = '-  [A](./a.md)\n'
  expect(spliceSummary(source, [...parse(source), page('', 'x.md'), page('  B \n c', 'b#1.md')])).toBe(
    '-  [A](./a.md)\n-  [x.md](x.md)\n-  [B c](b%231.md)\n',
  )
})

test('10,000 entries are printed within the test timeout', () => {
  const source = Array.from(
    { length: 10_000 },
    (_, index) => `${'  '.repeat(index % 5)}- [v1.${index} \\_x](p/${index}.md)\n`,
  ).join('')
  const entries = parse(source)
  const printed = spliceSummary(source, entries.toReversed())
  expect(printed.split('\n').sort()).toEqual(source.split('\n').sort())
})
