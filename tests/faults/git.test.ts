import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { minutes, timestamp } from '../../src/kernel/time.ts'
import { startSchedulerRole, startWorkerRole } from '../../src/server/server.ts'
import { startServer } from '../../src/server/server.ts'
import { testOn } from '../support/engine.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import { waitForGitOperations, holdReplies, isPush, mainBranch, manualFiles } from '../support/git.ts'
import { type TestRepository, gitServerForTest } from '../support/git-server.ts'
import { openDatabaseForTest, migratedHomeForTest, silentLog } from '../support/home.ts'
import { type ServerProcess, startServerProcess } from '../support/process.ts'
import { serverForTest, waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

/** Starts a server that a test can kill and start again on the same data. */
async function killable() {
  const env = { ...(await migratedHomeForTest()), OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }
  const database = openDatabaseForTest(env)
  let server: ServerProcess = await startServerProcess(env)
  const api = (): Client => server.api()
  const organizationId = await getOrganizationId(api())
  const { id: spaceId } = await api().createSpace({ params: { organizationId }, body: { title: 'Space', empty: true } })
  return {
    env,
    database,
    spaceId,
    api,
    end: () => waitForGitOperations({ api: api() }, spaceId),
    import: ({ url }: TestRepository) =>
      api().importGitRepository({ params: { spaceId }, body: { url, ref: mainBranch } }),
    export: ({ url }: TestRepository) =>
      api().exportToGitRepository({ params: { spaceId }, body: { url, ref: mainBranch, commitMessage: 'Export' } }),
    operations: async () =>
      (await api().listSpaceGitOperations({ params: { spaceId }, query: {} })).items.map(
        ({ direction, state }) => `${direction} ${state}`,
      ),
    async die(): Promise<void> {
      server.kill('SIGKILL')
      await server.ended
    },
    async liveAgain(): Promise<void> {
      // Expires the leases, which a new process in a cluster would have to wait for.
      const past = timestamp(Date.now() - minutes(1))
      await database.transaction((db) =>
        db.updateTable('jobs').set({ lease_until: past }).where('state', '=', 'running').execute(),
      )
      server = await startServerProcess(env)
    },
  }
}

test('an import or export interrupted by kill -9 is executed exactly once', async () => {
  const host = await gitServerForTest()
  const repository = host.repository('manual')
  repository.commit(manualFiles)
  const life = await killable()
  const { spaceId } = life
  const params = { spaceId }

  const duringImport = holdReplies(host, ({ url }) => url?.endsWith('/git-upload-pack') === true)
  await life.import(repository)
  await waitUntil(async () => duringImport.heldCount() > 0, 'files are asked for')
  await life.die()
  duringImport.release()
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: repository.tip() })
  const { pages } = await life.api().listPages({ params })
  expect(pages.map(({ title }) => title)).toEqual(['Home', 'Guide'])
  const { id: home } = await life.api().getPageByPath({ params: { ...params, pagePath: 'readme' }, query: {} })

  // The process is killed before the push reaches the repository.
  await editLive({ api: life.api() }, spaceId, writePage(home, '# Home\n\nEdited here.\n'))
  let begun = 0
  host.options.intercept = (request) => isPush(request) && ++begun > 0
  await life.export(repository)
  await waitUntil(async () => begun > 0, 'the push has begun')
  await life.die()
  delete host.options.intercept
  repository.commit({ 'guide/install.md': '# Install\n\nPushed meanwhile.\n' }, { message: 'Meanwhile' })
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(repository.log()).toEqual(['Export', 'Meanwhile', 'Change'])
  expect(repository.read('README.md')).toBe('# Home\n\nEdited here.\n')
  expect(repository.read('guide/install.md')).toBe('# Install\n\nPushed meanwhile.\n')

  // The process is killed after the push reached the repository but before it received the reply.
  await editLive({ api: life.api() }, spaceId, writePage(home, '# Home\n\nEdited again.\n'))
  const afterPush = holdReplies(host, isPush)
  const before = repository.tip()
  await life.export(repository)
  await waitUntil(async () => repository.tip() !== before, 'the push has arrived')
  await life.die()
  afterPush.release()
  const pushed = repository.tip()
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: pushed })
  expect(repository.tip()).toBe(pushed)
  const revision = (await life.api().getSpaceById({ params })).revision
  await life.import(repository)
  expect(await life.end()).toMatchObject({ state: 'success', commit: pushed })
  expect((await life.api().getSpaceById({ params })).revision).toBe(revision)
  expect((await life.api().getSpaceGitInfo({ params })).commit).toBe(pushed)
  expect((await life.api().getCurrentRevision({ params })).git?.oid).toBe(pushed)
  expect(await life.operations()).toEqual(['import success', 'export success', 'export success', 'import success'])
})

