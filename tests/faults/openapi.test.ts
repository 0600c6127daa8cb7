import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { minutes, timestamp } from '../../src/kernel/time.ts'
import { migratedHomeForTest, openDatabaseForTest } from '../support/home.ts'
import { withLoopback } from '../support/imports.ts'
import { petSpec, putSpec, waitForSpec } from '../support/openapi.ts'
import { type ServerProcess, startServerProcess } from '../support/process.ts'
import { engine, waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'
import { serveWebsite } from '../support/website-server.ts'

const never = new Promise<string>(() => undefined)

const readTitle = async (api: Client, organizationId: string) => {
  const params = { organizationId, specSlug: 'pets' }
  const { filesystem } = await api.getLatestOpenApiSpecVersionContent({ params })
  const info = filesystem[0]?.specification['info'] as { title: string } | undefined
  return info?.title
}

/** Kills a server, and expires the leases of its jobs, which a new process in a cluster would have to wait for. */
async function kill(server: ServerProcess, env: Record<string, string>): Promise<void> {
  server.kill('SIGKILL')
  await server.ended
  if (engine !== 'postgres') return
  const past = timestamp(Date.now() - minutes(1))
  await openDatabaseForTest(env).transaction((db) => db.updateTable('jobs').set({ lease_until: past }).execute())
}

test('processing that kill -9 interrupts starts again, and the version before it remains in use', async () => {
  const env = { ...(await migratedHomeForTest()), ...withLoopback }
  const website = await serveWebsite({
    '/openapi.json': JSON.stringify(petSpec('Fetched', { components: { schemas: { Pet: { $ref: 'pet.json' } } } })),
    // Replies only to the third request.
    '/pet.json': (count) => (count < 3 ? never : '{"type": "object"}'),
  })
  const isRequested = (times: number) =>
    waitUntil(
      async () => website.requestedPaths.filter((path) => path === '/pet.json').length === times,
      `the file is requested ${times} times`,
    )

  const first = await startServerProcess(env)
  const organizationId = await getOrganizationId(first.api())
  const params = { organizationId, specSlug: 'pets' }
  const before = await putSpec({ api: first.api(), organizationId }, 'pets', {
    text: JSON.stringify(petSpec('Before')),
  })
  const source = { url: `${website.url}/openapi.json` }
  await first.api().createOrUpdateOpenApiSpecBySlug({ params, body: { source } })
  await isRequested(1)
  await kill(first, env)

  const second = await startServerProcess(env)
  await isRequested(2)
  expect(await second.api().getOpenApiSpecBySlug({ params })).toMatchObject({
    processingState: 'progress',
    lastVersion: before.lastVersion,
  })
  expect(await readTitle(second.api(), organizationId)).toBe('Before')
  await kill(second, env)

  const third = await startServerProcess(env)
  const after = await waitForSpec({ api: third.api(), organizationId }, 'pets')
  expect(after).toMatchObject({ lastProcessedErrorCount: 0, sourceURL: source.url })
  expect(await readTitle(third.api(), organizationId)).toBe('Fetched')
  const versions = await third.api().listOpenApiSpecVersions({ params })
  expect(versions.items.map(({ id }) => id)).toEqual([after.lastVersion, before.lastVersion])
})

test('a large text that a worker thread was processing is processed after the next start', async () => {
  const env = await migratedHomeForTest()
  const first = await startServerProcess(env)
  const organizationId = await getOrganizationId(first.api())
  const params = { organizationId, specSlug: 'pets' }
  const paths = Object.fromEntries(
    Array.from({ length: 60_000 }, (_, index) => [
      `/pets/${index}`,
      { get: { responses: { 200: { description: '' } } } },
    ]),
  )
  const source = { text: JSON.stringify({ ...petSpec('Large'), openapi: '3.0.0', paths }) }
  await first.api().createOrUpdateOpenApiSpecBySlug({ params, body: { source } })
  const isInProgress = async () => (await first.api().getOpenApiSpecBySlug({ params })).processingState === 'progress'
  await waitUntil(isInProgress, 'the text is processed')
  await kill(first, env)

  const second = await startServerProcess(env)
  const spec = await waitForSpec({ api: second.api(), organizationId }, 'pets')
  expect(spec).toMatchObject({ lastProcessedErrorCount: 0, lastVersion: expect.any(String) })
  expect(await readTitle(second.api(), organizationId)).toBe('Large')
  expect((await second.api().listOpenApiSpecVersions({ params })).count).toBe(1)
})
