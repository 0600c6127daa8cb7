import { expect, inject, onTestFinished } from 'vitest'
import { type PostgresServer, findPostgres, startPostgres } from './postgres.ts'
import { type ServerProcess, bootstrapToken } from './process.ts'
import { engine } from './server.ts'

/** Starts a PostgreSQL server that a test may stop, pause and fill; it is removed when the test ends. */
export async function postgresForTest(): Promise<PostgresServer> {
  expect(engine).toBe('postgres')
  expect(inject('postgresUrl')).not.toBe('')
  const server = await startPostgres(findPostgres() as string)
  onTestFinished(() => server.stop())
  return server
}

export interface OutageReply {
  status: number
  retryAfter: string | null
  /** Milliseconds until the reply had arrived. */
  milliseconds: number
  body: string
}

/** Sends a request to any path of a server as its administrator. */
export async function sendAsAdmin(
  { url }: Pick<ServerProcess, 'url'>,
  path: string,
  init: RequestInit & { body?: string } = {},
): Promise<OutageReply> {
  const began = performance.now()
  const reply = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${bootstrapToken}`, 'content-type': 'application/json' },
  })
  const body = await reply.text()
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    milliseconds: performance.now() - began,
    body,
  }
}
