import type { TranslationEngine, TranslationRequest } from './engine.ts'
import { buildMessages } from './openai-prompt.ts'
import { type Completion, parseCompletion, readTranslations } from './openai-reply.ts'
import {
  type ServiceConnection,
  type ServiceReply,
  assertSuccess,
  countCharacters,
  postJson,
} from './service-request.ts'

export interface OpenAiOptions {
  connection: ServiceConnection
  model: string
  concurrency: number
}

/** Small requests, so that a model on the same machine answers in time and misses no text. */
const limits = { texts: 20, characters: 4000 }

/** Creates an engine for a server with the chat API of OpenAI. */
export function createOpenAiEngine({ connection, model, concurrency }: OpenAiOptions): TranslationEngine {
  const headers: Record<string, string> =
    connection.key === undefined ? {} : { authorization: `Bearer ${connection.key}` }
  let requiresStream = false

  const send = (messages: object[], signal: AbortSignal): Promise<ServiceReply> => {
    const stream = requiresStream ? { stream: true, stream_options: { include_usage: true } } : { stream: false }
    return postJson(connection, '/chat/completions', { headers, body: { model, messages, ...stream } }, signal)
  }

  const complete = async (messages: object[], signal: AbortSignal): Promise<Completion> => {
    let reply = await send(messages, signal)
    if (!requiresStream && refusesPlainReply(reply)) {
      requiresStream = true
      reply = await send(messages, signal)
    }
    assertSuccess(reply, connection)
    return parseCompletion(reply)
  }

  return {
    name: 'openai',
    limits: { ...limits, concurrency },
    async translate(request: TranslationRequest, signal) {
      const { content, tokens } = await complete(buildMessages(request), signal)
      return {
        texts: readTranslations(content, request.texts.length),
        characters: countCharacters(request.texts),
        ...(tokens !== undefined && { tokens }),
      }
    },
  }
}

/** Whether a server rejects a request because it only sends streams. */
const refusesPlainReply = ({ status, text }: ServiceReply): boolean =>
  (status === 400 || status === 422) && /\bstream/i.test(text)
