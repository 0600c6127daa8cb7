import { expect, test } from 'vitest'
import { spliceSummary } from '../../src/content/markdown/splice-summary.ts'
import { type SummaryEntry, type SummaryItem, parseSummary } from '../../src/content/markdown/summary.ts'
import { markdownFiles } from '../support/repositories.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

type Chance = () => number
type Mutable<Entry> = Entry extends unknown ? Omit<Entry, 'children'> & { children: SummaryItem[] } : never

const parse = (source: string) => parseSummary(source).entries
const withoutLines = (entries: readonly SummaryEntry[]): unknown[] =>
  entries.map((entry) => ({ ...entry, line: 0, children: withoutLines(entry.children) }))
const copy = (entries: readonly SummaryEntry[]) => structuredClone(entries) as Mutable<SummaryEntry>[]

const oneOf = <Item>(chance: Chance, items: readonly Item[]): Item =>
  items[randomInteger(chance, 0, items.length - 1)] as Item

const titles = [
  'A',
  'A b',
  'x_y',
  '[z]',
  '`c`',
  'v1.2',
  '# h',
  '- d',
  '--',
  '1. n',
  '<b>',
  'a & b',
  '&amp;',
  'www.a.b',
  '🎉 !',
  'C #',
  'x@y.z',
  '1. a_b',
  '##',
]

/** Generates an unusual table of contents with everything that it may contain. */
function oddSource(chance: Chance): string {
  const newline = oneOf(chance, ['\n', '\n', '\r\n'])
  const lines: string[] = []
  if (chance() < 0.2) lines.push('---', 'x: 1', '---')
  if (chance() < 0.7) lines.push('# Title', '')
  const bullet = oneOf(chance, ['*', '-', '+', '1.'])
  const unit = oneOf(chance, ['  ', '    ', '\t', '   '])
  let depth = 0
  for (let count = randomInteger(chance, 0, 14); count > 0; count--) {
    const roll = chance()
    if (roll < 0.1) lines.push('', `## G${count}${chance() < 0.3 ? ` <a id="s${count}"></a>` : ''}`, '')
    else if (roll < 0.15) lines.push('', oneOf(chance, ['***', '---', '* * *']), '')
    else if (roll < 0.22)
      lines.push(oneOf(chance, ['<!-- c -->', '<!--\n* [no](no.md)\n-->', '{% x %}', '### h', '*', '   ***']))
    else if (roll < 0.27) lines.push('')
    else {
      depth = roll < 0.3 ? 0 : Math.max(0, Math.min(depth + randomInteger(chance, -2, 1), 4))
      const indent = unit.repeat(depth) + (chance() < 0.1 ? ' ' : '')
      const marker = chance() < 0.9 ? bullet : oneOf(chance, ['*', '-', '+', '2)'])
      const computed = ['```yaml', 'type: t', 'props:', `  n: ${count}`, '```'].join(
        `\n${indent}${' '.repeat(marker.length + 1)}`,
      )
      const content = oneOf(chance, [
        `[T${count}](p${count}.md)`,
        `[T${count}](./p${count}.md "short")`,
        `[x\\_y](<a b ${count}.md>)`,
        `[Web](https://e.org/${oneOf(chance, ['a', 'b'])})`,
        `**[Bold](a%20${count}.md)**`,
        `Empty ${count}`,
        computed,
      ])
      lines.push(`${indent}${marker} ${content}${chance() < 0.1 ? '  ' : ''}`)
    }
  }
  return (
    lines.join('\n').replaceAll('\n', newline) + (chance() < 0.8 ? newline : '') + (chance() < 0.1 ? '<!-- open' : '')
  )
}

function newItem(chance: Chance): Mutable<SummaryItem> {
  const [title, line, children] = [oneOf(chance, titles), 0, []]
  return oneOf<Mutable<SummaryItem>>(chance, [
    { type: 'page', title, line, children, path: oneOf(chance, ['n.md', 'm (1).md', 'p3.md', 'x_y/z.md']) },
    { type: 'link', title, line, children, destination: 'https://e.org/?a=1&b=2', linkTitle: 'say "x"' },
    { type: 'empty', title, line, children },
    { type: 'computed', line, children, source: { type: 'new', props: { deep: { list: [1, 'a'] } } } },
  ])
}

