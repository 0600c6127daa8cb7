// Imports and exports of a real repository and of a large one, compared with building a site of the same pages
import { loadavg } from 'node:os'
import { type GitServer, startGitServer } from '../tests/support/git-server.ts'
import { randomInteger, seededRandom } from '../tests/support/random.ts'
import { ApiClient } from './support/api-client.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type CostsBySize, measureCosts, measureImport, printCosts, waitForIdleCpu } from './support/git-cost.ts'
import {
  type BenchRepository,
  findLargestFolder,
  joinFolders,
  makeRepository,
  multiply,
} from './support/git-repositories.ts'
import { GitSpace } from './support/git-space.ts'
import { VitePressSite, installVitePress, wantedVersion } from './support/git-vitepress.ts'
import { type Home, withHomeDatabase, makeHomes, makeSqliteHome } from './support/homes.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { seedSpace, createPageMarkdown } from './support/seed-space.ts'
import { type Octavo, peakMemory, startOctavo } from './support/server.ts'

const goals = { ofBuild: 0.1, ofImport: 5, memory: 512, memoryInARow: 400, cpu: 5 }
const largeSize = 5000
/** Sizes of the repositories from which the cost of an import and that of a page are computed. */
const costSizes = [1000, 2000]
const rounds = { small: 3, large: 3, changes: 7, inARow: 5, cost: { servers: 1, imports: 2 } }

interface Repositories {
  small: BenchRepository
  large: BenchRepository
}
type Size = keyof Repositories

/** Sites that VitePress builds. With highlighted code, 12 GB of memory are not enough for the large one. */
const sites = [
  { size: 'small', highlights: true, rounds: 3 },
  { size: 'small', highlights: false, rounds: 3 },
  // A large build takes minutes, so it is measured once.
  { size: 'large', highlights: false, rounds: 1 },
] as const satisfies { size: Size; highlights: boolean; rounds: number }[]
type Site = (typeof sites)[number]
/** Median build times in milliseconds; empty if VitePress is not available, is disabled or fails. */
type Builds = ReadonlyMap<Site, number>

/** Times in milliseconds. */
interface Times {
  import: Record<Size, number[]>
  importOfChange: number[]
  exportOfEdit: number[]
  exportOfAll: number
}

/** CPU seconds of the server and its Git processes: of an import, and of the jobs after it (search, highlighted code). */
type CpuTimes = Record<Size, { import: number[]; after: number[] }>

interface Measured {
  times: Times
  cpu: CpuTimes
  /** Peak memory in megabytes after each step. */
  memory: { inARow: number; import: number; export: number; exportOfAll: number }
}

const seconds = (milliseconds: number): string => (milliseconds / 1e3).toFixed(1)

const megabytes = (name: string, value: number, goal = goals.memory): string[] => [
  name,
  value.toFixed(0),
  formatGoal(value, goal, ' MB'),
]

const source = findLargestFolder()
if (source) await compare(source)
else console.log('There is no corpus beside the checkout: there is nothing to import.')

async function compare({ name, files }: NonNullable<typeof source>): Promise<void> {
  const server = await startGitServer()
  const env = { ...serverEnv, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }
  // `npm run bench -- git cpu sqlite`
  const homes = process.argv[4] === 'sqlite' ? [makeSqliteHome(env)] : await makeHomes(env)
  try {
    // `npm run bench -- git cpu`
    if (process.argv[3] !== 'cpu') {
      const repositories = {
        small: makeRepository(server, name, files),
        large: makeRepository(server, 'large', multiply(files, largeSize)),
      }
      const builds = await buildAll(repositories)
      for (const home of homes) report(home, repositories, await measure(home, server, repositories), builds)
    }
    for (const home of homes) printCosts(home.engine, await measureCostsBySize(home, server), goals)
  } finally {
    for (const home of homes) await home.remove()
    server.close()
  }
}

async function buildAll(repositories: Repositories): Promise<Builds> {
  const builds = new Map<Site, number>()
  // `npm run bench -- git alone`
  if (process.argv[3] === 'alone') return builds
  if (!installVitePress()) {
    console.log('VitePress cannot be installed: nothing is compared with it.\n')
    return builds
  }
  for (const site of sites) {
    const time = await build(repositories[site.size], site)
    if (time !== undefined) builds.set(site, time)
  }
  return builds
}

async function build(
  { files, pages }: BenchRepository,
  { highlights, rounds: count }: Site,
): Promise<number | undefined> {
  const site = new VitePressSite(files, pages, { highlights })
  try {
    const times: number[] = []
    while (times.length < count) times.push(await site.build())
    return median(times)
  } catch (error) {
    console.log(`VitePress does not build ${pages.length} pages: ${String(error)}\n`)
    return undefined
  } finally {
    site.remove()
  }
}

/** Measures the CPU and the memory of imports of all real repositories together, in two sizes. */
async function measureCostsBySize(home: Home, server: GitServer): Promise<CostsBySize[]> {
  const { servers, imports } = rounds.cost
  const spaces = await seedSpaces(home, costSizes.length * servers * imports)
  const repositories = costSizes.map((size) =>
    makeRepository(server, `${home.engine}-${size}`, multiply(joinFolders(), size)),
  )
  return measureCosts(home, spaces, repositories, rounds.cost)
}

