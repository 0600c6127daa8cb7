import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { databaseFile } from '../../src/server/stores.ts'
import { readConfig } from '../../src/server/config.ts'
import type { Role } from '../../src/contract/roles.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { type Server, type ServerOptions, startServer } from '../../src/server/server.ts'
import { createToken, createUser } from '../../src/domain/users/accounts.ts'
import { databaseUrl, runSql, templateDatabase } from './postgres-databases.ts'
import { shortManual } from './short-manual.ts'
import { sqliteTemplate } from './sqlite-template.ts'

export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

/** Clock that tests control; otherwise it only advances by one millisecond per call. */
export class TestClock {
  #time = Date.parse('2026-01-01T00:00:00.000Z')
  readonly now = () => this.#time++

  advance(milliseconds: number): void {
    this.#time += milliseconds
  }
}

export interface Person {
  id: string
  email: string
  token: string
  api: Client
}

/** Administrator created by the first start. */
export interface Admin extends Person {
  organizationId: string
  spaceId: string
}

export interface TestServer {
  server: Server
  url: string
  clock: TestClock
  log: string[]
  /** Administrator created by the first start, with an organization and a space. */
  admin: Admin
  /** Sends a request to any path of the server. */
  fetch(path: string, init?: RequestInit & { token?: string }): Promise<Response>
  /** Creates an account with a token. */
  person(name?: string, email?: string): Promise<Person>
  /** Creates an account that is a member of the administrator's organization. */
  member(role: Role | null, name?: string): Promise<Person>
  stop(): Promise<void>
}

interface TestHome {
  env: Record<string, string>
  remove(): Promise<void>
}

/** Creates a home for the data of one server: a folder or a database, empty or with empty tables. */
export async function makeHome({ hasTables = false } = {}): Promise<TestHome> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const env = { OCTAVO_DATA: folder }
    if (hasTables) writeFileSync(databaseFile(readConfig(env)), await sqliteTemplate())
    return { env, remove: async () => removeFolder() }
  }
  const server = inject('postgresUrl')
  const name = `octavo_${newId()}`
  await runSql(server, `create database ${name} ${hasTables ? `template ${templateDatabase} strategy file_copy` : ''}`)
  return {
    env: { OCTAVO_DATA: folder, DATABASE_URL: databaseUrl(server, name), OCTAVO_DATABASE_POOL: '5' },
    async remove() {
      removeFolder()
      await runSql(server, `drop database if exists ${name} with (force)`)
    },
  }
}

const readShortManual = () => ({
  paths: Object.keys(shortManual),
  read: (path: string) => Buffer.from(shortManual[path] ?? ''),
})

/** Starts a server with only the data of the first start and a short manual. */
export async function startTestServer(
  env: Record<string, string> = {},
  { readManual = readShortManual }: Pick<ServerOptions, 'readManual'> = {},
): Promise<TestServer> {
  const home = await makeHome({ hasTables: true })
  const clock = new TestClock()
  const log: string[] = []
  const config = readConfig({ PORT: '0', OCTAVO_RATE_LIMIT: '0', OCTAVO_SITE_RATE_LIMIT: '0', ...home.env, ...env })
  const server = await startServer(config, {
    clock: clock.now,
    log: createLog({ level: 'debug', format: 'json', write: (line) => log.push(line) }),
    checkReplies: true,
    // Jobs start as soon as they are enqueued; only those that are due later wait for this.
    jobInterval: 250,
    readManual,
  })
  const url = server.address as string
  const { firstStart } = server
  if (!firstStart) throw new Error('This was not a first start')
  const as = (token: string) => createClient({ url, token })
  const making = { newId, now: () => new Date(clock.now()).toISOString() }

  const person = async (
    name = 'Somebody',
    email = `${name.toLowerCase().replace(/\W+/g, '.')}.${newId()}@example.com`,
  ): Promise<Person> => {
    return server.app.database.transaction(async (db) => {
      const user = await createUser(db, making, { email, displayName: name })
      const { token } = await createToken(db, making, { userId: user.id, label: 'Test' })
      return { id: user.id, email, token, api: as(token) }
    })
  }
  const api = as(firstStart.token)
  const self = await api.getAuthenticatedUser()
  const { organizationId, spaceId, token } = firstStart
  return {
    server,
    url,
    clock,
    log,
    admin: { id: self.id, email: firstStart.email, token, api, organizationId, spaceId },
    fetch: (path, { token: bearer, ...init } = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(init.headers as Record<string, string>) },
      }),
    person,
    async member(role, name) {
      const somebody = await person(name)
      await api.inviteUsersToOrganization({
        params: { organizationId },
        body: { emails: [{ email: somebody.email, role }] },
      })
      return somebody
    },
    async stop() {
      await server.stop()
      await home.remove()
    },
  }
}

/** Starts a server that is stopped when the test ends. */
export async function serverForTest(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const started = await startTestServer(...options)
  onTestFinished(() => started.stop())
  return started
}

/** Polls until a condition is met, for background work of the server. */
export async function waitUntil<T>(check: () => Promise<T | undefined | false>, what: string): Promise<T> {
  const deadline = Date.now() + 60_000
  // Frequent checks, which are mostly requests, would slow down what is waited for.
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 50)) {
    const found = await check()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Timed out waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
