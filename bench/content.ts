// Markdown; edits, merges and reads in small and large spaces; memory while serving a large one
import { ApiClient } from './support/api-client.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type Home, withHomeDatabase, makeHomes } from './support/homes.ts'
import { measureMarkdown } from './support/markdown.ts'
import { formatGoal, median, percentile, printTable } from './support/report.ts'
import { type SeededSpace, seedSpace } from './support/seed-space.ts'
import { type OperationName, SpaceWorkload, type Times, operations } from './support/space-work.ts'
import { peakMemory, startOctavo } from './support/server.ts'

const goals = { growth: 1.5, merge: 100, memory: 512 }

/** Number of pages below each page, by level. */
const shapes = {
  small: [2, 49],
  medium: [4, 50, 49],
  large: [40, 50, 49],
  wide: [1, 5000],
} satisfies Record<string, number[]>
type Size = keyof typeof shapes

const sizes = Object.keys(shapes) as Size[]

const rounds = 7
const roundWorkload = { changeRequests: 15, reads: 40, duplicates: 10 }
const memoryWorkload = { changeRequests: 50, reads: 1000, duplicates: 1 }

const names: Record<OperationName, string> = {
  edit: 'edit of a page in a change request',
  changes: 'what the change request changes',
  merge: 'merge into the live content',
  readById: 'a page by its id',
  readByPath: 'a page by its path',
  duplicate: 'duplicate of the space',
}

/** Operations with a goal: they must not take longer in a large space. */
const judged: ReadonlySet<OperationName> = new Set(['edit', 'merge', 'readById', 'readByPath', 'duplicate'])

interface Measured {
  home: Home
  spaces: Record<Size, SeededSpace>
  /** Times by round. */
  times: Record<Size, Times[]>
  memory: { working: number; peak: number; everything: { milliseconds: number; bytes: number } }
}

reportMarkdown()
const homes = await makeHomes(serverEnv)
try {
  for (const home of homes) report(await measure(home))
} finally {
  for (const home of homes) await home.remove()
}

async function measure(home: Home): Promise<Measured> {
  const spaces = await seed(home)
  const times: Measured['times'] = { small: [], medium: [], large: [], wide: [] }
  await withServer(home, async ({ caller }) => {
    const works = sizes.map((size) => ({ size, work: new SpaceWorkload(caller, spaces[size]) }))
    for (let round = 0; round <= rounds; round++) {
      for (const { size, work } of works) {
        const sample = await work.run(roundWorkload)
        // The first round is a warm-up.
        if (round > 0) times[size].push(sample)
      }
    }
  })
  const memory = await withServer(home, async ({ caller, url, processId }) => {
    const work = new SpaceWorkload(caller, spaces.large)
    await work.run(memoryWorkload)
    const working = await peakMemory({ url, processId })
    const everything = await work.readAll()
    return { working, everything, peak: await peakMemory({ url, processId }) }
  })
  return { home, spaces, times, memory }
}

async function seed(home: Home): Promise<Record<Size, SeededSpace>> {
  await (await startOctavo(home.env)).stop()
  return withHomeDatabase(home, async (database) => {
    const seedOne = (size: Size) => seedSpace(database, { adminEmail, title: size, counts: shapes[size] })
    return {
      small: await seedOne('small'),
      medium: await seedOne('medium'),
      large: await seedOne('large'),
      wide: await seedOne('wide'),
    }
  })
}

async function withServer<T>(
  { env }: Home,
  work: (server: { caller: ApiClient; url: string; processId: number }) => Promise<T>,
): Promise<T> {
  const octavo = await startOctavo(env)
  const caller = new ApiClient(octavo.url, adminToken)
  try {
    return await work({ caller, ...octavo })
  } finally {
    caller.close()
    await octavo.stop()
  }
}

function reportMarkdown(): void {
  const speed = measureMarkdown()
  if (!speed) {
    console.log('There is no corpus beside the checkout: Markdown is not measured.\n')
    return
  }
  const row = (name: string, value: number) => [name, value.toFixed(1), `${(value / speed.bare).toFixed(2)} x`]
  printTable([
    [`Markdown, ${speed.files} files of ${speed.megabytes.toFixed(1)} MB`, 'MB/s', 'of the parser'],
    row('the parser alone', speed.bare),
    row('file to document', speed.parse),
    row('document to file', speed.print),
  ])
}

function report({ home: { engine }, spaces, times, memory }: Measured): void {
  const title = (size: Size) => spaces[size].pageCount.toLocaleString('en')
  const ms = (size: Size, operation: OperationName) => median(times[size].map((sample) => median(sample[operation])))
  printTable([
    [`${engine}: ms in a space of so many pages`, title('small'), title('medium'), title('large'), 'of small', 'goal'],
    ...operations.map((operation) => {
      const growth = measureGrowth(times, 'large', operation)
      return [
        names[operation],
        ...(['small', 'medium', 'large'] as const).map((size) => ms(size, operation).toFixed(1)),
        `${growth.toFixed(2)} x`,
        judged.has(operation) ? formatGoal(growth, goals.growth, ' x') : '',
      ]
    }),
  ])
  const merges = times.medium.flatMap(({ merge }) => merge)
  const slow = percentile(merges, 99)
  printTable([
    [`${engine}: ${merges.length} merges among ${title('medium')} pages`, 'ms', 'goal'],
    ['half of them within', percentile(merges, 50).toFixed(1), ''],
    ['99 of 100 within', slow.toFixed(1), formatGoal(slow, goals.merge, ' ms')],
  ])
  printTable([
    [`${engine}: ${title('wide')} pages, all but one below one`, 'ms', 'of small'],
    ...operations.map((operation) => [
      names[operation],
      ms('wide', operation).toFixed(1),
      `${measureGrowth(times, 'wide', operation).toFixed(2)} x`,
    ]),
  ])
  const { working, peak, everything } = memory
  const megabytes = (everything.bytes / 1e6).toFixed(0)
  printTable([
    [`${engine}: memory of a server of ${title('large')} pages`, '', '', 'goal'],
    ['edits, merges and reads', working.toFixed(0), 'MB', formatGoal(working, goals.memory, ' MB')],
    [`and all pages in one reply of ${megabytes} MB`, peak.toFixed(0), 'MB', formatGoal(peak, goals.memory, ' MB')],
    ['until that reply was there', (everything.milliseconds / 1e3).toFixed(1), 's', ''],
  ])
}

/** Returns the ratio to the time in the small space: the median over rounds, as both are measured under the same conditions. */
function measureGrowth(times: Measured['times'], size: Size, operation: OperationName): number {
  return median(
    times[size].map((sample, round) => median(sample[operation]) / median((times.small[round] as Times)[operation])),
  )
}
