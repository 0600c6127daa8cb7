import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseForgiving } from '../../src/content/expression/index.ts'
import { parseMdast } from '../../src/content/markdown/mdast.ts'
import { type ParsedPage, parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatim } from '../../src/content/markdown/references.ts'
import { median } from './report.ts'

/** Megabytes of Markdown a second. */
export interface MarkdownSpeed {
  files: number
  megabytes: number
  /** The parser that ours stands on, alone. */
  bare: number
  parse: number
  print: number
}

const corpus = join('..', 'shared', 'corpus')
const rounds = 5

/** How fast the real pages beside the checkout are read and printed; undefined when there are none. */
export function measureMarkdown(): MarkdownSpeed | undefined {
  if (!existsSync(corpus)) return undefined
  const sources = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(corpus, name), 'utf8'))
  const megabytes = sources.reduce((sum, source) => sum + Buffer.byteLength(source), 0) / 1e6
  const samples = { bare: [] as number[], parse: [] as number[], print: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    let pages: ParsedPage[] = []
    const speeds = {
      bare: megabytes / seconds(() => sources.forEach((source) => parseMdast(source, (offset) => offset))),
      parse: megabytes / seconds(() => (pages = sources.map(parse))),
      print: megabytes / seconds(() => pages.forEach((page) => printPage(page, verbatim))),
    }
    // The first round warms everything up.
    if (round === 0) continue
    for (const step of ['bare', 'parse', 'print'] as const) samples[step].push(speeds[step])
  }
  const { bare, parse: parsed, print } = samples
  return { files: sources.length, megabytes, bare: median(bare), parse: median(parsed), print: median(print) }
}

const parse = (source: string) => parsePage(source, { references: verbatim, isExpression })

function isExpression(source: string): boolean {
  try {
    parseForgiving(source)
    return true
  } catch {
    return false
  }
}

function seconds(work: () => void): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1e3
}
