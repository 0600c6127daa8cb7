import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'

export interface VisitedPage {
  /** Milliseconds from sending the request to the last byte of the reply. */
  milliseconds: number
  headers: IncomingHttpHeaders
  /** Body as sent, possibly compressed. */
  body: Buffer
}

/** Client that opens pages one at a time over one keep-alive connection, with the compression that browsers request. */
export class Visitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  open(url: string): Promise<VisitedPage> {
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const headers = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }
      const sent = request(url, { headers, agent: this.#agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const milliseconds = performance.now() - started
          const { statusCode } = reply
          if (statusCode === 200) resolve({ milliseconds, headers: reply.headers, body: Buffer.concat(chunks) })
          else reject(new Error(`${url} answered ${statusCode}`))
        })
      })
      sent.on('error', reject)
      sent.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

export const decodeHtml = ({ headers, body }: VisitedPage): string =>
  (headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body).toString()
