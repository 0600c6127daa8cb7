import type { BodyOf, Operation, Operations, ParamsOf, QueryOf, ReplyOf } from '../contract/kit.ts'
import type { ContextOf } from './context.ts'
import type { JsonStream } from './json-stream.ts'
import type { JsonText } from './json-text.ts'

/** The checked parts of a request. */
export interface Input<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
}

export type Handler<O extends Operation> = (
  context: ContextOf<O['access']>,
  input: Input<O>,
) => Promise<ReplyOf<O> | JsonStream<ReplyOf<O>> | JsonText<ReplyOf<O>>> | ReplyOf<O>

/** What a public operation decides by path and headers, before it reads a body that anybody may send. */
interface Admission<O extends Operation> {
  /** Runs on a read connection before the body is read. The check that it may return runs before the body is parsed. */
  admit: (context: ContextOf<O['access']>, params: ParamsOf<O>) => Promise<BodyCheck | void>
}

/** Fails when the bytes of a body are not what they should be. */
export type BodyCheck = (body: Uint8Array) => void

export interface AdmittingHandler<O extends Operation> extends Admission<O> {
  handle: (context: ContextOf<O['access']>, input: Input<O>) => Promise<ReplyOf<O>>
}

/** Pairs the decision who may send a body with the handler of it. */
export function admitted<C, P, I, R>(
  admit: (context: C, params: P) => Promise<BodyCheck | void>,
  handle: (context: C, input: I) => Promise<R>,
) {
  return { admit, handle }
}

/** A handler with work that must not be done within a transaction, such as fetching something. */
export interface PreparedHandler<O extends Operation> extends Partial<Admission<O>> {
  /** Sees the request as the handler does, on a read connection. */
  prepare: (context: ContextOf<O['access']>, input: Input<O>) => Promise<unknown>
  /** Is called again, with the same preparation, when its transaction has to be repeated. */
  handle: (context: ContextOf<O['access']>, input: Input<O>, prepared: never) => Promise<ReplyOf<O>>
}

/** Pairs a preparation with the handler that takes what it yields. */
export function prepared<C, I, P, R>(
  prepare: (context: C, input: I) => Promise<P>,
  handle: (context: C, input: I, prepared: P) => Promise<R>,
) {
  return { prepare, handle: handle as (context: C, input: I, prepared: never) => Promise<R> }
}

/** A handler whose reply is known only some time after its transaction, such as that of work in the background. */
export interface AwaitedHandler<O extends Operation> {
  /** What it yields stands for the reply in a repeated request, so it must survive JSON; its address is the location. */
  handle: (context: ContextOf<O['access']>, input: Input<O>) => Promise<unknown>
  /** Makes the reply, on a read connection. It may wait until the signal, and then answers with what is known. */
  answer: (context: ContextOf<O['access']>, input: Input<O>, handled: never, signal: AbortSignal) => Promise<ReplyOf<O>>
}

/** Pairs a handler with the one that makes the reply of what it yields. */
export function awaited<C, I, H, R>(
  handle: (context: C, input: I) => Promise<H>,
  answer: (context: C, input: I, handled: H, signal: AbortSignal) => Promise<R>,
) {
  return { handle, answer: answer as (context: C, input: I, handled: never, signal: AbortSignal) => Promise<R> }
}

export type Handlers<Ops extends Operations> = {
  [Name in keyof Ops]:
    | Handler<Ops[Name]>
    | PreparedHandler<Ops[Name]>
    | AwaitedHandler<Ops[Name]>
    | AdmittingHandler<Ops[Name]>
}

/** An operation with its handler, as the HTTP layer mounts it. */
export interface Route {
  name: string
  operation: Operation
  // Typed where it is written; here all operations stand side by side.
  handler: (context: never, input: never, prepared: never) => unknown
  admit?: (context: never, params: never) => Promise<BodyCheck | void>
  prepare?: (context: never, input: never) => Promise<unknown>
  answer?: (context: never, input: never, handled: never, signal: AbortSignal) => Promise<unknown>
}

/** A group of operations with their routes. The operations are part of the type, so that the registry of routes can check them. */
export interface ImplementedGroup<Ops extends Operations> {
  operations: Ops
  routes: Route[]
}

/** Pairs the operations of a group with their handlers; a missing handler or a wrong reply is a type error. */
export function implement<Ops extends Operations>(operations: Ops, handlers: Handlers<Ops>): ImplementedGroup<Ops> {
  const routes = Object.entries(operations).map(([name, operation]): Route => {
    const given = handlers[name as keyof Ops] as
      | Route['handler']
      | PreparedHandler<Operation>
      | AwaitedHandler<Operation>
      | AdmittingHandler<Operation>
    if (typeof given === 'function') return { name, operation, handler: given }
    const { handle: handler, ...steps } = given
    return { name, operation, handler, ...steps }
  })
  return { operations, routes }
}
