import type { FirstStart } from '../server/bootstrap.ts'
import { findOwnOrigins } from '../access/session-cookie.ts'
import type { Urls } from '../kernel/context.ts'
import type { Config } from '../server/config.ts'

/** Returns the URL of a page for signing in; on this machine with the name that passkeys need. */
export function toSignInUrl(urls: Urls, path: string): string {
  const url = new URL(urls.plain(path))
  return new URL(url.pathname, findOwnOrigins(url.href).at(-1)).href
}

/** Describes what the first start has created; the token is printed only here. */
export function firstStartLines(
  { email, organizationId, spaceId, token, setupToken }: FirstStart,
  config: Config,
  urls: Urls,
): string[] {
  const shown = config.bootstrapToken
    ? 'the value of OCTAVO_BOOTSTRAP_TOKEN'
    : `${token}   (shown only once: save it now)`
  return [
    `  Sign in   ${toSignInUrl(urls, `/setup/${setupToken}`)}   (valid once, for 7 days)`,
    `  App       ${toSignInUrl(urls, '/app')}`,
    `  Admin     ${email}`,
    `  Org       ${organizationId}`,
    `  Space     ${spaceId}`,
    `  Token     ${shown}`,
  ]
}
