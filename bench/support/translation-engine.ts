import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Translation service on this machine with the API of DeepL, which counts what it receives. */
export interface CountingEngine {
  url: string
  /** Returns the number of requests and texts since the last call. */
  takeCounts(): { requests: number; texts: number }
  stop(): Promise<void>
}

/** Starts a service that reverses the letters of each word. */
export async function startCountingEngine(): Promise<CountingEngine> {
  let counts = { requests: 0, texts: 0 }
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { text: texts } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string[] }
    counts.requests++
    counts.texts += texts.length
    const translations = texts.map((text) => ({ text: reverseWords(text) }))
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ translations }))
  }
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCounts() {
      const taken = counts
      counts = { requests: 0, texts: 0 }
      return taken
    },
    stop() {
      server.closeAllConnections()
      return new Promise((stopped) => server.close(() => stopped()))
    },
  }
}

const reverseWords = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|\p{L}+/gu, (part) => (/^[<&]/.test(part) ? part : Array.from(part).toReversed().join('')))
