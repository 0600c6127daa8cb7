// Maximum response time of /healthz while one caller attacks: bodies, connections, Markdown, published pages, images
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type HeldConnection,
  emptyObjects,
  nestedLists,
  openHalfRequests,
  withholdEnd,
} from '../tests/support/hostile-requests.ts'
import { hostileRequests, pageOfFormulas, progressiveJpeg } from '../tests/support/hostile-sites.ts'
import { ApiClient } from './support/api-client.ts'
import { adminToken, serverEnv } from './support/environment.ts'
import { type Home, makeHomes } from './support/homes.ts'
import { startProbe } from './support/probe.ts'
import { formatGoal, printTable } from './support/report.ts'
import { type Octavo, startOctavo } from './support/server.ts'

/** Maximum response time of `/healthz` in milliseconds. */
const goal = 250

const megabyte = 1024 ** 2
/** Duration of each attack in milliseconds, unless it ends earlier. */
const attackTime = 5000
/** Number of concurrent requests of an attacker. */
const concurrency = 32

interface Target {
  octavo: Octavo
  spaceId: string
  /** URL of a published site of that space. */
  site: string
  /** URL of an image in that space. */
  picture: string
}

interface Attack {
  name: string
  run: (target: Target) => Promise<void>
}

const webhook = '/v1/spaces/unknown/git/webhook'

const attacks: readonly Attack[] = [
  { name: 'nothing', run: () => sleep(attackTime) },
  {
    name: '32 MB of empty objects, without a token',
    run: (target) => post(target, webhook, emptyObjects(32 * megabyte)),
  },
  { name: '8 MB of nested lists, without a token', run: (target) => post(target, webhook, nestedLists(8 * megabyte)) },
  { name: '31 MB of changes, by a member', run: (target) => edit(target, emptyObjects(31 * megabyte, 'changes')) },
  { name: '31 MB of nested lists, by a member', run: (target) => edit(target, nestedLists(31 * megabyte, 'changes')) },
  {
    name: '40 bodies of 32 MB whose last megabyte is withheld',
    run: ({ octavo }) =>
      holdOpen(
        Array.from({ length: 40 }, () =>
          withholdEnd(octavo.url, { path: webhook }, emptyObjects(32 * megabyte), megabyte),
        ),
      ),
  },
  { name: '2,000 half-open connections', run: ({ octavo }) => holdOpen([openHalfRequests(octavo.url, 2000)]) },
  ...['{% hint %}\n\n', 'a  \n', 'a@', '[', '<a ', '| a |\n| - |\n', '{% tabs %}{% tab %}\n'].map((piece) => ({
    name: `1 MB of ${JSON.stringify(piece)} as a page, by a member`,
    run: (target: Target) => edit(target, changesWith(piece.repeat(Math.floor((megabyte - 100) / piece.length)))),
  })),
  ...Object.entries(hostileRequests).map(([name, request]) => ({
    name: `a published site: ${name}`,
    run: (target: Target) =>
      flood((number) => {
        const { path, init } = request(number)
        return fetch(target.site + path, init)
      }),
  })),
  { name: 'a page of 25 matrix formulas', run: ({ site }) => flood((number) => fetch(`${site}formulas?x=${number}`)) },
  {
    name: 'pictures of 97 empty scans, in another width each time',
    run: ({ picture }) => flood((number) => fetch(`${picture}&width=${64 + (number % 1000)}`)),
  },
]

async function measure(home: Home): Promise<string[][]> {
  const octavo = await startOctavo({ ...home.env, OCTAVO_RATE_LIMIT: '6000' })
  try {
    const target = await prepare(octavo)
    const measured: string[][] = []
    for (const { name, run } of attacks) {
      const probe = await startProbe(octavo.url)
      await run(target)
      const { worst, median, failed } = await probe.stop()
      const figures = [`${Math.round(worst)} ms`, `${median.toFixed(1)} ms`, String(failed)]
      measured.push([`${home.engine}: ${name}`, ...figures, formatGoal(Math.round(worst), goal, ' ms')])
    }
    return measured
  } finally {
    await octavo.stop()
  }
}

/** Publishes a site with a few hundred pages, one of them full of formulas. */
async function prepare(octavo: Octavo): Promise<Target> {
  const api = new ApiClient(octavo.url, adminToken)
  const { items } = (await api.get('/orgs')).body as { items: { id: string }[] }
  const organization = `/orgs/${items[0]?.id}`
  const { id: spaceId } = (await api.post(`${organization}/spaces`, { title: 'Attacked', empty: true })).body as WithId
  const content = `/spaces/${spaceId}/content`
  for (let portion = 0; portion < 10; portion++) {
    const changes = Array.from({ length: 50 }, (_, index) => pageChange(`Page ${portion * 50 + index}`, paragraphs))
    await api.post(content, { changes })
  }
  const picture = Buffer.from(progressiveJpeg({ size: 2000, scans: 97 })).toString('base64')
  const files = [{ name: 'scans.jpg', contentType: 'image/jpeg', base64: picture }]
  const changes = [pageChange('Formulas', pageOfFormulas(25)), { operation: 'insert_files', files }]
  await api.post(content, { changes })
  const stored = (await api.get(`${content}/files`)).body as { items: { downloadURL: string }[] }
  const site = (await api.post(`${organization}/sites`, { title: 'Attacked', spaces: [spaceId] })).body as WithId
  const published = (await api.post(`${organization}/sites/${site.id}/publish`)).body as {
    urls: { published: string }
  }
  api.close()
  return { octavo, spaceId, site: published.urls.published, picture: stored.items[0]?.downloadURL ?? '' }
}

interface WithId {
  id: string
}

const paragraphs = Array.from({ length: 5 }, (_, index) => `## Part ${index}\n\nA page about words a b c d e.`).join(
  '\n\n',
)

const pageChange = (title: string, markdown: string) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${markdown}` },
})

const changesWith = (markdown: string): string => JSON.stringify({ changes: [pageChange('Attack', markdown)] })

async function post({ octavo }: Target, path: string, body: string, token?: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  // The server may reply to a rejected body before it is sent completely, which may close the connection.
  await fetch(octavo.url + path, { method: 'POST', headers, body }).catch(() => undefined)
}

const edit = (target: Target, body: string): Promise<void> =>
  post(target, `/v1/spaces/${target.spaceId}/content`, body, adminToken)

async function holdOpen(opening: readonly Promise<HeldConnection | HeldConnection[]>[]): Promise<void> {
  const held = (await Promise.all(opening)).flat()
  await sleep(attackTime)
  for (const connection of held) connection.destroy()
}

/** Sends concurrent requests until the time is over. */
async function flood(send: (number: number) => Promise<Response>): Promise<void> {
  const until = performance.now() + attackTime
  let number = 0
  const sendAll = async () => {
    while (performance.now() < until) {
      const reply = await send(number++).catch(() => undefined)
      await reply?.arrayBuffer().catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendAll))
}

for (const home of await makeHomes(serverEnv)) {
  try {
    printTable([['While one caller sends', 'worst /healthz', 'median', 'failed', 'goal'], ...(await measure(home))])
  } finally {
    await home.remove()
  }
}
