import type { Objects } from '../content/revision/objects.ts'
import type { RoleOrGuest, TokenScope } from '../contract/roles.ts'
import type { SiteLocator, SiteAddress } from '../publishing/site-urls.ts'
import type { Visitor } from '../publishing/visibility.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { Log } from './log.ts'
import type { Sealer } from './sealer.ts'
import type { Signer } from './signer.ts'

/** Authenticated caller of the API. */
export interface Principal {
  user: Row<'users'>
  /** ID of the API token, or `session:` and the ID of the session. */
  tokenId: string
  /** Scopes that the token is limited to; null if it has all rights of the user. */
  scopes: readonly TokenScope[] | null
  reach: OrganizationReach
  /** Session of a browser; absent for API tokens. */
  session?: PrincipalSession
}

/** Organizations that a caller can open, depending on how they signed in. Membership is checked in addition. */
export interface OrganizationReach {
  /** The only organization, if its identity provider signed the caller in. */
  only?: string
  /** Organizations of the caller that require SSO, which the caller did not use. */
  denied: ReadonlySet<string>
}

/** Session at the identity provider of an organization. */
export interface SsoSession {
  organizationId: string
  providerId: string
  /** Identifier of the user at the provider. */
  subject?: string | undefined
  subjectFormat?: string | undefined
  /** Identifier of the session at the provider. */
  sessionIndex?: string | undefined
}

/** Session that authenticates a principal. */
export interface PrincipalSession {
  id: string
  method: SignInMethod
  hasSecondFactor: boolean
  createdAt: string
  /** Identity provider of an organization that signed the user in. */
  sso: SsoSession | undefined
}

/** Builds the absolute URLs in replies. */
export interface Urls {
  api(path: string): string
  app(path: string): string
  /** Returns the URL of a path that belongs neither to the API nor to the app, for example of a file. */
  plain(path: string): string
  /** Returns the URL of a site with a trailing slash; with `isHosted: false`, never the one below a path of another domain. */
  site(site: SiteAddress, options?: { isHosted?: boolean }): string
  /** Returns the sites that a URL may belong to, most likely first, each with the path segments below it. */
  sitesAt(url: string): { locator: SiteLocator; segments: string[] }[]
}

/** Site with the columns that its URL is built from. */
export type SiteWithAddress = Row<'sites'> & SiteAddress

/** Visitor with a visit token of a site. */
export interface SiteVisitor extends Visitor {
  shareKey: string | undefined
  /** User ID of the member who permitted a preview of the site. */
  previewBy: string | undefined
  /** ID of the change request; only this one, or the revision below, is visible in addition to the published content. */
  changeRequestId: string | undefined
  revisionId: string | undefined
}

/** Objects of an organization within a transaction; written objects are stored by `flush`. */
export interface ObjectStore extends Objects {
  /** Stores the written objects in the transaction with which the store was opened. */
  flush(): Promise<void>
  /** Number of characters that were written but not stored yet. */
  readonly pending: number
  /** Stores the written objects in the given transaction. After it is committed, call `forget`. */
  store(db: Db): Promise<void>
  forget(): void
}

export type OpenObjects = (db: Db, organizationId: string) => ObjectStore

/** Adds a job to the queue as part of the transaction of `db`. */
export type Enqueue = <Payload>(db: Db, job: JobDescriptor<Payload>, payload: Payload) => Promise<void>

/** What enqueueing a job needs, without the code that runs it. */
export interface JobDescriptor<Payload> {
  name: string
  /** Returns the key of a job: jobs with the same name and key never run concurrently and are queued only once. */
  key?: (payload: Payload) => string
  /** Minimum delay in milliseconds before the job runs; the maximum is twice as long. */
  delay?: number
}

/** Definition of a background job. `run` may be repeated and must be idempotent. */
export interface JobKind<Payload> extends JobDescriptor<Payload> {
  attempts: number
  /** Maximum number of concurrent jobs of this kind per process, so that slow jobs do not delay others. */
  atOnce?: number
  /** Validates a stored payload. */
  parse: (payload: unknown) => Payload
  run: (context: JobContext, payload: Payload) => Promise<void>
}

/** Where a request came from. */
export interface Client {
  address: string
  userAgent: string | undefined
}

/** Context of every handler and job. `db` is the transaction of the request, or a read connection for a GET. */
export interface BaseContext {
  db: Db
  now: () => string
  newId: () => string
  urls: Urls
  enqueue: Enqueue
  openObjects: OpenObjects
  signer: Signer
  sealer: Sealer
  log: Log
  /** Undefined in jobs, in commands of the operator and for visitors of sites. */
  client: Client | undefined
}

/** Context of a job, which opens as many transactions as it needs, so that no transaction lasts as long as the job. */
export interface JobContext extends Omit<BaseContext, 'db'> {
  db: Db
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  signal: AbortSignal
}

/** Request as it was received, for verifying signatures of its body. */
export interface RawRequest {
  body: Uint8Array
  header(name: string): string | undefined
}

export interface PublicContext extends BaseContext {
  principal: Principal | undefined
  rawRequest: RawRequest
}

export interface UserContext extends BaseContext {
  principal: Principal
}

/** Member of an organization who views its content. */
export interface Viewer {
  organizationId: string
  userId: string
  /** Role in the organization; null for a guest. */
  role: RoleOrGuest
}

/** Context with the caller's membership of the organization to which the requested resources belong. */
export interface MemberContext extends UserContext {
  viewer: Viewer
}

export interface OrganizationContext extends MemberContext {
  organization: Row<'organizations'>
  /** The caller's role in the organization; null for a guest. */
  role: RoleOrGuest
}

export interface SpaceContext extends MemberContext {
  space: Row<'spaces'>
  /** The caller's effective role in the space. */
  role: RoleOrGuest
}

/** Context for reading a space, as a member or as a visitor of a site that contains it. */
export interface SpaceReadContext extends BaseContext {
  space: Row<'spaces'>
  role: RoleOrGuest
  principal?: Principal | undefined
  viewer?: Viewer | undefined
  visitor?: SiteVisitor | undefined
  /** Site through which the visitor reads the space. */
  site?: SiteWithAddress
}

export interface SiteContext extends OrganizationContext {
  site: SiteWithAddress
  /** The caller's effective role in the site. */
  siteRole: RoleOrGuest
}

/** Context for reading a site, as a member or as a visitor. */
export interface SiteReadContext extends BaseContext {
  site: SiteWithAddress
  siteRole: RoleOrGuest
  viewer?: Viewer | undefined
  visitor?: SiteVisitor | undefined
}

export interface CollectionContext extends MemberContext {
  collection: Row<'collections'>
  /** The caller's effective role in the collection. */
  role: RoleOrGuest
}

/** Context for creating something in a container: a collection, or the organization itself. */
export interface ContainerContext extends OrganizationContext {
  container: Row<'collections'> | undefined
  /** The caller's effective role in the container. */
  containerRole: RoleOrGuest
}

/** Type of the context that the handler of an operation receives, by the operation's `access`. */
export type ContextOf<A extends string> = A extends 'public'
  ? PublicContext
  : A extends 'user' | 'operator'
    ? UserContext
    : A extends 'space:visit'
      ? SpaceReadContext
      : A extends 'site:visit'
        ? SiteReadContext
        : A extends `space:${string}`
          ? SpaceContext
          : A extends `site:${string}`
            ? SiteContext
            : A extends `collection:${string}`
              ? CollectionContext
              : A extends 'container:create'
                ? ContainerContext
                : OrganizationContext
