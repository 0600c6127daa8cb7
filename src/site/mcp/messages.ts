import { z } from 'zod'
import { McpError, errorCodes } from './errors.ts'
import { methods } from './methods.ts'
import type { SiteView } from '../view.ts'

// Messages of JSON-RPC 2.0.

type MessageId = string | number | null

type Reply = { jsonrpc: '2.0'; id: MessageId } & ({ result: unknown } | { error: { code: number; message: string } })

/** Maximum number of messages in a batch. */
const longestBatch = 20

const Id = z.union([z.string(), z.number()])
const Call = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.exactOptional(),
  method: z.string(),
  params: z.unknown().optional(),
})
/** Response of a client. The server sends no requests, so responses are accepted and ignored. */
const Answer = z
  .object({ jsonrpc: z.literal('2.0'), id: Id.nullable() })
  .and(z.union([z.object({ result: z.unknown() }), z.object({ error: z.object({ code: z.number() }) })]))

interface Answered {
  /** Whether the body is a valid message or batch. */
  isRequest: boolean
  /** Undefined if no response is required. */
  reply: Reply | Reply[] | undefined
}

/** Queues and runs the work of one message. */
type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Handles a message (undefined if the body is not JSON), or a batch as sent by older versions of the protocol. */
export async function answer(view: SiteView, sent: unknown, takeTurn: TakeTurn): Promise<Answered> {
  if (sent === undefined)
    return { isRequest: false, reply: failed(null, errorCodes.parse, 'The body is not valid JSON') }
  if (!Array.isArray(sent)) return answerOne(view, sent, takeTurn)
  if (sent.length === 0 || sent.length > longestBatch) {
    const message = `A batch must contain 1 to ${longestBatch} messages`
    return { isRequest: false, reply: failed(null, errorCodes.request, message) }
  }
  const replies: Reply[] = []
  for (const message of sent as unknown[]) {
    const { reply } = await answerOne(view, message, takeTurn)
    if (reply) replies.push(reply)
  }
  return { isRequest: true, reply: replies.length > 0 ? replies : undefined }
}

async function answerOne(
  view: SiteView,
  sent: unknown,
  takeTurn: TakeTurn,
): Promise<{ isRequest: boolean; reply: Reply | undefined }> {
  const call = Call.safeParse(sent)
  if (!call.success) {
    if (Answer.safeParse(sent).success) return { isRequest: true, reply: undefined }
    return {
      isRequest: false,
      reply: failed(null, errorCodes.request, 'The message is not a valid JSON-RPC 2.0 message'),
    }
  }
  const { id, method, params } = call.data
  if (id === undefined) return { isRequest: true, reply: undefined }
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!known) return { isRequest: true, reply: failed(id, errorCodes.method, `Unknown method ${method.slice(0, 100)}`) }
  try {
    return { isRequest: true, reply: { jsonrpc: '2.0', id, result: await takeTurn(() => known(view, params ?? {})) } }
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return { isRequest: true, reply: failed(id, error.code, error.message) }
  }
}

const failed = (id: MessageId, code: number, message: string): Reply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