/** Returns all lists of siblings; only the first one may contain groups. */
function lists(entries: Mutable<SummaryEntry>[]): SummaryEntry[][] {
  const inside = (items: readonly SummaryEntry[]): SummaryEntry[][] =>
    items.flatMap(({ children }) => [children as SummaryEntry[], ...inside(children)])
  return [entries, ...inside(entries)]
}

function edit(chance: Chance, entries: Mutable<SummaryEntry>[]): void {
  const all = lists(entries)
  const list = oneOf(chance, all)
  const at = randomInteger(chance, 0, Math.max(0, list.length - 1))
  const entry = list[at]
  const roll = chance()
  if (roll < 0.25 || !entry) list.splice(at, 0, newItem(chance) as SummaryItem)
  else if (roll < 0.45) list.splice(at, 1)
  else if (roll < 0.65) {
    if ('title' in entry) entry.title = oneOf(chance, titles)
  } else if (roll < 0.95) {
    list.splice(at, 1)
    const targets = entry.type === 'group' ? [entries as SummaryEntry[]] : lists(entries)
    const target = oneOf(chance, targets)
    target.splice(randomInteger(chance, 0, target.length), 0, entry)
  } else entries.push({ type: 'group', title: oneOf(chance, titles), line: 0, children: [newItem(chance)] })
}

/** Returns the comments and meaningless lines of a text. */
const junk = (text: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => /^(?:<!--|-->|\{%|###)/.test(line))
    .sort()

test('printing over a random table of contents gives the edited entries and keeps comments', () => {
  for (let seed = 0; seed < 700; seed++) {
    const chance = seededRandom(seed)
    const source = oddSource(chance)
    const entries = copy(parse(source))
    for (let count = randomInteger(chance, 0, 4); count > 0; count--) edit(chance, entries)
    const printed = spliceSummary(source, entries)
    expect({ seed, source, entries: withoutLines(parse(printed)) }).toEqual({
      seed,
      source,
      entries: withoutLines(entries as SummaryEntry[]),
    })
    expect({ seed, source, printed, junk: junk(printed) }).toEqual({ seed, source, printed, junk: junk(source) })
  }
})

const isWhole = (entry: SummaryEntry) => entry.type === 'page' && entry.children.length === 0
const hasText = (line: string) => line.trim() !== '' && line.trim() !== '***'

/** Returns the lines that occur more often in one text than in the other. */
function extraLines(text: string, other: string): string[] {
  const counts = new Map<string, number>()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}

const files = markdownFiles().filter(({ name }) => name.endsWith('SUMMARY.md'))

test('an edit of a table of contents changes only the line of the edited entry', () => {
  const chance = seededRandom(30)
  for (const { name: file, read } of files) {
    const original = read()
    for (const source of [original, original.replaceAll('\n', '\r\n'), original.replace(/^( *)\* /gm, '$1$1- ')]) {
      expect({ file, isSame: spliceSummary(source, parse(source)) === source }).toEqual({ file, isSame: true })
      const places = lists(copy(parse(source))).flatMap((list, nth) =>
        list.flatMap((entry, at) => (isWhole(entry) ? [{ nth, at }] : [])),
      )
      const edited = (change: (list: SummaryEntry[], at: number, all: SummaryEntry[][]) => void) => {
        const { nth, at } = oneOf(chance, places)
        const entries = copy(parse(source))
        const all = lists(entries)
        change(all[nth] as SummaryEntry[], at, all)
        const printed = spliceSummary(source, entries)
        expect(withoutLines(parse(printed))).toEqual(withoutLines(entries as SummaryEntry[]))
        return [extraLines(source, printed).filter(hasText).length, extraLines(printed, source).filter(hasText).length]
      }
      for (let round = 0; round < 5; round++) {
        expect(
          edited((list, at) => list.splice(at, 1, { ...(list[at] as SummaryItem), title: 'New' } as SummaryItem)),
        ).toEqual([1, 1])
        expect(edited((list, at) => list.splice(at, 1))).toEqual([1, 0])
        expect(edited((list, at) => list.splice(at, 0, newItem(() => 0) as SummaryItem))).toEqual([0, 1])
        const [gone, come] = edited((list, at, all) => {
          const [entry] = list.splice(at, 1) as [SummaryEntry]
          const target = oneOf(
            chance,
            all.filter((one) => one !== entry.children),
          )
          target.splice(randomInteger(chance, 0, target.length), 0, entry)
        }) as [number, number]
        expect(gone).toBeLessThanOrEqual(1)
        expect(come).toBe(gone)
      }
    }
  }
})
