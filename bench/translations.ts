// Translating 10,000 pages, and translating them again after one block was changed
import { setTimeout as sleep } from 'node:timers/promises'
import { Draft } from '../src/content/revision/draft.ts'
import { type Objects, emptyRoot } from '../src/content/revision/objects.ts'
import { parseStandaloneDocument } from '../src/domain/documents/document-body.ts'
import { newId } from '../src/kernel/ids.ts'
import { timestamp } from '../src/kernel/time.ts'
import { ApiClient } from './support/api-client.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type Home, makeHomes, withHomeDatabase } from './support/homes.ts'
import { waitForJobs } from './support/jobs.ts'
import { type ProbeResult, startProbe } from './support/probe.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { createPageMarkdown, seedContent } from './support/seed-space.ts'
import { type Octavo, peakMemory, startOctavo } from './support/server.ts'
import { type CountingEngine, startCountingEngine } from './support/translation-engine.ts'

/** Share of the first run that a later one may take, in percent; slowest reply of `/healthz` in milliseconds. */
const goals = { share: 1, health: 250 }
const groupCount = 100
const pagesPerGroup = 99
const rounds = 3

interface Sample extends ProbeResult {
  milliseconds: number
  requests: number
  texts: number
}

interface SeededPages {
  id: string
  organizationId: string
  pages: string[]
}

const markdownOf = (page: number, version: number) =>
  `${createPageMarkdown(`part ${page}`)}\n\nThis is version ${version} of the text about part ${page}.`

/** Writes pages whose texts are all different. */
async function writePages(objects: Objects): Promise<{ rootHash: string; pages: string[] }> {
  const draft = new Draft({ objects, root: emptyRoot })
  const now = timestamp(Date.now())
  const pages: string[] = []
  const insert = async (parent: string | null): Promise<string> => {
    const [id, number] = [newId(), pages.length]
    const parsed = parseStandaloneDocument({ markdown: markdownOf(number, 0) }, 'text')
    const document = objects.write({ kind: 'document', document: parsed })
    const body = { title: `Page ${number}`, document, createdAt: now, updatedAt: now }
    await draft.insertPage({ id, type: 'document', slug: `page-${number}`, body }, { into: parent })
    pages.push(id)
    return id
  }
  for (let group = 0; group < groupCount; group++) {
    const parent = await insert(null)
    for (let page = 0; page < pagesPerGroup; page++) await insert(parent)
  }
  return { rootHash: await draft.commit(), pages }
}

/** Runs a translation and waits until it has ended. */
async function measureRun(octavo: Octavo, engine: CountingEngine, path: string, start: () => Promise<unknown>) {
  await waitForJobs(octavo)
  const api = new ApiClient(octavo.url, adminToken)
  const probe = await startProbe(octavo.url)
  const started = performance.now()
  try {
    const created = (await start()) as { id?: string } | undefined
    const translation = created?.id === undefined ? path : `${path}/${created.id}`
    for (;;) {
      const { status, failure } = (await api.get(translation)).body as { status: string; failure?: string }
      if (failure !== undefined) throw new Error(failure)
      if (status === 'completed') break
      await sleep(10)
    }
    const milliseconds = performance.now() - started
    return { translation, sample: { milliseconds, ...engine.takeCounts(), ...(await probe.stop()) } }
  } finally {
    api.close()
  }
}

async function measure(home: Home): Promise<{ first: Sample; later: Sample[]; memory: number; pageCount: number }> {
  const engine = await startCountingEngine()
  const starting = await startOctavo(home.env)
  await starting.stop()
  const seeded = await withHomeDatabase(home, (database) =>
    seedContent(database, { adminEmail, title: 'Translated' }, writePages),
  )
  const octavo = await startOctavo({
    ...home.env,
    OCTAVO_TRANSLATION: 'deepl',
    OCTAVO_TRANSLATION_URL: engine.url,
    OCTAVO_TRANSLATION_KEY: 'key',
  })
  try {
    return { ...(await measureRuns(octavo, engine, seeded)), pageCount: seeded.pages.length }
  } finally {
    await octavo.stop()
    await engine.stop()
  }
}

async function measureRuns(octavo: Octavo, engine: CountingEngine, { id, organizationId, pages }: SeededPages) {
  const api = new ApiClient(octavo.url, adminToken)
  const path = `/orgs/${organizationId}/translations`
  const source = { space: id, language: 'en' }
  const { translation, sample: first } = await measureRun(
    octavo,
    engine,
    path,
    async () => (await api.post(path, { language: 'fr', source })).body,
  )
  const later: Sample[] = []
  for (let round = 1; round <= rounds; round++) {
    const page = round * 1000
    const document = { markdown: markdownOf(page, round) }
    await api.post(`/spaces/${id}/content`, { changes: [{ operation: 'update_page', page: pages[page], document }] })
    const { sample } = await measureRun(octavo, engine, translation, () => api.post(`${translation}/run`))
    later.push(sample)
  }
  api.close()
  return { first, later, memory: await peakMemory(octavo) }
}

const row = (name: string, { requests, texts, worst }: Sample, milliseconds: number, goal = '') => [
  name,
  `${(milliseconds / 1000).toFixed(2)} s`,
  String(texts),
  String(requests),
  `${Math.round(worst)} ms, ${formatGoal(Math.round(worst), goals.health, ' ms')}`,
  goal,
]

for (const home of await makeHomes(serverEnv)) {
  try {
    const { first, later, memory, pageCount } = await measure(home)
    const time = median(later.map(({ milliseconds }) => milliseconds))
    const share = (100 * time) / first.milliseconds
    const worst = later.reduce((slowest, sample) => (sample.worst > slowest.worst ? sample : slowest))
    printTable([
      [`${home.engine}: ${pageCount} pages`, 'time', 'texts sent', 'requests', 'slowest /healthz', 'of the first run'],
      row('first run', first, first.milliseconds),
      row(
        'run after one block has changed',
        worst,
        time,
        `${share.toFixed(2)} %, ${formatGoal(share, goals.share, ' %')}`,
      ),
    ])
    console.log(`Peak memory: ${Math.round(memory)} MB\n`)
  } finally {
    await home.remove()
  }
}
