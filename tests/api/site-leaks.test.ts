import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeakChange, createLeakChanges } from '../support/leak-changes.ts'
import { type LeakRequest, createApiRequests, createSiteRequests } from '../support/leak-requests.ts'
import { LeakRunner, sample } from '../support/leak-runner.ts'
import { type VisitorSession, createVisitorSessions, namedVisitors } from '../support/leak-visitors.ts'
import { type LeakSite, type LeakWorld, makeLeakWorld } from '../support/leak-world.ts'
import { isLong } from '../support/long.ts'
import { seededRandom } from '../support/random.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { resolveUrl } from '../support/visits.ts'

// Every visitor requests everything in every output; no reply may contain a word that is hidden from them.

const chance = seededRandom(2026)
/** Share of all possible requests that is sent, because sending all of them would take minutes. */
const share = isLong ? 0.1 : 0.06
const least = isLong ? 3500 : 2400
/** Share of the visible words that the requests must show to somebody. */
const leastSeen = 0.8

let octavo: TestServer
let world: LeakWorld
let runner: LeakRunner
let visits: { site: LeakSite; guest: VisitorSession }[]
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeLeakWorld(octavo, 1, namedVisitors)
  runner = new LeakRunner(octavo.url, world)
  visits = []
  for (const site of world.sites) {
    for (const guest of await createVisitorSessions(octavo, world, site)) visits.push({ site, guest })
  }
}, 300_000)
afterAll(async () => {
  runner?.stop()
  await octavo.stop()
})

const asked = (of: typeof visits): LeakRequest[] =>
  of.flatMap(({ site, guest }) => createSiteRequests(site, guest, world.secrets, chance))

test('no reply contains content that is hidden from the visitor', { timeout: 300_000 }, async () => {
  const requests = sample(asked(visits), share, chance)
  await runner.run(requests, chance)
  // The second run is served from the cache in another order, because a cached reply could be sent to another
  // visitor.
  await runner.run(sample(requests, 0.5, chance), chance)
  expect(runner.problems).toEqual([])
})

test('visit tokens give no access to hidden content through the API', { timeout: 300_000 }, async () => {
  const requests: LeakRequest[] = []
  for (const { site, guest } of visits) {
    const url = `${octavo.url}${site.base}${guest.prefix}${guest.query}`
    const shown = await resolveUrl(octavo, url, guest.lookupVisitor).catch(() => undefined)
    if (shown && 'apiToken' in shown) requests.push(...createApiRequests(site, guest, shown.apiToken))
  }
  await runner.run(sample(requests, share, chance), chance)
  expect(runner.problems).toEqual([])
})

test(
  'the first replies after a change contain nothing that is hidden from the visitor',
  { timeout: 300_000 },
  async () => {
    const look = async ({ affects }: LeakChange) => {
      const requests = asked(visits.filter(({ site }) => affects === 'all' || site.key === affects))
      await runner.run(sample(requests, (isLong ? 60 : 40) / requests.length, chance), chance)
    }
    for (const change of createLeakChanges(world, visits)) {
      await look(change)
      await change.make()
      await look(change)
      expect([change.name, runner.problems]).toEqual([change.name, []])
    }
    expect(runner.count).toBeGreaterThan(least)
    // Secret words that no visitor ever sees would make the test meaningless.
    expect(runner.seenShare).toBeGreaterThan(leastSeen)
  },
)