test('an export killed after its push creates one commit, also with edits and pushes in between', async () => {
  const host = await gitServerForTest()
  const repository = host.repository('manual')
  const life = await killable()
  const { spaceId } = life
  const params = { spaceId }
  const messages = () => repository.git(['log', '--format=%s', 'main']).trim().split('\n')
  /** Edits the space after the push of an export was received, and kills the server before it receives the reply. */
  const killAfterPush = async (meanwhile: string) => {
    const held = holdReplies(host, isPush)
    const before = repository.tip()
    await life.export(repository)
    await waitUntil(async () => repository.tip() !== before, 'the push has arrived')
    await editLive({ api: life.api() }, spaceId, insertPage(`# ${meanwhile}\n`))
    await life.die()
    held.release()
    return repository.tip()
  }

  await editLive({ api: life.api() }, spaceId, insertPage('# First\n'))
  const created = await killAfterPush('Second')
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: created })
  expect(messages()).toEqual(['Export'])
  expect((await life.api().getSpaceGitInfo({ params })).commit).toBe(created)

  // A commit is pushed on top before the server starts again.
  const pushed = await killAfterPush('Third')
  repository.commit({ 'first.md': '# First\n\nPushed.\n' }, { message: 'Pushed' })
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: pushed })
  expect(messages()).toEqual(['Pushed', 'Export', 'Export'])

  // Edits made during an export belong to the next export.
  await life.api().updateSpaceGitInfo({ params, body: { exportAfterMerge: true } })
  await killAfterPush('Fourth')
  await life.liveAgain()
  expect(await life.end()).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(messages()).toEqual(['Changes made in Octavo', 'Export', 'Pushed', 'Export', 'Export'])
  const added = (commit: string) =>
    repository.git(['diff', '--name-only', '--diff-filter=A', `${commit}^`, commit]).trim()
  expect([added('main~1'), added('main')]).toEqual(['third.md', 'fourth.md'])
  expect(await life.operations()).toEqual(Array.from({ length: 4 }, () => 'export success'))
})

test('an operation that repeatedly crashes its process fails eventually, and the next one runs', async () => {
  const octavo = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', ROLES: 'api' })
  const host = await gitServerForTest()
  const repository = host.repository('manual')
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const body = { url: repository.url.replace('://', '://ada:swordfish-7@'), ref: mainBranch }
  await octavo.admin.api.importGitRepository({ params, body })
  await octavo.admin.api.importGitRepository({ params, body })
  // The state that crashed processes leave: a running operation and a dead job.
  const { database } = octavo.server.app
  const [first] = await octavo.admin.api
    .listSpaceGitOperations({ params, query: {} })
    .then(({ items }) => items.toReversed())
  await database.transaction(async (db) => {
    await db
      .updateTable('git_operations')
      .set({ state: 'running', attempts: 4, started_at: timestamp(0) })
      .where('id', '=', first?.id ?? '')
      .execute()
    await db.updateTable('jobs').set({ state: 'dead', attempts: 5 }).where('name', '=', 'git.sync').execute()
    await db
      .insertInto('schedules')
      .values({ name: 'git.sweep', next_at: timestamp(0) })
      .execute()
  })
  const roles = [startWorkerRole(octavo.server.app), startSchedulerRole(octavo.server.app)]
  onTestFinished(async () => void (await Promise.all(roles.map((role) => role.stop()))))
  await waitForGitOperations(octavo.admin, spaceId)
  const { items } = await octavo.admin.api.listSpaceGitOperations({ params, query: {} })
  expect(items).toMatchObject([
    { state: 'success', commit: repository.tip() },
    { state: 'failure', error: 'The operation was interrupted by restarts of the server too many times' },
  ])
  const rows = await database.reader.selectFrom('git_operations').select('credentials').execute()
  expect(rows).toEqual([{ credentials: null }, { credentials: null }])
})

test('stopping a server returns its operation to the queue without counting the attempt', async () => {
  const octavo = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', ROLES: 'api' })
  const host = await gitServerForTest()
  const repository = host.repository('manual')
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const { app } = octavo.server
  const held = holdReplies(host, () => true)
  const first = startWorkerRole(app)
  await octavo.admin.api.importGitRepository({ params: { spaceId }, body: { url: repository.url, ref: mainBranch } })
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  await first.stop()
  held.release()
  const operation = () => app.database.reader.selectFrom('git_operations').selectAll().executeTakeFirst()
  expect(await operation()).toMatchObject({ state: 'running', attempts: 0, ended_at: null })
  const second = startWorkerRole(app)
  onTestFinished(() => second.stop())
  expect(await waitForGitOperations(octavo.admin, spaceId)).toMatchObject({ state: 'success' })
})

// Only PostgreSQL can be shared by several servers.
testOn('postgres')('two servers never run Git operations of the same space concurrently', async () => {
  const octavo = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const dataFolder = mkdtempSync(join(tmpdir(), 'octavo-second-'))
  const config = { ...octavo.server.app.config, dataFolder, roles: new Set(['worker'] as const) }
  const second = await startServer(config, { clock: octavo.clock.now, jobInterval: 20, log: silentLog })
  onTestFinished(async () => {
    await second.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const host = await gitServerForTest()
  const busy = new Map<string, number>()
  let most = 0
  host.options.intercept = ({ url = '' }, reply) => {
    const name = url.split('/')[1] ?? ''
    busy.set(name, (busy.get(name) ?? 0) + 1)
    most = Math.max(most, busy.get(name) ?? 0)
    reply.on('close', () => busy.set(name, (busy.get(name) ?? 0) - 1))
    return false
  }
  const work = async (name: string) => {
    const repository = host.repository(name)
    repository.commit(manualFiles)
    const spaceId = await emptySpace(octavo.admin)
    const body = { url: repository.url, ref: mainBranch }
    for (let round = 0; round < 3; round++) {
      await octavo.admin.api.importGitRepository({ params: { spaceId }, body })
      await editLive(octavo.admin, spaceId, insertPage(`# Round ${round}\n`))
      await octavo.admin.api.exportToGitRepository({ params: { spaceId }, body: { ...body, commitMessage: 'Round' } })
    }
    await waitForGitOperations(octavo.admin, spaceId)
    const { items } = await octavo.admin.api.listSpaceGitOperations({ params: { spaceId }, query: {} })
    return items.map(({ state }) => state)
  }
  const states = await Promise.all(['one', 'two'].map(work))
  expect(states.flat()).toEqual(Array.from({ length: 12 }, () => 'success'))
  expect(most).toBe(1)
})
