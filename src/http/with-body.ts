import type { IncomingMessage } from 'node:http'
import { type Caller, authorizeBeforeBody } from '../access/authorize.ts'
import type { Operation } from '../contract/kit.ts'
import type { BaseContext } from '../kernel/context.ts'
import type { BodyCheck, Route } from '../kernel/implement.ts'
import type { Bodies, Body } from './body.ts'
import { type RawInput, parseForm } from './validate.ts'

export interface BodyServices {
  bodies: Bodies
  /** Maximum number of bytes of a body. */
  bodyLimit: number
}

/** A request whose body has not been read yet. */
interface Unread {
  route: Route
  incoming: IncomingMessage
  /** On a read connection. */
  context: BaseContext
  caller: Caller
  raw: RawInput
}

/** Maximum number of bytes that anybody may send without a token. */
const publicBodyLimit = 64 * 1024

/** Maximum number of JSON values in a body: a document of the maximum number of blocks has about half as many. */
const maxValues = 300_000

/** Fewer values are allowed in what is small anyway: no operation has a use for more than one in 16 bytes. */
const valuesIn = (bytes: number): number => Math.min(maxValues, Math.max(5000, Math.ceil(bytes / 16)))

/** Reads the body of a request, if it is not refused without it, and holds it while the request is handled. */
export async function withBody<T>(
  { bodies, bodyLimit }: BodyServices,
  { route, incoming, context, caller, raw }: Unread,
  work: (whole: RawInput) => Promise<T>,
): Promise<T> {
  const { operation } = route
  const check = await admit(route, context, caller, raw)
  const usual = operation.access === 'public' ? publicBodyLimit : Infinity
  const limit = Math.min(operation.maxBody ?? usual, bodyLimit)
  const body = await bodies.read(incoming, { limit, values: valuesIn(limit) })
  try {
    check?.(body.bytes)
    return await work(await withParsed(operation, raw, body))
  } finally {
    body.release()
  }
}

/** Decides by path and headers who may send a body; returns a check that its bytes have to pass. */
async function admit(
  { operation, admit: ask }: Route,
  context: BaseContext,
  caller: Caller,
  { params, sent }: RawInput,
): Promise<BodyCheck | undefined> {
  if (ask) return (await ask({ ...context, principal: caller.principal, sent } as never, params as never)) ?? undefined
  const includesDeleted = operation.includesDeleted ?? false
  await authorizeBeforeBody(operation.access, context, caller, { params, includesDeleted, sent })
  return undefined
}

async function withParsed({ formField }: Operation, raw: RawInput, body: Body): Promise<RawInput> {
  const type = raw.sent.header('content-type') ?? ''
  const isForm = formField !== undefined && /^application\/x-www-form-urlencoded\b/i.test(type)
  const value = isForm ? parseForm(body.text(), formField) : await body.json()
  // Clients send an empty text for optional bodies.
  return {
    ...raw,
    body: value === undefined ? {} : value,
    values: body.values,
    sent: { ...raw.sent, body: body.bytes },
  }
}
