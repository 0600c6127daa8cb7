import type { z } from 'zod'
import type { Action, Scope } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an operation: anyone, anyone with a token, or whoever may do the action
 * on the resource that the path names (`{organizationId}`, `{spaceId}`, ...). These rules widen that:
 * - `team:admin` also admits the owners of the team that the path names,
 * - `member:admin` also admits the member that the path names,
 * - `container:create` asks the collection that the body names as `parent`, if it names one, else the organization,
 * - `site:visit` and `space:visit` also admit visitors of a site, who come with the token that its address was resolved to.
 */
export type Access =
  | 'public'
  | 'user'
  | `organization:${Action<'organization'>}`
  | `space:${Action<'space'>}`
  | `collection:${Action<'collection'>}`
  | `site:${Action<'site'>}`
  | 'site:visit'
  | 'space:visit'
  | 'team:admin'
  | 'member:admin'
  | 'container:create'

/** What a scoped token must carry: one scope, or nothing (`any`, for public operations only); `unscoped` admits no scoped token at all. */
export type ScopeRule = Scope | 'any' | 'unscoped'

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
> {
  method: Method
  path: Path
  summary: string
  description?: string
  /** What is still answered, but has something better beside it. */
  deprecated?: true
  access: A
  scope: ScopeRule
  query?: Query
  body?: Body
  /** Maximum number of bytes of the body, when it differs from the usual: 64 KB for public operations, else what is configured. */
  maxBody?: number
  /** The field of a form that may hold the JSON instead, in a body of the type `application/x-www-form-urlencoded`. */
  formField?: string
  /** Of success; 200 when there is a reply, else 204. */
  status?: 200 | 201 | 204
  reply?: Reply
  /** The error statuses beyond the ones every operation may answer. */
  errors?: readonly (404 | 409 | 412)[]
  /** The reply holds a secret that is shown once, so it is never stored for replay. */
  secret?: true
  /**
   * The reply is about what never changes, so it may be kept for long. What Git says of it does change: a revision may
   * be exported later.
   */
  immutable?: true | 'without-metadata'
  /** Changes nothing, though its method may say otherwise: what it asks for does not fit into an address. */
  readOnly?: true
  /** Also finds resources that are deleted but not yet removed for good. */
  includesDeleted?: true
}

/** Declares one operation; everything else about it (checks, documents, client) is derived from this. */
export function operation<
  const Path extends string,
  const A extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
>(spec: OperationSpec<Path, A, Query, Body, Reply>): Operation<Path, A, Query, Body, Reply> {
  return { ...spec, status: spec.status ?? (spec.reply ? 200 : 204) }
}

export interface Operation<
  Path extends string = string,
  A extends Access = Access,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
> extends OperationSpec<Path, A, Query, Body, Reply> {
  status: 200 | 201 | 204
}

export type Operations = Record<string, Operation>

/** What a schema yields; `Absent` when there is none. */
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
export function paramNames(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string)
}
