import type { FirstStart } from '../server/bootstrap.ts'
import type { Config } from '../server/config.ts'

/** What a first start has created; the token is shown only here. */
export function firstStartLines({ email, organizationId, spaceId, token }: FirstStart, config: Config): string[] {
  const shown = config.bootstrapToken ? 'the one in OCTAVO_BOOTSTRAP_TOKEN' : `${token}   (shown this once: keep it)`
  return [`  Admin     ${email}`, `  Org       ${organizationId}`, `  Space     ${spaceId}`, `  Token     ${shown}`]
}
