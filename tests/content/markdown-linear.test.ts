import { expect, test } from 'vitest'
import { leaf, paragraph } from '../../src/content/document/build.ts'
import { diffDocuments } from '../../src/content/document/diff.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { assertWithinLimits, measureDocument } from '../../src/content/document/limits.ts'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { createOutline } from '../../src/content/document/outline.ts'
import { documentText } from '../../src/content/document/text.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { hasTooMuchMarkup } from '../../src/content/markdown/markup-limits.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { parseSummary, printSummary } from '../../src/content/markdown/summary.ts'
import { renderDocument } from '../../src/render/document.ts'
import { splitIntoSections } from '../../src/content/document/sections.ts'
import { expectLinear } from '../support/growth.ts'
import { seededRandom } from '../support/random.ts'
import { createRenderContext } from '../support/render-context.ts'
import { withEditedWord } from '../support/word-edits.ts'
import { type RepeatedText, pairedPieces, pieces, repeatPiece, repeatPair } from '../support/repeated-markdown.ts'

// An input that is four times as long may take about four times as long. REPEATED_MARKDOWN=all tests all inputs (hours).

/** Input lengths, each four times the previous one. */
type Sizes = readonly [small: number, large: number, huge: number]
const readingSizes: Sizes = [16_384, 65_536, 262_144]
/** Smaller lengths, because the other steps take longer than parsing. */
const stepSizes: Sizes = [8192, 32_768, 131_072]
/** Milliseconds below which a measurement is too imprecise to compare. */
const floor = 60
const maxRatio = 9
const isSteep = (one: number, other: number) => other > floor && other > maxRatio * one

const isAll = process.env['REPEATED_MARKDOWN'] === 'all'
const hour = 3_600_000

const options = { references: verbatimReferences, isExpression }
const parse = (source: string) => parsePage(source, options)

/** Caches results, because every step is measured with the same sources. */
const cached = <Result>(make: (source: string) => Result): ((source: string) => Result) => {
  const results = new Map<string, Result>()
  return (source) => {
    if (isAll || source.length > stepSizes[1] * 2) return make(source)
    if (!results.has(source)) results.set(source, make(source))
    return results.get(source) as Result
  }
}
const parsedOnce = cached(parse)

function sampleOf<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const chance = seededRandom(seed)
  return isAll ? [...items] : items.filter(() => chance() < count / items.length)
}

const alone = pieces.flatMap((piece) => {
  const [first, ...others] = repeatPiece(piece)
  return { first: first as RepeatedText, others }
})
const everyAlone = [...alone.map(({ first }) => first), ...alone.flatMap(({ others }) => others)]
const everyPair = pairedPieces.flatMap((one) =>
  pairedPieces.filter((other) => other !== one).flatMap((other) => repeatPair(one, other)),
)

interface Step<Input> {
  /** Returns the input of the step, or undefined if the step never receives such an input. */
  prepare: (source: string) => Input | undefined
  run: (input: Input) => unknown
}

