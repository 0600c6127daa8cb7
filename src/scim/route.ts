import type { Client } from '../kernel/context.ts'
import type { JsonStream } from '../kernel/json-stream.ts'
import type { Db, Row } from '../schema/tables.ts'

/** Context of a SCIM request. `db` is the transaction of the request, or a read connection if it only reads. */
export interface ScimContext {
  db: Db
  now: () => string
  newId: () => string
  organization: Row<'organizations'>
  /** Client that sent the request, and the ID of its token, for the audit log. */
  client: Client
  tokenId: string
  /** URL of the SCIM API of the organization, without a slash at its end. */
  baseUrl: string
}

export interface ScimRequest {
  /** Id in the path; empty if the path has none. */
  id: string
  query: (name: string) => string | undefined
  body: unknown
}

export interface ScimReply {
  status: number
  /** Absent for a reply without content; a string is the text of the reply. */
  body?: object | string | JsonStream
  /** URL of a created resource. */
  location?: string
}

/** Operation of the SCIM API. */
export interface ScimRoute {
  /** Name in logs and metrics. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base URL, with `:id` for the id of a resource. */
  path: string
  /** Maximum number of bytes of the body; absent for a route without a body. */
  maxBody?: number
  /** Whether it runs on a read connection. */
  isReadOnly: boolean
  handle: (context: ScimContext, request: ScimRequest) => Promise<ScimReply> | ScimReply
}
