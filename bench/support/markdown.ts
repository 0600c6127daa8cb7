import { isExpression } from '../../src/content/expression/index.ts'
import { parseMdast } from '../../src/content/markdown/mdast.ts'
import { type ParsedPage, parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { median } from './report.ts'
import { corpusFiles, readCorpusFile } from '../../tests/support/corpus.ts'

/** Speed in megabytes of Markdown per second. */
export interface MarkdownSpeed {
  files: number
  megabytes: number
  /** Speed of the underlying parser alone. */
  bare: number
  parse: number
  print: number
}

const rounds = 5

/** Measures parsing and printing of the real pages beside the checkout; undefined if there are none. */
export function measureMarkdown(): MarkdownSpeed | undefined {
  const sources = corpusFiles().map(readCorpusFile)
  if (sources.length === 0) return undefined
  const megabytes = sources.reduce((sum, source) => sum + Buffer.byteLength(source), 0) / 1e6
  const samples = { bare: [] as number[], parse: [] as number[], print: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    let pages: ParsedPage[] = []
    const speeds = {
      bare: megabytes / seconds(() => sources.forEach((source) => parseMdast(source, (offset) => offset))),
      parse: megabytes / seconds(() => (pages = sources.map(parse))),
      print: megabytes / seconds(() => pages.forEach((page) => printPage(page, verbatimReferences))),
    }
    // The first round is a warm-up.
    if (round === 0) continue
    for (const step of ['bare', 'parse', 'print'] as const) samples[step].push(speeds[step])
  }
  const { bare, parse: parsed, print } = samples
  return { files: sources.length, megabytes, bare: median(bare), parse: median(parsed), print: median(print) }
}

const parse = (source: string) => parsePage(source, { references: verbatimReferences, isExpression })

function seconds(work: () => void): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1e3
}
