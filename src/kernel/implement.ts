import type { BodyOf, Operation, Operations, ParamsOf, QueryOf, ReplyOf } from '../contract/operation.ts'
import type { ContextOf } from './context.ts'
import type { CreatedReply } from './created-reply.ts'
import type { EventStream } from './event-stream.ts'
import type { JsonStream } from './json-stream.ts'
import type { JsonText } from './json-text.ts'

/** Validated parts of a request. */
export interface OperationInput<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
}

export type Handler<O extends Operation> = (
  context: ContextOf<O['access']>,
  input: OperationInput<O>,
) => Promise<ReplyOf<O> | JsonStream<ReplyOf<O>> | JsonText<ReplyOf<O>> | EventStream<ReplyOf<O>>> | ReplyOf<O>

/** Admission step of a public operation, which runs before the body is read because anybody may send one. */
interface Admission<O extends Operation> {
  /** Runs on a read connection before the body is read. The check that it may return runs before the body is parsed. */
  admit: (context: ContextOf<O['access']>, params: ParamsOf<O>) => Promise<BodyCheck | void>
}

/** Checks the bytes of a body and throws if they are not valid, for example because of a wrong signature. */
export type BodyCheck = (body: Uint8Array) => void

export interface AdmittingHandler<O extends Operation> extends Admission<O> {
  handle: (context: ContextOf<O['access']>, input: OperationInput<O>) => Promise<ReplyOf<O>>
}

/** Combines an admission step with a handler. */
export function withAdmission<C, P, I, R>(
  admit: (context: C, params: P) => Promise<BodyCheck | void>,
  handle: (context: C, input: I) => Promise<R>,
) {
  return { admit, handle }
}

/** Handler with a preparation that must not run within a transaction, such as an HTTP request. */
export interface PreparedHandler<O extends Operation> extends Partial<Admission<O>> {
  /** Runs before the transaction with the same context and input as the handler, on a read connection. */
  prepare: (context: ContextOf<O['access']>, input: OperationInput<O>) => Promise<unknown>
  /** Handles the request. It is called again with the same preparation when its transaction is retried. */
  handle: (
    context: ContextOf<O['access']>,
    input: OperationInput<O>,
    prepared: never,
  ) => Promise<ReplyOf<O> | CreatedReply<ReplyOf<O>>>
}

/** Combines a preparation with the handler that receives its result. */
export function withPreparation<C, I, P, R>(
  prepare: (context: C, input: I) => Promise<P>,
  handle: (context: C, input: I, prepared: P) => Promise<R>,
) {
  return { prepare, handle: handle as (context: C, input: I, prepared: never) => Promise<R> }
}

/** Handler whose reply becomes available some time after its transaction, for example from a background job. */
export interface AwaitedHandler<O extends Operation> {
  /**
   * Returns a value that is stored instead of the reply for repeated requests, so it must be serializable as JSON. Its
   * URL becomes the Location header.
   */
  handle: (context: ContextOf<O['access']>, input: OperationInput<O>) => Promise<unknown>
  /** Returns the reply, on a read connection. It may wait until the signal is aborted, and then returns the current state. */
  answer: (
    context: ContextOf<O['access']>,
    input: OperationInput<O>,
    handled: never,
    signal: AbortSignal,
  ) => Promise<ReplyOf<O>>
}

/** Combines a handler with the function that creates the reply from its result. */
export function withAwaitedReply<C, I, H, R>(
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

/** Operation with its handler, as mounted by the HTTP layer. */
export interface Route {
  name: string
  operation: Operation
  // Handlers are type-checked in `implement`; this type has to fit the handlers of all operations.
  handler: (context: never, input: never, prepared: never) => unknown
  admit?: (context: never, params: never) => Promise<BodyCheck | void>
  prepare?: (context: never, input: never) => Promise<unknown>
  answer?: (context: never, input: never, handled: never, signal: AbortSignal) => Promise<unknown>
}

/** Group of operations with their routes. The type includes the operations, so that the registry of routes can check them. */
export interface ImplementedGroup<Ops extends Operations> {
  operations: Ops
  routes: Route[]
}

/** Combines the operations of a group with their handlers; a missing handler or a wrong reply is a type error. */
export function implement<Ops extends Operations>(operations: Ops, handlers: Handlers<Ops>): ImplementedGroup<Ops> {
  const routes = Object.entries(operations).map(([name, operation]): Route => {
    const implementation = handlers[name as keyof Ops] as
      | Route['handler']
      | PreparedHandler<Operation>
      | AwaitedHandler<Operation>
      | AdmittingHandler<Operation>
    if (typeof implementation === 'function') return { name, operation, handler: implementation }
    const { handle: handler, ...steps } = implementation
    return { name, operation, handler, ...steps }
  })
  return { operations, routes }
}
