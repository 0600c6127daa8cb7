import type { z } from 'zod'
import type { Action, TokenScope } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an operation: anyone, anyone with a token, operators of the server, or callers with the role for an action on the
 * resource in the path (`{organizationId}`, `{spaceId}`, ...). Exceptions:
 * - `team:admin` also admits owners of the team in the path,
 * - `member:admin` also admits the member in the path,
 * - `container:create` checks the collection in the field `parent` of the body, or the organization if there is none,
 * - `site:visit` and `space:visit` also admit visitors of a site with a visit token.
 */
export type Access =
  | 'public'
  | 'user'
  | 'operator'
  | `organization:${Action<'organization'>}`
  | `space:${Action<'space'>}`
  | `collection:${Action<'collection'>}`
  | `site:${Action<'site'>}`
  | 'site:visit'
  | 'space:visit'
  | 'team:admin'
  | 'member:admin'
  | 'container:create'

/**
 * Scope that a scoped token must have: one scope, or none (`any`, for public operations only); `unscoped` accepts no scoped token.
 */
export type ScopeRule = TokenScope | 'any' | 'unscoped'

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type Params<Path extends string> = { [Name in ParamNames<Path>]: string }

export type Schema = z.ZodType

export interface OperationSpec<
  Path extends string = string,
  A extends Access = Access,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
  M extends Method = Method,
> {
  method: M
  path: Path
  summary: string
  description?: string
  /** Marks the operation as deprecated. */
  deprecated?: true
  access: A
  scope: ScopeRule
  query?: Query
  body?: Body
  /** Maximum size of the body in bytes; by default 64 KB for public operations, else the configured limit. */
  maxBody?: number
  /** Name of the form field that contains the JSON when the body is `application/x-www-form-urlencoded`. */
  formField?: string
  /** Status of success; by default 200 with a reply, else 204. */
  status?: 200 | 201 | 204
  reply?: Reply
  /** The reply is a `CreatedReply` with the status 201 if the operation created the resource. */
  mayCreate?: true
  /** Error statuses besides those that all operations can return. */
  errors?: readonly (404 | 409 | 412)[]
  /** The reply contains a secret that is shown once, so it is never stored for replay. */
  secret?: true
  /**
   * The reply is about an immutable resource, so it can be cached for long. Its Git fields can still change, because a
   * revision can be exported later.
   */
  immutable?: true | 'without-metadata'
  /** Whether the operation only reads although its method is not GET, because its query does not fit into a URL. */
  readOnly?: true
  /** The reply is sent as server-sent events, whose data has the schema of `reply`. */
  eventStream?: true
  /** Also accepts resources in the trash. */
  includesDeleted?: true
}

/** Declares one operation. Validation, documentation and client are derived from it. */
export function operation<
  const Path extends string,
  const A extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
  const M extends Method = Method,
>(spec: OperationSpec<Path, A, Query, Body, Reply, M>): Operation<Path, A, Query, Body, Reply, M> {
  return { ...spec, status: spec.status ?? (spec.reply ? 200 : 204) }
}

export interface Operation<
  Path extends string = string,
  A extends Access = Access,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
  M extends Method = Method,
> extends OperationSpec<Path, A, Query, Body, Reply, M> {
  status: 200 | 201 | 204
}

export type Operations = Record<string, Operation>

/** Output type of a schema; `Absent` if there is none. */
type Output<S, Absent = undefined> = [NonNullable<S>] extends [never]
  ? Absent
  : NonNullable<S> extends Schema
    ? z.output<NonNullable<S>>
    : Absent
type Input<S> = [NonNullable<S>] extends [never]
  ? undefined
  : NonNullable<S> extends Schema
    ? z.input<NonNullable<S>>
    : undefined

export type ParamsOf<O extends Operation> = Params<O['path']>
export type QueryOf<O extends Operation> = Output<O['query']>
export type QueryInputOf<O extends Operation> = Input<O['query']>
export type BodyOf<O extends Operation> = Output<O['body']>
export type BodyInputOf<O extends Operation> = Input<O['body']>
export type ReplyOf<O extends Operation> = Output<O['reply'], void>

/** The names in braces in a path template. */
export function parseParamNames(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string)
}
