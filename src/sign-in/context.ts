import type { SessionLifetimes } from '../access/sessions.ts'
import type { LiveStreams } from '../domain/live/live-streams.ts'
import type { BaseContext, Principal, PrincipalSession } from '../kernel/context.ts'
import type { PageReply, PageRequest } from '../kernel/page-http.ts'
import type { Clock } from '../kernel/time.ts'
import type { Database } from '../storage/database.ts'
import type { OidcClient } from './oidc/client.ts'

/** Ways to sign in that an operator can turn off. */
export const signInMethods = ['passkey', 'password', 'email'] as const
export type SignInOption = (typeof signInMethods)[number]

export interface SignInSettings {
  lifetimes: SessionLifetimes
  methods: ReadonlySet<SignInOption>
  /** Maximum number of requests of a network per minute; 0 for no limit. */
  requestsPerMinute: number
  /** Whether the operator has configured mail. */
  hasMail: boolean
}

/** Services of the server that pages need. */
export interface SignInServices extends Pick<
  BaseContext,
  'urls' | 'signer' | 'sealer' | 'log' | 'enqueue' | 'openObjects'
> {
  database: Database
  clock: Clock
  settings: SignInSettings
  oidc: OidcClient
  live: Pick<LiveStreams, 'readEventId'>
}

export type SessionPrincipal = Principal & { session: PrincipalSession }

/** Context of a request to a page. */
export interface PageContext extends SignInServices {
  request: PageRequest
  /** Origin of the pages of this server, as the browser uses it. */
  origin: string
  now: () => string
  newId: () => string
  /** ID of the browser, which binds forms and links to it. */
  browserId: string
  /** User who is signed in. */
  principal: SessionPrincipal | undefined
  params: Readonly<Record<string, string>>
  /** Fields of the submitted form; empty for other requests. */
  form: URLSearchParams
}

/** Context of a page that only users who are signed in can open. */
export type AccountContext = PageContext & { principal: SessionPrincipal }

/**
 * Route of a page. `form` routes are requested by forms of this server only; `script` routes by its scripts, with JSON and the proof of
 * the session; `open` routes by other servers and clients, and check their requests themselves. Pages with `isOpen` contain no proofs.
 * Pages with `isFrame` are requested by frames of pages on this host only, and never by scripts, which could read them.
 */
export type PageRoute = {
  path: string
  /** Whether requests are costly even before the sender is known, so that fewer are accepted per minute. */
  isCostly?: true
  handler: (context: PageContext) => Promise<PageReply>
} & ({ method: 'GET'; isOpen?: true; isFrame?: true } | { method: 'POST'; kind: 'form' | 'script' | 'open' })
