import { Agent, request } from 'node:http'

export interface TimedReply {
  /** Milliseconds from sending the request to the last byte of the reply. */
  milliseconds: number
  body: unknown
}

/** Client of the API that uses one keep-alive connection, one request at a time. */
export class ApiClient {
  readonly #base: string
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(url: string, token: string) {
    this.#base = `${url}/v1`
    this.#token = token
  }

  get(path: string): Promise<TimedReply> {
    return this.#call('GET', path)
  }

  post(path: string, body: unknown = {}): Promise<TimedReply> {
    return this.#call('POST', path, JSON.stringify(body))
  }

  /** Returns the time and size of a reply without parsing it. */
  async measureGet(path: string): Promise<{ milliseconds: number; bytes: number }> {
    const { milliseconds, chunks } = await this.#exchange('GET', path)
    return { milliseconds, bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0) }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #call(method: string, path: string, body?: string): Promise<TimedReply> {
    const { milliseconds, chunks } = await this.#exchange(method, path, body)
    const text = Buffer.concat(chunks).toString()
    return { milliseconds, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }

  #exchange(method: string, path: string, body?: string): Promise<{ milliseconds: number; chunks: Buffer[] }> {
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
      const sent = request(`${this.#base}${path}`, { method, headers, agent: this.#agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const milliseconds = performance.now() - started
          const { statusCode = 0 } = reply
          if (statusCode < 300) resolve({ milliseconds, chunks })
          else reject(new Error(`${method} ${path} answered ${statusCode}: ${Buffer.concat(chunks).toString()}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
