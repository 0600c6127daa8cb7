import type { SiteRedirectChange } from '../../../../contract/site-redirects.ts'
import type { Site } from '../../../../contract/site.ts'
import { parseCsv } from '../../../ui/csv.ts'
import { isTarget, toDestination, toSource } from './destinations.ts'

/** A line of an import that can be sent. */
export interface ImportRow {
  line: number
  change: Extract<SiteRedirectChange, { destination: unknown }>
}

/** Reason why a line of an import cannot be used. */
export type ImportProblemReason =
  | { kind: 'no-target' | 'bad-target' | 'bad-source' }
  | { kind: 'duplicate'; firstLine: number }
  | { kind: 'loop'; path: readonly string[] }
  /** The server refuses it. */
  | { kind: 'refused'; message: string }

/** A line of an import that cannot be used. */
export interface ImportProblem {
  line: number
  from: string
  reason: ImportProblemReason
}

export interface ParsedImport {
  rows: ImportRow[]
  problems: ImportProblem[]
}

interface Pair {
  line: number
  source: string
  to: string
}

/** Parses pasted text or a file with lines of `from,to`, and checks it as far as possible without the server. */
export function parseImport(text: string, site: Site, permanent: boolean): ParsedImport {
  const problems: ImportProblem[] = []
  const pairs = new Map<string, Pair>()
  const { rows: lines } = parseCsv(text)
  const isHeader = /^(?:from|source|old)$/i.test(lines[0]?.cells[0] ?? '')
  for (const { line, cells } of isHeader ? lines.slice(1) : lines) {
    const [from = '', to = ''] = cells
    const source = toSource(from, site)
    const first = source === undefined ? undefined : pairs.get(source.toLowerCase())
    const reason = findProblem(source, to, first)
    if (reason) problems.push({ line, from, reason })
    else if (source !== undefined) pairs.set(source.toLowerCase(), { line, source, to })
  }
  const rows: ImportRow[] = []
  for (const pair of pairs.values()) {
    const { target, loop } = followChain(pair, pairs, site)
    if (loop) problems.push({ line: pair.line, from: pair.source, reason: { kind: 'loop', path: loop } })
    else rows.push({ line: pair.line, change: toChange(pair.source, target, site, permanent) })
  }
  return { rows, problems: problems.toSorted((a, b) => a.line - b.line) }
}

function findProblem(source: string | undefined, to: string, first: Pair | undefined): ImportProblemReason | undefined {
  if (to === '') return { kind: 'no-target' }
  if (!isTarget(to)) return { kind: 'bad-target' }
  if (source === undefined) return { kind: 'bad-source' }
  return first && { kind: 'duplicate', firstLine: first.line }
}

/** Follows redirects to other redirects of the import until the last one, or returns the path that causes a loop. */
function followChain(
  { source, to }: Pair,
  pairs: ReadonlyMap<string, Pair>,
  site: Site,
): { target: string; loop?: readonly string[] } {
  const passed = new Set([source])
  let target = to
  for (;;) {
    const key = toSource(target, site)?.toLowerCase()
    const next = key === undefined ? undefined : pairs.get(key)
    if (!next) return { target }
    if (passed.has(next.source)) return { target, loop: [...passed, next.source] }
    passed.add(next.source)
    target = next.to
  }
}

function toChange(source: string, target: string, site: Site, permanent: boolean): ImportRow['change'] {
  const captureWildcard = source.endsWith('*') && target.endsWith('/*')
  const destination = toDestination(captureWildcard ? target.slice(0, -2) || '/' : target, site)
  return { source, intent: 'live', captureWildcard, permanent, destination }
}
