// Merging 500 changed pages with 500 changed pages, and listing and resolving 500 conflicts
import { ApiClient } from './support/api-client.ts'
import { adminToken, serverEnv } from './support/environment.ts'
import { type Home, makeHomes } from './support/homes.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { startOctavo } from './support/server.ts'

const goals = { merge: 1000, list: 50 }
const pageCount = 500
const rounds = 5

interface Times {
  merge: number[]
  conflicts: number[]
  list: number[]
  decide: number[]
}

interface WithId {
  id: string
}

const createMarkdown = (first: string, last: string) =>
  [first, ...Array.from({ length: 10 }, (_, index) => `Paragraph ${index} of a page.`), last].join('\n\n')

async function measure({ env }: Home): Promise<Times> {
  const octavo = await startOctavo(env)
  const api = new ApiClient(octavo.url, adminToken)
  try {
    const { items } = (await api.get('/orgs')).body as { items: WithId[] }
    const space = (await api.post(`/orgs/${items[0]?.id}/spaces`, { title: 'Merged', empty: true })).body as WithId
    const path = `/spaces/${space.id}`
    const inserted = Array.from({ length: pageCount }, (_, index) => ({
      operation: 'insert_page',
      document: { markdown: `# Page ${index}\n\n${createMarkdown('First.', 'Last.')}` },
    }))
    const pages = await edit(api, path, inserted)
    const times: Times = { merge: [], conflicts: [], list: [], decide: [] }
    for (let round = 0; round <= rounds; round++) {
      const sample = await measureRound(api, path, pages, round)
      // The first round is a warm-up.
      if (round === 0) continue
      for (const name of Object.keys(times) as (keyof Times)[]) times[name].push(sample[name])
    }
    return times
  } finally {
    api.close()
    await octavo.stop()
  }
}

/** Applies changes in batches of the maximum size of a request; returns the ids of the pages. */
async function edit(api: ApiClient, path: string, changes: readonly object[]): Promise<string[]> {
  const pages: string[] = []
  for (let start = 0; start < changes.length; start += 50) {
    const { body } = await api.post(`${path}/content?compat=false`, { changes: changes.slice(start, start + 50) })
    pages.push(...(body as { changes: { page: WithId }[] }).changes.map(({ page }) => page.id))
  }
  return pages
}

async function measureRound(api: ApiClient, path: string, pages: readonly string[], round: number) {
  const write = (first: string, last: string) =>
    pages.map((page) => ({ operation: 'update_page', page, document: { markdown: createMarkdown(first, last) } }))
  const propose = async (changes: readonly object[]) => {
    const { id } = (await api.post(`${path}/change-requests`)).body as WithId
    await edit(api, `${path}/change-requests/${id}`, changes)
    return `${path}/change-requests/${id}`
  }
  await edit(api, path, write('First.', 'Last.'))
  const nonConflicting = await propose(write(`First of ours ${round}.`, 'Last.'))
  await edit(api, path, write('First.', `Last of theirs ${round}.`))
  const merge = await measureMerge(api, nonConflicting, 'merge')
  const conflicting = await propose(write(`Ours ${round}.`, 'Last.'))
  await edit(api, path, write(`Theirs ${round}.`, 'Last.'))
  const conflicts = await measureMerge(api, conflicting, 'conflicts')
  const list = await api.get(`${conflicting}/conflicts?status=open&limit=200`)
  if ((list.body as { items: unknown[] }).items.length !== 200) throw new Error('There are not 200 conflicts')
  const decide = await api.post(`${conflicting}/conflicts`, { side: 'theirs' })
  await measureMerge(api, conflicting, 'merge')
  return { merge, conflicts, list: list.milliseconds, decide: decide.milliseconds }
}

async function measureMerge(api: ApiClient, request: string, expected: string): Promise<number> {
  const { milliseconds, body } = await api.post(`${request}/merge`)
  const { result } = body as { result: string }
  if (result !== expected) throw new Error(`The result of a merge is ${result} instead of ${expected}`)
  return milliseconds
}

const row = (name: string, values: readonly number[], goal?: number) => [
  name,
  median(values).toFixed(0),
  Math.max(...values).toFixed(0),
  goal === undefined ? '' : formatGoal(Math.round(median(values)), goal, ' ms'),
]

for (const home of await makeHomes(serverEnv)) {
  try {
    const times = await measure(home)
    printTable([
      [`${home.engine}: ${pageCount} pages changed on both sides`, 'ms, median', 'most', 'goal'],
      row('merged, each in another paragraph', times.merge, goals.merge),
      row('refused, each in the same sentence', times.conflicts, goals.merge),
      row('list of 200 of these conflicts', times.list, goals.list),
      row('decision of all', times.decide),
    ])
  } finally {
    await home.remove()
  }
}