async function measure(home: Home, server: GitServer, repositories: Repositories): Promise<Measured> {
  const spaces = await seedSpaces(home, rounds.small + rounds.large + rounds.inARow + 2)
  const chance = seededRandom(1)
  const one = <T>(items: readonly T[]): T => items[randomInteger(chance, 0, items.length - 1)] as T
  const { small, large } = repositories

  const cpu: CpuTimes = { small: { import: [], after: [] }, large: { import: [], after: [] } }
  const times = await withServer(home, async (open, _, octavo) => {
    const importAll = async (space: GitSpace, size: Size): Promise<number> => {
      const cost = await measureImport(octavo, space, repositories[size])
      cpu[size].import.push(cost.import)
      cpu[size].after.push(cost.after)
      return cost.milliseconds
    }
    // The first import is a warm-up.
    await open(spaces).import(small)
    const measured: Omit<Times, 'exportOfAll'> = {
      import: { small: [], large: [] },
      importOfChange: [],
      exportOfEdit: [],
    }
    for (let round = 0; round < rounds.small; round++)
      measured.import.small.push(await importAll(open(spaces), 'small'))
    let space = open(spaces)
    for (let round = 0; round < rounds.large; round++) {
      if (round > 0) space = open(spaces)
      measured.import.large.push(await importAll(space, 'large'))
    }
    const pages = await space.pages()
    for (let round = 0; round < rounds.changes; round++) {
      const path = one(large.pages)
      large.commit({ [path]: `${Buffer.from(large.files[path] ?? []).toString()}\nChanged in round ${round}.\n` })
      measured.importOfChange.push(await space.import(large))
      await space.write(one(pages), createPageMarkdown(`round ${round}`))
      measured.exportOfEdit.push(await space.export(large))
    }
    return measured
  })

  const inARow = await withServer(home, async (open, peak, octavo) => {
    for (let round = 0; round < rounds.inARow; round++) {
      await open(spaces).import(small)
      await waitForIdleCpu(octavo)
    }
    return peak()
  })

  return withServer(home, async (open, peak) => {
    const space = open(spaces)
    await space.import(large)
    const memory = { inARow, import: await peak(), export: 0, exportOfAll: 0 }
    await space.write(one(await space.pages()), createPageMarkdown('memory'))
    await space.export(large)
    memory.export = await peak()
    const exportOfAll = await space.export(server.repository(`${home.engine}.git`))
    memory.exportOfAll = await peak()
    return { times: { ...times, exportOfAll }, cpu, memory }
  })
}

/** Creates empty spaces, each in a separate organization, because an organization stores equal content once. */
async function seedSpaces(home: Home, count: number): Promise<string[]> {
  await (await startOctavo(home.env)).stop()
  return withHomeDatabase(home, async (database) => {
    const ids: string[] = []
    while (ids.length < count) ids.push((await seedSpace(database, { adminEmail, title: 'Git', counts: [] })).id)
    return ids
  })
}

type Open = (spaces: string[]) => GitSpace

async function withServer<T>(
  { env }: Home,
  work: (open: Open, peak: () => Promise<number>, octavo: Octavo) => Promise<T>,
): Promise<T> {
  const octavo = await startOctavo(env)
  const caller = new ApiClient(octavo.url, adminToken)
  try {
    const open: Open = (spaces) => new GitSpace(caller, spaces.shift() as string)
    return await work(open, () => peakMemory(octavo), octavo)
  } finally {
    caller.close()
    await octavo.stop()
  }
}

function report(home: Home, repositories: Repositories, { times, cpu, memory }: Measured, builds: Builds): void {
  const { engine } = home
  const title = (size: Size) => `${repositories[size].pages.length.toLocaleString('en')} pages`
  const compared = (site: Site) => {
    const [imported, built] = [median(times.import[site.size]), builds.get(site)]
    const cells = [`${title(site.size)}, code ${site.highlights ? 'highlighted' : 'plain'}`, seconds(imported)]
    if (built === undefined) return [...cells, '', '', '']
    const part = imported / built
    return [...cells, seconds(built), `${part.toFixed(3)} x`, formatGoal(part, goals.ofBuild, ' x')]
  }
  printTable([
    [`${engine}: seconds`, 'import over HTTP', `VitePress ${wantedVersion()}`, 'import, of build', 'goal'],
    ...sites.map(compared),
  ])
  const whole = median(times.import.large)
  const row = (name: string, milliseconds: number, isJudged: boolean) => {
    const percent = (milliseconds / whole) * 100
    const goal = isJudged ? formatGoal(percent, goals.ofImport, ' %') : ''
    return [name, milliseconds.toFixed(0), `${percent.toFixed(1)} %`, goal]
  }
  printTable([
    [`${engine}: ${title('large')}`, 'ms', 'of import', 'goal'],
    row('import after one file has changed', median(times.importOfChange), true),
    row('export after one edit', median(times.exportOfEdit), true),
    row('export of everything into an empty repository', times.exportOfAll, false),
  ])
  const per1000 = (size: Size, all: readonly number[]) => (median(all) / repositories[size].pages.length) * 1000
  const cpuOf = (size: Size) => {
    const used = per1000(size, cpu[size].import)
    return [title(size), used.toFixed(1), formatGoal(used, goals.cpu, ' s'), per1000(size, cpu[size].after).toFixed(1)]
  }
  printTable([
    [`${engine}: seconds of CPU for 1,000 pages`, 'import', 'goal', 'search and highlighting after it'],
    cpuOf('small'),
    cpuOf('large'),
  ])
  printTable([
    [`${engine}: memory of the server, ${title('small')}`, 'MB', 'goal'],
    megabytes(`${rounds.inARow} imports in a row`, memory.inARow, goals.memoryInARow),
  ])
  printTable([
    [`${engine}: memory of the server, ${title('large')}`, 'MB', 'goal'],
    megabytes('import', memory.import),
    megabytes('and export after one edit', memory.export),
    megabytes('and export of everything', memory.exportOfAll),
  ])
  console.log(
    `Load of the machine in the last minutes: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}\n`,
  )
}
