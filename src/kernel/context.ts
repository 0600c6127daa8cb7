import type { Objects } from '../content/revision/objects.ts'
import type { RoleOrGuest, Scope } from '../contract/roles.ts'
import type { SiteName, SitePlace } from '../publishing/addresses.ts'
import type { Visitor } from '../publishing/visibility.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { Log } from './log.ts'
import type { Sealer } from './sealer.ts'
import type { Signer } from './signer.ts'

/** Who is calling. */
export interface Principal {
  user: Row<'users'>
  tokenId: string
  /** What the token is limited to; null: all rights of the user. */
  scopes: readonly Scope[] | null
}

/** Makes the absolute addresses in replies. */
export interface Urls {
  api(path: string): string
  app(path: string): string
  /** Of what is neither: files. */
  plain(path: string): string
  /** Where a site is found, ending with a slash; `isHosted`: also when it is hosted below a path of another domain. */
  site(place: SitePlace, options?: { isHosted?: boolean }): string
  /** Which sites an address may belong to, the likeliest first, each with the path below it. */
  sitesAt(url: string): { name: SiteName; segments: string[] }[]
}

/** A site with what its address is made of. */
export type PlacedSite = Row<'sites'> & SitePlace

/** Somebody with a token that the address of a site was resolved to. */
export interface SiteVisitor extends Visitor {
  shareKey: string | undefined
  /** The member who lets them preview the site. */
  previewBy: string | undefined
  /** The one change request or revision that they may look at besides what is live. */
  changeRequestId: string | undefined
  revisionId: string | undefined
}

/** The objects of an organization within a transaction; what is written stays once it was flushed. */
export interface ObjectStore extends Objects {
  /** Stores what was written, in the transaction that the objects were opened with. */
  flush(): Promise<void>
  /** How many characters were written and not stored yet. */
  readonly pending: number
  /** Stores what was written in a transaction; once that has succeeded, `forget` is to be called. */
  store(db: Db): Promise<void>
  forget(): void
}

export type OpenObjects = (db: Db, organizationId: string) => ObjectStore

/** Puts a job into the queue, as part of the transaction of `db`. */
export type Enqueue = <Payload>(db: Db, job: JobName<Payload>, payload: Payload) => Promise<void>

/** What is needed to ask for background work, as opposed to doing it. */
export interface JobName<Payload> {
  name: string
  /** Jobs of one kind and key never run at the same time, and wait in the queue only once. */
  key?: (payload: Payload) => string
  /** How many milliseconds must pass before it runs; at most twice as many do. */
  delay?: number
}

/** A kind of background work; `run` may be repeated, so it must end in the same state when it is. */
export interface JobKind<Payload> extends JobName<Payload> {
  attempts: number
  /** How many jobs of the kind one process works on at a time, when they take long and others should not wait for them. */
  atOnce?: number
  /** Checks a stored payload. */
  parse: (payload: unknown) => Payload
  run: (context: JobContext, payload: Payload) => Promise<void>
}

/** What every handler and job is given. `db` is the transaction of the request, or a read connection for a GET. */
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
}

/** A job opens its own transactions, as many as it needs, so that no transaction is as long as the job. */
export interface JobContext extends Omit<BaseContext, 'db'> {
  db: Db
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  signal: AbortSignal
}

/** A request as it was sent, for those who check signatures over it. */
export interface RawRequest {
  body: Uint8Array
  header(name: string): string | undefined
}

export interface PublicContext extends BaseContext {
  principal: Principal | undefined
  sent: RawRequest
}

export interface UserContext extends BaseContext {
  principal: Principal
}

/** A member of an organization, as one who looks at its content. */
export interface Viewer {
  organizationId: string
  userId: string
  /** The role in the organization; null for a guest. */
  role: RoleOrGuest
}

/** The caller's membership of the organization that everything in the request belongs to. */
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

/** A space as it is read: by a member, or by a visitor of a site that it stands on. */
export interface SpaceReadContext extends BaseContext {
  space: Row<'spaces'>
  role: RoleOrGuest
  viewer?: Viewer | undefined
  visitor?: SiteVisitor | undefined
  /** The site that the visitor is on. */
  site?: PlacedSite
}

export interface SiteContext extends OrganizationContext {
  site: PlacedSite
  /** The caller's effective role in the site. */
  siteRole: RoleOrGuest
}

/** A site as it is looked at: by a member, or by a visitor. */
export interface SiteReadContext extends BaseContext {
  site: PlacedSite
  siteRole: RoleOrGuest
  viewer?: Viewer | undefined
  visitor?: SiteVisitor | undefined
}

export interface CollectionContext extends MemberContext {
  collection: Row<'collections'>
  /** The caller's effective role in the collection. */
  role: RoleOrGuest
}

/** What something new is to be created in: a collection, or the organization itself. */
export interface ContainerContext extends OrganizationContext {
  container: Row<'collections'> | undefined
  /** The caller's effective role in the container. */
  containerRole: RoleOrGuest
}

/** Which context an operation's handler is given, by its `access`. */
export type ContextOf<A extends string> = A extends 'public'
  ? PublicContext
  : A extends 'user'
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
