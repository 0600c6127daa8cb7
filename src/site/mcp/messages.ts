import { z } from 'zod'
import { McpError, rpcErrorCodes } from './errors.ts'
import { mcpMethods } from './methods.ts'
import type { SiteView } from '../view.ts'

// Messages of JSON-RPC 2.0.

type MessageId = string | number | null

type RpcReply = { jsonrpc: '2.0'; id: MessageId } & ({ result: unknown } | { error: { code: number; message: string } })

/** Maximum number of messages in a batch. */
const maxBatchLength = 20

const Id = z.union([z.string(), z.number()])
const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.exactOptional(),
  method: z.string(),
  params: z.unknown().optional(),
})
/** Response of a client. The server sends no requests, so responses are accepted and ignored. */
const RpcResponse = z
  .object({ jsonrpc: z.literal('2.0'), id: Id.nullable() })
  .and(z.union([z.object({ result: z.unknown() }), z.object({ error: z.object({ code: z.number() }) })]))

interface HandledBody {
  /** Whether the body is a valid message or batch. */
  isValid: boolean
  /** Undefined if no response is required. */
  reply: RpcReply | RpcReply[] | undefined
}

/** Queues and runs the work of one message. */
type RunQueued = <T>(work: () => Promise<T>) => Promise<T>

/** Handles a message (undefined if the body is not JSON), or a batch as sent by older versions of the protocol. */
export async function handleBody(view: SiteView, body: unknown, runQueued: RunQueued): Promise<HandledBody> {
  if (body === undefined)
    return { isValid: false, reply: toRpcError(null, rpcErrorCodes.parse, 'The body is not valid JSON') }
  if (!Array.isArray(body)) return handleMessage(view, body, runQueued)
  if (body.length === 0 || body.length > maxBatchLength) {
    const message = `A batch must contain 1 to ${maxBatchLength} messages`
    return { isValid: false, reply: toRpcError(null, rpcErrorCodes.request, message) }
  }
  const replies: RpcReply[] = []
  for (const message of body as unknown[]) {
    const { reply } = await handleMessage(view, message, runQueued)
    if (reply) replies.push(reply)
  }
  return { isValid: true, reply: replies.length > 0 ? replies : undefined }
}

async function handleMessage(
  view: SiteView,
  message: unknown,
  runQueued: RunQueued,
): Promise<{ isValid: boolean; reply: RpcReply | undefined }> {
  const call = RpcRequest.safeParse(message)
  if (!call.success) {
    if (RpcResponse.safeParse(message).success) return { isValid: true, reply: undefined }
    return {
      isValid: false,
      reply: toRpcError(null, rpcErrorCodes.request, 'The message is not a valid JSON-RPC 2.0 message'),
    }
  }
  const { id, method, params } = call.data
  if (id === undefined) return { isValid: true, reply: undefined }
  const handler = Object.hasOwn(mcpMethods, method) ? mcpMethods[method] : undefined
  if (!handler)
    return { isValid: true, reply: toRpcError(id, rpcErrorCodes.method, `Unknown method ${method.slice(0, 100)}`) }
  try {
    return { isValid: true, reply: { jsonrpc: '2.0', id, result: await runQueued(() => handler(view, params ?? {})) } }
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return { isValid: true, reply: toRpcError(id, error.code, error.message) }
  }
}

const toRpcError = (id: MessageId, code: number, message: string): RpcReply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
