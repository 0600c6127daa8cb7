import type { BodyOf, Operation, Operations, ParamsOf, QueryOf, ReplyOf } from '../contract/kit.ts'
import type { ContextOf } from './context.ts'

/** The checked parts of a request. */
export interface Input<O extends Operation> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
}

export type Handler<O extends Operation> = (
  context: ContextOf<O['access']>,
  input: Input<O>,
) => Promise<ReplyOf<O>> | ReplyOf<O>

export type Handlers<Ops extends Operations> = { [Name in keyof Ops]: Handler<Ops[Name]> }

/** An operation with its handler, as the HTTP layer mounts it. */
export interface Route {
  name: string
  operation: Operation
  // Typed where it is written; here all operations stand side by side.
  handler: (context: never, input: never) => unknown
}

/** Pairs the operations of a group with their handlers; a missing handler or a wrong reply does not compile. */
export function implement<Ops extends Operations>(operations: Ops, handlers: Handlers<Ops>): Route[] {
  return Object.entries(operations).map(([name, operation]) => ({
    name,
    operation,
    handler: handlers[name as keyof Ops] as Route['handler'],
  }))
}
