import { expect, test } from 'vitest'
import { minutes, timestamp } from '../../src/kernel/time.ts'
import { emptySpace } from '../support/content.ts'
import { openDatabaseForTest, migratedHomeForTest } from '../support/home.ts'
import { readLiveOutline, webPage, withLoopback } from '../support/imports.ts'
import { startServerProcess } from '../support/process.ts'
import { engine, waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'
import { serveWebsite } from '../support/website-server.ts'

const list = '<ul><li><a href="/">Home</a></li><li><a href="/slow">Slow</a></li></ul>'
const never = new Promise<string>(() => undefined)

test('an import interrupted by SIGTERM and by kill -9 restarts and creates its pages once', async () => {
  const env = { ...(await migratedHomeForTest()), ...withLoopback }
  const slow = webPage('Slow', '<p>At last</p>', list)
  const { url, requestedPaths } = await serveWebsite({
    '/': webPage('Home', '<p>Here</p>', list),
    // Replies only to the third request.
    '/slow': (count) => (count < 3 ? never : slow),
  })
  const slowlyAsked = (times: number) =>
    waitUntil(
      async () => requestedPaths.filter((path) => path === '/slow').length === times,
      `the slow page is asked for ${times} times`,
    )

  const first = await startServerProcess(env)
  const api = first.api()
  const organizationId = await getOrganizationId(api)
  const spaceId = await emptySpace({ api, organizationId } as never)
  const before = await api.getCurrentRevision({ params: { spaceId } })
  const waiting = api.importContent({ params: { spaceId }, body: { url, source: 'website' } })
  await slowlyAsked(1)
  first.kill('SIGTERM')
  const reply = await waiting
  expect(reply.revision).toBe(before.id)
  expect(reply.importedResources).toBeLessThan(reply.totalResources)
  expect(await first.ended).toMatchObject({ exitCode: 0 })

  const second = await startServerProcess(env)
  await slowlyAsked(2)
  expect(await readLiveOutline({ api: second.api() }, spaceId)).toBe('')
  second.kill('SIGKILL')
  await second.ended

  // Expires the leases, which a new process in a cluster would have to wait for.
  if (engine === 'postgres') {
    const past = timestamp(Date.now() - minutes(1))
    await openDatabaseForTest(env).transaction((db) => db.updateTable('jobs').set({ lease_until: past }).execute())
  }
  const third = await startServerProcess(env)
  const runs = () => third.api().listImportRuns({ params: { organizationId } })
  await waitUntil(async () => (await runs()).items[0]?.status === 'completed', 'the import is done')
  expect(await readLiveOutline({ api: third.api() }, spaceId)).toBe('Home, Slow')
  const history = await third.api().listRevisions({ params: { spaceId } })
  expect(history.count).toBe(2)
})
