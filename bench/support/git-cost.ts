import { setTimeout as sleep } from 'node:timers/promises'
import { ApiClient } from './api-client.ts'
import { adminToken } from './environment.ts'
import type { BenchRepository } from './git-repositories.ts'
import { GitSpace } from './git-space.ts'
import type { Home } from './homes.ts'
import { waitForJobs } from './jobs.ts'
import { formatGoal, median, printTable } from './report.ts'
import { type CpuParts, type Octavo, cpuByPart, cpuSeconds, peakMemory, startOctavo } from './server.ts'

/** CPU seconds of an import and of the jobs after it, and the peak memory of the server in megabytes since its start. */
export interface ImportCost {
  import: number
  /** The parts of `import`; undefined if the system does not provide them. */
  parts: CpuParts | undefined
  after: number
  memory: number
}

/** Costs of imports into a server that has just started, each followed by imports of the same pages into other spaces. */
export interface CostsBySize {
  repository: BenchRepository
  first: ImportCost[]
  repeated: ImportCost[]
}

/** Maximum number of checks whether a server is idle: one that is never idle is measured as it is. */
const maxIdleChecks = 100

/** Returns the CPU seconds that a server has used when it is idle and has no jobs. */
export async function waitForIdleCpu(octavo: Octavo): Promise<number> {
  // On a busy machine a server can use little CPU although it has work to do.
  await waitForJobs(octavo)
  let used = await cpuSeconds(octavo)
  for (let calm = 0, checks = 0; calm < 4 && checks < maxIdleChecks; checks++) {
    await sleep(400)
    const now = await cpuSeconds(octavo)
    calm = now - used < 0.05 ? calm + 1 : 0
    used = now
  }
  return used
}

/** Imports a repository into a space and measures what it costs. */
export async function measureImport(
  octavo: Octavo,
  space: GitSpace,
  repository: BenchRepository,
): Promise<ImportCost & { milliseconds: number }> {
  const before = await waitForIdleCpu(octavo)
  const partsBefore = cpuByPart(octavo)
  const milliseconds = await space.import(repository)
  const imported = await cpuSeconds(octavo)
  const partsAfter = cpuByPart(octavo)
  const after = (await waitForIdleCpu(octavo)) - imported
  const parts = partsBefore && partsAfter && subtract(partsAfter, partsBefore)
  return { milliseconds, import: imported - before, parts, after, memory: await peakMemory(octavo) }
}

const subtract = (a: CpuParts, b: CpuParts): CpuParts => ({
  mainThread: a.mainThread - b.mainThread,
  otherThreads: a.otherThreads - b.otherThreads,
  processes: a.processes - b.processes,
})

/** Measures imports of repositories, each in servers of its own; `spaces` are the ids of empty spaces. */
export async function measureCosts(
  { env }: Home,
  spaces: string[],
  repositories: readonly BenchRepository[],
  rounds: { servers: number; imports: number },
): Promise<CostsBySize[]> {
  const costs = repositories.map((repository): CostsBySize => ({ repository, first: [], repeated: [] }))
  for (let round = 0; round < rounds.servers; round++) {
    for (const { repository, first, repeated } of costs) {
      console.log(`Importing ${repository.pages.length} pages ${rounds.imports} times into a new server…`)
      const octavo = await startOctavo(env)
      const caller = new ApiClient(octavo.url, adminToken)
      const measureNext = () => measureImport(octavo, new GitSpace(caller, spaces.shift() as string), repository)
      try {
        first.push(await measureNext())
        for (let index = 1; index < rounds.imports; index++) repeated.push(await measureNext())
      } finally {
        caller.close()
        await octavo.stop()
      }
    }
  }
  return costs
}

/** Prints the cost of imports of two sizes, divided into what each import costs and what each page costs. */
export function printCosts(engine: string, costs: readonly CostsBySize[], goal: { cpu: number }): void {
  const titles = costs.map(({ repository }) => `${repository.pages.length.toLocaleString('en')} pages`)
  const row = (name: string, costOf: (cost: ImportCost) => number | undefined, isJudged = false): string[] => {
    const medianOf = (all: readonly ImportCost[]) => median(all.map((cost) => costOf(cost) ?? Number.NaN))
    const [small, large] = costs as [CostsBySize, CostsBySize]
    const [firsts, repeats] = [
      costs.map(({ first }) => medianOf(first)),
      costs.map(({ repeated }) => medianOf(repeated)),
    ]
    const pages = large.repository.pages.length - small.repository.pages.length
    const perPage = ((repeats[1] ?? 0) - (repeats[0] ?? 0)) / pages
    const fixed = (firsts[0] ?? 0) - perPage * small.repository.pages.length
    const cells = [...firsts, ...repeats, fixed, perPage * 1000].map((value) => value.toFixed(2))
    return [name, ...cells, isJudged ? formatGoal(perPage * 1000, goal.cpu, ' s') : '']
  }
  printTable([
    [
      `${engine}: seconds of CPU`,
      ...titles.map((title) => `${title}, first`),
      ...titles.map((title) => `${title}, again`),
      'of a first import',
      'per 1,000 pages',
      'goal',
    ],
    row('import', (cost) => cost.import, true),
    row('  main thread', (cost) => cost.parts?.mainThread),
    row('  other threads', (cost) => cost.parts?.otherThreads),
    row('  Git processes', (cost) => cost.parts?.processes),
    row('search, links and highlighting after it', (cost) => cost.after),
  ])
  printTable([
    [`${engine}: peak memory of the server in MB`, 'first', 'all imports'],
    ...costs.map(({ first, repeated }, index) => [titles[index] ?? '', memory(first), memory(repeated)]),
  ])
}

const memory = (all: readonly ImportCost[]): string => median(all.map((cost) => cost.memory)).toFixed(0)
