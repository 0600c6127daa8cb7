import type { IncomingMessage } from 'node:http'
import { type Caller, authorizeBeforeBody } from '../visitors/authorize-caller.ts'
import type { Operation } from '../contract/operation.ts'
import type { BaseContext, PublicContext } from '../kernel/context.ts'
import type { BodyCheck, Route } from '../kernel/implement.ts'
import type { BodyReader, BufferedBody } from './body.ts'
import { type RawInput, parseFormField } from './validate.ts'

export interface BodyServices {
  bodies: BodyReader
  /** Maximum number of bytes of a body. */
  bodyLimit: number
}

/** A request whose body has not been read yet. */
interface UnreadRequest {
  route: Route
  incoming: IncomingMessage
  /** On a read connection. */
  context: BaseContext
  caller: Caller
  raw: RawInput
}

/** Maximum number of bytes in a body without a token. */
const publicBodyLimit = 64 * 1024

/** Maximum number of JSON values in a body; a document with the maximum number of blocks has about half as many. */
const maxValues = 300_000

/** Returns the maximum number of JSON values for a size limit; no operation needs more than one in 16 bytes. */
const maxValuesFor = (bytes: number): number => Math.min(maxValues, Math.max(5000, Math.ceil(bytes / 16)))

/** Authorizes a request before its body is read, reads and parses it, and calls `handleParsed` with it. */
export async function handleWithBody<T>(
  { bodies, bodyLimit }: BodyServices,
  { route, incoming, context, caller, raw }: UnreadRequest,
  handleParsed: (input: RawInput) => Promise<T>,
): Promise<T> {
  const { operation } = route
  const check = await admit(route, context, caller, raw)
  const defaultLimit = operation.access === 'public' ? publicBodyLimit : Infinity
  const maxBytes = Math.min(operation.maxBody ?? defaultLimit, bodyLimit)
  const body = await bodies.read(incoming, { maxBytes, maxValues: maxValuesFor(maxBytes) })
  try {
    check?.(body.bytes)
    return await handleParsed(await parseBody(operation, raw, body))
  } finally {
    body.release()
  }
}

/** Authorizes by path and headers who may send a body; returns a check of its bytes, if the route has one. */
async function admit(
  { operation, admit: admitBody }: Route,
  context: BaseContext,
  caller: Caller,
  { params, rawRequest }: RawInput,
): Promise<BodyCheck | undefined> {
  if (admitBody) {
    const publicContext: PublicContext = { ...context, principal: caller.principal, rawRequest }
    return (await admitBody(publicContext as never, params as never)) ?? undefined
  }
  const includesDeleted = operation.includesDeleted ?? false
  await authorizeBeforeBody(operation.access, context, caller, { params, includesDeleted, rawRequest })
  return undefined
}

async function parseBody({ formField }: Operation, raw: RawInput, body: BufferedBody): Promise<RawInput> {
  const type = raw.rawRequest.header('content-type') ?? ''
  const isForm = formField !== undefined && /^application\/x-www-form-urlencoded\b/i.test(type)
  const value = isForm ? parseFormField(body.text(), formField) : await body.json()
  // Clients send an empty body when all fields are optional.
  return {
    ...raw,
    body: value === undefined ? {} : value,
    valueCount: body.valueCount,
    rawRequest: { ...raw.rawRequest, body: body.bytes },
  }
}
