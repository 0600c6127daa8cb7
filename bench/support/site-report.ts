import type { Home } from './homes.ts'
import { formatGoal, median, percentile, printTable } from './report.ts'
import { type Variant, formatComparison } from './rounds.ts'
import type { FirstVisit } from './site-browser.ts'
import type { FirstRenders, Merges, PublishedHome } from './site-octavo.ts'

const goals = { js: 10, htmlAndCss: 20, requests: 4, paint: 0.5, ofBare: 60, first: 100, merge: 100 }

/** Site that browsers can visit. */
export interface Site {
  name: string
  urls: string[]
  /** Whether Octavo is compared with it. */
  isPeer: boolean
}

/** Requests to one page, measured by CPU time and by requests per second. */
export interface PageLoad {
  cpu: Variant
  time: Variant
}

const kilobytes = (bytes: number): number => bytes / 1e3

/** Formats the median and the maximum. */
function formatMedianAndMax(visits: readonly FirstVisit[], value: (visit: FirstVisit) => number, digits = 1): string {
  const all = visits.map(value)
  return `${median(all).toFixed(digits)} / ${Math.max(...all).toFixed(digits)}`
}

export function reportBytes(pageCount: number, visits: Map<Site, FirstVisit[]>): void {
  printTable([
    [`${pageCount} pages, KB (gzip), median / most`, 'HTML', 'CSS', 'JS', 'other', 'ahead', 'requests'],
    ...[...visits].map(([{ name }, made]) => [
      name,
      ...(['html', 'css', 'js', 'other', 'ahead'] as const).map((kind) =>
        formatMedianAndMax(made, (visit) => kilobytes(visit[kind])),
      ),
      formatMedianAndMax(made, (visit) => visit.requests, 0),
    ]),
  ])
  for (const [{ name, isPeer }, made] of visits) {
    if (isPeer) continue
    const row = (what: string, value: (visit: FirstVisit) => number, goal: number, unit: string, digits = 1) => {
      const all = made.map(value)
      const [middle, most] = [median(all), Math.max(...all)]
      return [
        what,
        middle.toFixed(digits),
        formatGoal(middle, goal, unit),
        most.toFixed(digits),
        formatGoal(most, goal, unit),
      ]
    }
    printTable([
      [`${name}, a first visit`, 'median', 'goal', 'most', 'goal'],
      row('JS, KB', ({ js }) => kilobytes(js), goals.js, ' KB'),
      row('HTML and CSS, KB', ({ html, css }) => kilobytes(html + css), goals.htmlAndCss, ' KB'),
      row('requests', (visit) => visit.requests, goals.requests, '', 0),
    ])
  }
}

export function reportPaint(times: Map<Site, number[]>): void {
  const best = Math.min(...[...times].filter(([{ isPeer }]) => isPeer).map(([, made]) => median(made)))
  const compared = (site: Site, value: number) => {
    if (!Number.isFinite(best)) return ['', '']
    const part = value / best
    return [`${part.toFixed(2)} x`, site.name === 'Octavo' ? formatGoal(part, goals.paint, ' x') : '']
  }
  printTable([
    ['Largest paint: 40 ms, 10 Mbit/s, CPU / 4', 'median ms', '90 of 100', 'of the better peer', 'goal'],
    ...[...times].map(([site, made]) => [
      site.name,
      median(made).toFixed(0),
      percentile(made, 90).toFixed(0),
      ...compared(site, median(made)),
    ]),
  ])
}

const perSecond = ({ samples }: Variant): string => (1e6 / median(samples)).toFixed(0)

export function reportRequests({ engine }: Home, ours: PageLoad, theirs: PageLoad): void {
  const percent = median(
    ours.time.samples.map((sample, round) => ((theirs.time.samples[round] as number) / sample) * 100),
  )
  const judged = `${percent >= goals.ofBare ? 'reached' : 'MISSED'} (${goals.ofBare} %)`
  printTable([
    [
      `${engine}: a page that was rendered before, ${ours.time.load.connections} connections`,
      'a second',
      'of bare',
      'goal',
    ],
    [theirs.time.name, perSecond(theirs.time), '100 %', ''],
    [ours.time.name, perSecond(ours.time), `${percent.toFixed(0)} %`, judged],
  ])
  printTable([
    [`${engine}: CPU of the server for one`, 'us', 'of bare', ''],
    formatComparison(theirs.cpu, theirs.cpu),
    formatComparison(theirs.cpu, ours.cpu),
  ])
}

function formatTimes(name: string, all: readonly number[], goal?: number): string[] {
  const slow = percentile(all, 99)
  return [name, median(all).toFixed(1), slow.toFixed(1), goal === undefined ? '' : formatGoal(slow, goal, ' ms')]
}

export function reportServer(
  { home: { engine }, paths, large }: PublishedHome,
  starts: readonly FirstRenders[],
  merged: Merges,
): void {
  const pageCount = paths.length
  const size = large.space.pageCount.toLocaleString('en')
  printTable([
    [`${engine}: ms`, 'median', '99 of 100', 'goal'],
    formatTimes(
      `first request to each of ${pageCount} pages`,
      starts.flatMap((start) => start.pages),
      goals.first,
    ),
    formatTimes(
      `the same among ${size} pages`,
      starts.flatMap((start) => start.large),
      goals.first,
    ),
    formatTimes(`merge among ${size} pages`, merged.merge),
    formatTimes(`from its reply to the new page (${merged.stale} stale)`, merged.served, goals.merge),
  ])
  const memory = (what: keyof FirstRenders['memory']) => median(starts.map((start) => start.memory[what])).toFixed(0)
  printTable([
    [`${engine}: memory of the server`, 'MB'],
    ['at rest', memory('atRest')],
    [`after ${pageCount} pages were served`, memory('served')],
    [`the most, after as many among ${size}`, memory('peak')],
  ])
}
