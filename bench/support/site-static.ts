import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Reply for a path by content encoding; `identity` is not encoded. */
export type StaticReply = Record<string, { headers: Record<string, string>; body: Uint8Array }>

/** Same compression level as Octavo, so that bytes are comparable. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const compressible = new Set(['.html', '.css', '.js', '.json', '.svg'])

/** Returns the replies of a good static host: compressed, with entity tags, and immutable if the file name contains a hash. */
export function createReplies(files: Record<string, Buffer>): Record<string, StaticReply> {
  const replies: Record<string, StaticReply> = {}
  for (const [path, content] of Object.entries(files)) {
    const type = extname(path)
    const isNamedByContent = /^\/(?:assets|_astro)\//.test(path)
    const headers = {
      'content-type': types[type] ?? 'application/octet-stream',
      'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      etag: `"${hash('sha1', content, 'base64url')}"`,
      vary: 'accept-encoding',
    }
    const encoded = (encoding: string, body: Uint8Array) => ({
      headers: { ...headers, 'content-encoding': encoding, 'content-length': String(body.length) },
      body,
    })
    const reply: StaticReply = { identity: encoded('identity', content) }
    if (compressible.has(type)) {
      reply['gzip'] = encoded('gzip', gzipSync(content))
      reply['br'] = encoded('br', brotliCompressSync(content, brotliOptions))
    }
    replies[path.replace(/(?:index)?\.html$/, '')] = reply
  }
  return replies
}

/** Starts a process in which bare node:http sends replies from memory. */
export async function startStaticServer(replies: Record<string, StaticReply>): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), ['static'], { serialization: 'advanced' })
  child.send(replies)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() }
}

if (process.argv[2] === 'static') {
  process.once('disconnect', () => process.exit())
  process.once('message', (replies: Record<string, StaticReply>) => {
    const server = createServer((request, response) => {
      const reply = replies[request.url ?? '']
      if (reply) {
        const accepted = request.headers['accept-encoding'] ?? ''
        const encoding = ['br', 'gzip'].find((name) => reply[name] && accepted.includes(name)) ?? 'identity'
        const { headers, body } = reply[encoding] as StaticReply[string]
        response.writeHead(200, headers).end(body)
      } else if (request.url === '/metrics') {
        const { user, system } = process.cpuUsage()
        response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`)
      } else {
        response.writeHead(404).end()
      }
    })
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  })
}
