import type { SitePublishingAuth } from '../../contract/publishing.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { newAuthKey } from '../sites/create-site.ts'

type Site = Row<'sites'>

export function readAuth({ site, sealer }: Pick<SiteContext, 'site' | 'sealer'>): SitePublishingAuth {
  const privateKey = site.auth_key === null ? undefined : sealer.open(site.auth_key)
  if (privateKey === undefined) {
    throw conflict('The private key cannot be decrypted, because OCTAVO_SECRET_KEY has changed. Regenerate the key')
  }
  return presentAuth(site, privateKey)
}

interface AuthChange {
  backend: 'custom' | 'integration'
  fallbackURL?: string | null | undefined
  logoutURL?: string | null | undefined
}

export async function updateAuth(context: SiteContext, change: AuthChange): Promise<SitePublishingAuth> {
  if (change.backend !== 'custom') {
    throw invalid('body.backend', 'must be `custom`, because integrations are not supported')
  }
  const site = await updateSite(context, context.site, {
    ...(change.fallbackURL !== undefined && { auth_fallback_url: change.fallbackURL }),
    ...(change.logoutURL !== undefined && { auth_logout_url: change.logoutURL }),
  })
  await recordEventAbout(context, 'site', site, 'site.auth-update', {
    before: toAuditedSettings(context.site),
    after: toAuditedSettings(site),
  })
  return readAuth({ ...context, site })
}

/**
 * Generates a new key for a site. Visit tokens contain the fingerprint of the key, so visitors who signed in before
 * must do so again.
 */
export async function regenerateAuth(context: SiteContext): Promise<SitePublishingAuth> {
  const privateKey = newAuthKey()
  await recordEventAbout(context, 'site', context.site, 'site.auth-key-regenerate')
  return presentAuth(await updateSite(context, context.site, { auth_key: context.sealer.seal(privateKey) }), privateKey)
}

const toAuditedSettings = (site: Site) => ({ fallbackURL: site.auth_fallback_url, logoutURL: site.auth_logout_url })

function presentAuth({ auth_fallback_url, auth_logout_url }: Site, privateKey: string): SitePublishingAuth {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey,
    ...(auth_fallback_url !== null && { fallbackURL: auth_fallback_url }),
    ...(auth_logout_url !== null && { logoutURL: auth_logout_url }),
  }
}
