import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { makeGate } from './gate.ts'

/** What a test engine does with one request instead of translating. */
export type Misbehaviour =
  | 'garbage'
  | 'drop-tags'
  | 'invent-tags'
  | 'return-source'
  | 'flood'
  | 'hang'
  | 'rate-limit'
  | 'quota'
  | 'reject-key'
  | 'fail'
  | 'close'

export interface RecordedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  texts: string[]
}

/** Translation service on this machine that translates words to upper case and keeps tags. */
export interface TestEngine {
  url: string
  requests: RecordedRequest[]
  /** Makes the next requests fail or return bad translations, one entry for each. */
  misbehave(...behaviours: Misbehaviour[]): void
  /** Replaces the translation of texts. */
  translateWith(translate: (text: string) => string): void
  /** Delays replies until the returned function is called. */
  hold(): () => void
  stop(): Promise<void>
}

/** How a service reads requests and writes replies. */
interface Protocol {
  path: string
  readTexts(body: Record<string, unknown>): string[]
  /** Returns the body of the reply, its type if it is not JSON, and its status if it is not 200. */
  writeReply(texts: string[], body: Record<string, unknown>): { body: string; type?: string; status?: number }
  quotaStatus: number
}

/** Translates a text: words in upper case, with the same tags and entities. */
export const translateToUpperCase = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))

const translators: Partial<Record<Misbehaviour, (text: string) => string>> = {
  'drop-tags': (text) => translateToUpperCase(text.replace(/<[^>]*>/g, '')),
  'invent-tags': (text) => `${translateToUpperCase(text)}<g id="99">NEW</g><b>BOLD</b>`,
  'return-source': (text) => text,
}

async function startEngine(protocol: Protocol): Promise<TestEngine> {
  const behaviours: Misbehaviour[] = []
  let gate: ReturnType<typeof makeGate> | undefined
  let translateText = translateToUpperCase
  const respond = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { url: path = '', headers } = request
    if (path !== protocol.path) return void reply.writeHead(404).end('{"error":"Not found"}')
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
    const texts = protocol.readTexts(body)
    engine.requests.push({ path, headers, body, texts })
    const behaviour = behaviours.shift()
    await gate?.passed
    if (behaviour && failRequest(behaviour, protocol, reply)) return
    const translate = (behaviour && translators[behaviour]) ?? translateText
    const { body: text, type = 'application/json', status = 200 } = protocol.writeReply(texts.map(translate), body)
    reply.writeHead(status, { 'content-type': type }).end(text)
  }
  const server = createServer((request, reply) => void respond(request, reply))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const engine: TestEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    misbehave: (...added) => void behaviours.push(...added),
    translateWith: (translate) => void (translateText = translate),
    hold() {
      const held = (gate = makeGate())
      return () => held.open()
    },
    stop() {
      server.closeAllConnections()
      return new Promise((stopped) => server.close(() => stopped()))
    },
  }
  return engine
}

/** Fails a request; returns false if it is answered with bad translations instead. */
function failRequest(behaviour: Misbehaviour, { quotaStatus }: Protocol, reply: ServerResponse): boolean {
  const sendError = (status: number, message: string, headers = {}) =>
    void reply
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message, code: message }, message }))
  switch (behaviour) {
    case 'garbage':
      reply.writeHead(200, { 'content-type': 'application/json' }).end('It is {not "JSON')
      break
    case 'flood':
      reply.writeHead(200, { 'content-type': 'application/json' }).end(`[${'{},'.repeat(500_000)}{}]`)
      break
    case 'hang':
      break
    case 'rate-limit':
      sendError(429, 'Slow down', { 'retry-after': '7' })
      break
    case 'quota':
      sendError(quotaStatus, 'insufficient_quota')
      break
    case 'reject-key':
      sendError(401, `Incorrect key: ${String(reply.req.headers.authorization)}`)
      break
    case 'fail':
      sendError(500, 'Internal error')
      break
    case 'close':
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"texts":[')
      setImmediate(() => reply.destroy())
      break
    default:
      return false
  }
  return true
}

interface OpenAiMessage {
  role: string
  content: string
}

interface OpenAiOptions {
  /** Whether replies are streams: if the request asks for it, always, or always while other requests are rejected. */
  streams?: 'on-request' | 'always' | 'required'
  /** Writes the message of the model; by default the requested JSON object. */
  writeContent?: (entries: { id: number; text: string }[]) => string
}

const readMessages = (body: Record<string, unknown>) => body['messages'] as OpenAiMessage[]

/** Starts a server with the chat API of OpenAI. */
export function startOpenAiEngine({ streams = 'on-request', writeContent }: OpenAiOptions = {}): Promise<TestEngine> {
  const write = writeContent ?? ((entries) => JSON.stringify({ texts: entries }))
  return startEngine({
    path: '/v1/chat/completions',
    quotaStatus: 429,
    readTexts(body) {
      const user = readMessages(body).find(({ role }) => role === 'user')?.content ?? '{}'
      return (JSON.parse(user) as { texts: { text: string }[] }).texts.map(({ text }) => text)
    },
    writeReply(texts, body) {
      const content = write(texts.map((text, index) => ({ id: index + 1, text })))
      const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
      const isStream = streams === 'always' || body['stream'] === true
      if (streams === 'required' && !isStream)
        return { status: 400, body: JSON.stringify({ error: { message: 'Only streaming requests are supported' } }) }
      if (isStream) return { body: writeStream(content, usage), type: 'text/event-stream; charset=utf-8' }
      const message = { role: 'assistant', content }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return { body: JSON.stringify({ object: 'chat.completion', model: body['model'], choices, usage }) }
    },
  }).then((engine) => ({ ...engine, url: `${engine.url}/v1` }))
}

const writeChunk = (value: object) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...value })}\n\n`

/** Writes a stream with a comment, short parts, the usage and the end mark. */
function writeStream(content: string, usage: object): string {
  const parts = content.match(/[^]{1,7}/g) ?? []
  return [
    ': keep-alive\n\n',
    writeChunk({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    ...parts.map((part) => writeChunk({ choices: [{ index: 0, delta: { content: part } }] })),
    writeChunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    writeChunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('')
}

/** Starts a server with the API of DeepL. */
export const startDeeplEngine = (): Promise<TestEngine> =>
  startEngine({
    path: '/v2/translate',
    quotaStatus: 456,
    readTexts: (body) => body['text'] as string[],
    writeReply: (texts) => ({
      body: JSON.stringify({ translations: texts.map((text) => ({ detected_source_language: 'EN', text })) }),
    }),
  })

/** Starts a server with the API of LibreTranslate, which returns tags as HTML. */
export const startLibreTranslateEngine = (): Promise<TestEngine> =>
  startEngine({
    path: '/translate',
    quotaStatus: 403,
    readTexts: (body) => body['q'] as string[],
    writeReply: (texts) => ({
      body: JSON.stringify({
        translatedText: texts.map((text) => text.replace(/<x id="(\d+)"\/>/g, '<x id="$1"></x>')),
      }),
    }),
  })

/** Stops an engine when the test ends. */
export async function engineForTest(starting: Promise<TestEngine>): Promise<TestEngine> {
  const engine = await starting
  onTestFinished(() => engine.stop())
  return engine
}
