import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ApiReply {
  status?: number
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
  /** Milliseconds before the reply; `never` sends none. */
  delay?: number | 'never'
}

/** An API that records its requests; preflight requests are not recorded. */
export interface RecordingApi {
  url: string
  requests: RecordedRequest[]
  /** Sets the next replies. */
  reply: ApiReply
  /** Whether pages of other origins may send requests. */
  allowsOrigins: boolean
  stop(): Promise<void>
}

/** Starts an API on the loopback interface. */
export async function startRecordingApi(): Promise<RecordingApi> {
  const api: RecordingApi = { url: '', requests: [], reply: {}, allowsOrigins: true, stop: async () => undefined }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const cors: Record<string, string> = api.allowsOrigins
        ? {
            'access-control-allow-origin': headers.origin ?? '*',
            'access-control-allow-headers': '*, authorization, content-type, x-request-id, x-api-key',
            'access-control-allow-methods': '*, PUT, PATCH, DELETE',
            'access-control-expose-headers': 'x-rate-limit',
          }
        : {}
      if (method === 'OPTIONS') return void response.writeHead(204, cors).end()
      api.requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const { status = 200, headers: own = {}, body = '{"ok":true}', delay = 0 } = api.reply
      const send = () => response.writeHead(status, { 'content-type': 'application/json', ...cors, ...own }).end(body)
      if (delay !== 'never') setTimeout(send, delay)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api.stop = () => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(() => closed()))
  }
  return api
}
