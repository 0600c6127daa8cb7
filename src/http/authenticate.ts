import {
  findOwnOrigins,
  isCrossOrigin,
  isSecureUrl,
  isSessionProof,
  readCookie,
  sessionProofHeader,
} from '../access/session-cookie.ts'
import { type SessionLifetimes, findSessionPrincipal } from '../access/sessions.ts'
import { findPrincipal } from '../access/tokens.ts'
import type { Urls } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import type { Signer } from '../kernel/signer.ts'
import type { Database } from '../storage/database.ts'
import type { Caller } from '../visitors/authorize-caller.ts'
import { isVisitToken, verifyVisitToken } from '../visitors/visit-token.ts'

export interface AuthenticationServices {
  database: Database
  signer: Signer
  urls: Urls
  sessionLifetimes: SessionLifetimes
}

/** Head of a request. */
interface RequestHead {
  header: (name: string) => string | undefined
  isGet: boolean
}

/** Returns the caller of a request: a user with a token or session, a visitor of a site, or an anonymous caller. */
export async function authenticate(services: AuthenticationServices, head: RequestHead, now: string): Promise<Caller> {
  const authorization = head.header('authorization')
  return authorization === undefined
    ? authenticateSession(services, head, now)
    : authenticateToken(services, authorization, now)
}

async function authenticateToken(
  { database, signer }: AuthenticationServices,
  authorization: string,
  now: string,
): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (token === undefined) return {}
  if (isVisitToken(token)) {
    const visit = verifyVisitToken(signer, token, Date.parse(now))
    return visit ? { visit } : {}
  }
  const principal = await findPrincipal(database.reader, token, now)
  return principal ? { principal } : {}
}

/** Returns the caller of a request from a page of this server: the cookie names the session, and the header proves where it came from. */
async function authenticateSession(
  { database, signer, urls, sessionLifetimes }: AuthenticationServices,
  { header, isGet }: RequestHead,
  now: string,
): Promise<Caller> {
  const proof = header(sessionProofHeader)
  if (proof === undefined) return {}
  const baseUrl = urls.plain('/')
  const token = readCookie(header('cookie'), 'session', isSecureUrl(baseUrl))
  const principal =
    token === undefined ? undefined : await findSessionPrincipal(database.reader, token, now, sessionLifetimes)
  if (!principal?.session || !isSessionProof(signer, principal.session.id, proof))
    throw new AppError('unauthenticated', 'The session has ended. Sign in again')
  if (!isGet && isCrossOrigin(header, findOwnOrigins(baseUrl)))
    throw new AppError('forbidden', 'A session can only be used by pages of this server')
  return { principal }
}