/** Returns the inputs for which a step takes much more than four times as long when they are four times as long. */
async function tooSlow<Input>(
  inputs: readonly RepeatedText[],
  { prepare, run }: Step<Input>,
  [small, large, huge]: Sizes,
): Promise<string[]> {
  const timeOf = async (make: RepeatedText['make'], length: number) => {
    const source = make(length)
    const input = hasTooMuchMarkup(source) ? undefined : prepare(source)
    if (input === undefined) return 0
    // CPU time does not depend on other processes, unlike wall-clock time.
    const start = process.cpuUsage()
    await run(input)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  const slow: string[] = []
  for (const { name, make } of inputs) {
    if (!isSteep(await timeOf(make, small), await timeOf(make, large))) continue
    // Another process may have interfered, or a limit may be between these sizes.
    let [before, after] = [await timeOf(make, large), await timeOf(make, huge)]
    for (let again = 0; again < 2 && isSteep(before, after); again++) {
      before = Math.max(before, await timeOf(make, large))
      after = Math.min(after, await timeOf(make, huge))
    }
    if (isSteep(before, after)) slow.push(`${name}: ${Math.round(before)} to ${Math.round(after)} ms`)
  }
  return slow
}

const parsing: Step<string> = { prepare: (source) => source, run: parse }

const fitting = (source: string): Document | undefined => {
  const { document } = parsedOnce(source)
  if (document.nodes.length === 0) return undefined
  try {
    assertWithinLimits(document)
    return document
  } catch {
    return undefined
  }
}

const edited = (document: Document, word: string): Document => ({
  ...document,
  nodes: document.nodes.with(document.nodes.length >> 1, paragraph([{ object: 'text', leaves: [leaf(word)] }])),
})

const insertedInto = (source: string, word: string, part: number) => {
  const at = Math.floor(source.length * part)
  return `${source.slice(0, at)} ${word} ${source.slice(at)}`
}

const versions = cached((source: string): [Document, Document, Document] | undefined => {
  const document = fitting(source)
  if (!document) return undefined
  const base = assignKeys(undefined, document)
  const version = (word: string, part: number) => assignKeys(base, parse(insertedInto(source, word, part)).document)
  return [base, version('ours', 0.5), version('theirs', 0.25)]
})

function hidingTags(length: number): string {
  const parts: string[] = ['<script>\n']
  for (let index = 0; index * 40 < length; index++) parts.push(`{% a x="\n</script>\n<script>\n" %}\n`)
  return parts.join('')
}

const parameters = (length: number) =>
  Array.from(
    { length: length / 70 },
    (_, index) => `{% swagger-parameter in="p${index}" name="a" %}\n{% endswagger-parameter %}\n`,
  ).join('')

const privateUse = String.fromCharCode(...Array.from({ length: 6400 }, (_, index) => 0xe000 + index))

/** Inputs that once took superlinear time. */
const attacks: RepeatedText[] = [
  { name: 'tags that are not closed', make: (length) => '{% hint %}\n\n'.repeat(length / 12) },
  { name: 'line breaks', make: (length) => 'a  \n'.repeat(length / 4) },
  { name: 'mail addresses', make: (length) => 'a@'.repeat(length / 2) },
  { name: 'tags on one line', make: (length) => '{% a %}'.repeat(length / 7) },
  {
    name: 'closing tags of others',
    make: (length) => '{% hint %}\n'.repeat(length / 22) + '{% endtab %}\n'.repeat(length / 26),
  },
  {
    name: 'what is between tabs',
    make: (length) => `{% tabs %}\n{% tab %}\n{% endtab %}\n${'a\n\n'.repeat(length / 3)}{% endtabs %}\n`,
  },
  { name: 'tags over many lines', make: (length) => '{% a "\\"\n'.repeat(length / 9) },
  { name: 'tags that hide each other', make: hidingTags },
  { name: 'quotes in a footnote', make: (length) => `[^a]: ${'>'.repeat(length)}` },
  { name: 'a long word before a footnote', make: (length) => `${'a'.repeat(length)} [^a]\n\n[^a]: b\n` },
  { name: 'blanks in an expandable', make: (length) => `<details>${' '.repeat(length)}x\n` },
  { name: 'ids of an anchor', make: (length) => `## a <a ${'id="" '.repeat(length / 6)} x=">"></a>\n` },
  { name: 'parameters in many places', make: (length) => `{% swagger %}\n${parameters(length)}{% endswagger %}\n` },
  { name: 'blanks in a style', make: (length) => `<mark style="color:a${' '.repeat(length)}b">c</mark>\n` },
  { name: 'blanks in a condition', make: (length) => `{% if a${' '.repeat(length)}|| b %}\n{% endif %}\n` },
  { name: 'backslashes in a cell', make: (length) => `| a |\n| - |\n| ${'\\\\'.repeat(length / 2)} |\n` },
  ...[
    '<ul><li>',
    '<p>a',
    '<div>',
    '<div><figure>',
    '<pre>',
    '</p>',
    '<li>a',
    '`a | b` | ',
    '` | ',
    '<code>a</code> \\| ',
  ].map((piece) => ({
    name: `a cell of ${piece}`,
    make: (length: number) => `| a |\n| - |\n| ${piece.repeat(length / piece.length)} |\n`,
  })),
  {
    name: 'a long link around many words',
    make: (length) => `[${'a '.repeat(length / 4)}](${'b'.repeat(length / 2)})\n`,
  },
  { name: 'wide rows', make: (length) => `| a |\n| - |\n${'| `a | b` | c |\n'.repeat(length / 15)}` },
  {
    name: 'one wide row',
    make: (length) => `| a |\n| - |\n${'| a |\n'.repeat(length / 12)}|${'a|'.repeat(length / 4)}\n`,
  },
  { name: 'headers', make: (length) => `|${' **a** |'.repeat(length / 16)}\n|${' - |'.repeat(length / 16)}\n` },
  { name: 'tags beside the text of items', make: (length) => '* {% if a %}b{% endif %}\n'.repeat(length / 25) },
  { name: 'tags beside text that are not closed', make: (length) => '* {% if a %} b\n'.repeat(length / 15) },
  {
    name: 'tags beside text in each other',
    make: (length) => `${'* b {% if a %}\n'.repeat(length / 30)}${'  b {% endif %}\n'.repeat(length / 30)}`,
  },
  { name: 'tags at the end of a line', make: (length) => `* b ${'{% if a %}'.repeat(length / 10)}\n` },
  {
    name: 'closing tags that are indented like the list above them',
    make: (length) => '{% a %}\n* b\n  {% enda %}\n  c\n'.repeat(length / 30),
  },
  {
    name: 'many closing tags below a list',
    make: (length) => `${'{% hint %}\n'.repeat(length / 25)}* b\n${'  {% endhint %}\n'.repeat(length / 25)}`,
  },
  {
    name: 'tags in items whose content is not indented',
    make: (length) => '* a\n  {% if a %}\nb\n{% endif %}\n'.repeat(length / 30),
  },
  { name: 'blanks in a shortcode', make: (length) => `{{<${' '.repeat(length)}\n` },
  {
    name: 'blanks in an import',
    make: (length) => `import${' '.repeat(length)}x\n\nimport "a"${' '.repeat(length)}x\n`,
  },
  {
    name: 'nested admonitions',
    make: (length) =>
      Array.from({ length: Math.sqrt(length / 2) }, (_, depth) => `${'    '.repeat(depth)}!!! a\n`).join(''),
  },
  {
    name: 'nested tabs with indented bodies',
    make: (length) =>
      Array.from({ length: Math.sqrt(length / 2) }, (_, depth) => `${'    '.repeat(depth)}=== "a"\n`).join(''),
  },
  ...['*<b>a', '*<a href="b">a', '*{% raw %}a'].map((piece) => ({
    name: `tags that cross marks as in ${piece}`,
    make: (length: number) =>
      piece.repeat(length / 2 / piece.length) + piece.replace(/<(\w+).*|\{%.*/, '</$1>*').repeat(length / 12),
  })),
  ...[
    '[block:a]\n',
    '[block:a]\n{',
    '{/*',
    ']:',
    '\n[a]:',
    '%%x ',
    ' %%',
    '<b a={',
    '<b {...',
    '[a]({{',
    '](a{%',
    "{' '}",
  ].map((piece) => ({
    name: `notations of other tools as in ${piece}`,
    make: (length: number) => `${piece.repeat(length / piece.length)} */} }} %}\n`,
  })),
  ...['{.a}', '{: .a}\n', ' {.a}', '**a**{.b}', '{a=', '{% .a', '| {.a} |\n'].map((piece) => ({
    name: `attribute lists as in ${piece}`,
    make: (length: number) => `a${piece.repeat(length / piece.length)}\n`,
  })),
  { name: 'braces of a directive', make: (length) => `:::{${'a'.repeat(length)}\n\n:::{.a${' '.repeat(length)}b\n` },
  { name: 'components in each other', make: (length) => `${'<A>\n'.repeat(length / 9)}${'</A>\n'.repeat(length / 9)}` },
  {
    name: 'cells cut by empty lines',
    make: (length) => `<table>\n<tr>\n${'<td>\n\n    a\n\nb</td>\n'.repeat(length / 22)}</tr>\n</table>\n`,
  },
  {
    name: 'tables in cells',
    make: (length) => '<table>\n<tr>\n<td>\n\n'.repeat(length / 40) + '</td>\n</tr>\n</table>\n\n'.repeat(length / 40),
  },
  { name: 'references', make: (length) => `${'[a][] '.repeat(length / 6)}\n\n[a]: b\n` },
  { name: 'all characters that could hide others', make: (length) => privateUse + '_a_'.repeat(length / 3) },
]

test('parses inputs that once took superlinear time in linear time', async () => {
  expect(await tooSlow(attacks, parsing, readingSizes)).toEqual([])
}, 120_000)

test(
  'parses repeated pieces of Markdown in linear time',
  async () => {
    const inputs = [...sampleOf(everyAlone, 20, 1), ...sampleOf(everyPair, 16, 2)]
    expect(await tooSlow(inputs, parsing, readingSizes)).toEqual([])
  },
  isAll ? 8 * hour : 120_000,
)

test('collects many ids of attribute lists in linear time', () =>
  expectLinear(45_000, (count) => parse(`a${'\n{#a}'.repeat(count)}`)))

const steps: [string, Step<never>][] = [
  ['printing', { prepare: parsedOnce, run: (page: ReturnType<typeof parse>) => printPage(page, verbatimReferences) }],
  [
    'printing over the source',
    {
      prepare: (source) => {
        const document = fitting(source)
        return document && document.nodes.length > 0
          ? { source, ...parsedOnce(source), document: edited(document, 'new') }
          : undefined
      },
      run: ({ source, ...page }: ReturnType<typeof parse> & { source: string }) => splicePage(source, page, options),
    },
  ],
  [
    'printing edited words over the source',
    {
      prepare: (source) => {
        const document = fitting(source)
        const words = document && withEditedWord(document, seededRandom(5), 'Zebra')
        return words && { source, ...parsedOnce(source), document: words }
      },
      run: ({ source, ...page }: ReturnType<typeof parse> & { source: string }) => splicePage(source, page, options),
    },
  ],
  [
    'measuring',
    {
      prepare: (source) => parsedOnce(source).document,
      run: (document: Document) => [measureDocument(document), documentText(document), createOutline(document)],
    },
  ],
  [
    'identifying',
    {
      prepare: fitting,
      run: (document: Document) => assignKeys(assignKeys(undefined, document), edited(document, 'new')),
    },
  ],
  [
    'comparing',
    { prepare: versions, run: ([base, ours]: [Document, Document, Document]) => diffDocuments(base, ours) },
  ],
  ['merging', { prepare: versions, run: (all: [Document, Document, Document]) => mergeDocuments(...all) }],
  [
    'rendering',
    { prepare: fitting, run: (document: Document) => String(renderDocument(document, createRenderContext())) },
  ],
  ['splitting for search', { prepare: fitting, run: (document: Document) => splitIntoSections(document) }],
  [
    'reading a table of contents',
    { prepare: (source) => source, run: (source: string) => printSummary(parseSummary(source).entries) },
  ],
] as [string, Step<never>][]

test.each(steps)(
  '%s takes linear time',
  async (_, step) => {
    const inputs = [...sampleOf(attacks, 8, 5), ...sampleOf(everyAlone, 4, 3), ...sampleOf(everyPair, 3, 4)]
    expect(await tooSlow(inputs, step, stepSizes)).toEqual([])
  },
  isAll ? 8 * hour : 120_000,
)
