import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface RecordedReply {
  headers: Record<string, string>
  body: string
}

/** Headers that node:http adds by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

/** Records the reply of a server, to be sent again by the bare server. */
export async function recordReply(url: string, token: string, body?: string): Promise<RecordedReply> {
  const reply = await fetch(url, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: { ...(token !== '' && { authorization: `Bearer ${token}` }), 'accept-encoding': 'identity' },
  })
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  const headers = [...reply.headers].filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(headers), body: await reply.text() }
}

/** Starts a process in which bare node:http replies to each path with a recorded reply. */
export async function startBareServer(replies: Record<string, RecordedReply>): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), ['bare'])
  child.send(replies)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() }
}

if (process.argv[2] === 'bare') {
  process.once('disconnect', () => process.exit())
  process.once('message', (replies: Record<string, RecordedReply>) => {
    const server = createServer((request, response) => {
      const reply = replies[request.url ?? '']
      if (reply) {
        response.writeHead(200, reply.headers).end(reply.body)
      } else {
        const { user, system } = process.cpuUsage()
        response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`)
      }
    })
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  })
}
