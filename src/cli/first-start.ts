import type { FirstStart } from '../server/bootstrap.ts'
import type { Urls } from '../kernel/context.ts'
import type { Config } from '../server/config.ts'

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
    `  Sign in   ${urls.plain(`/setup/${setupToken}`)}   (valid once, for 7 days)`,
    `  Admin     ${email}`,
    `  Org       ${organizationId}`,
    `  Space     ${spaceId}`,
    `  Token     ${shown}`,
  ]
}
