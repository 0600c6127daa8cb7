import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import { type Site, type SiteVisibility, siteFeatures } from '../../contract/site.ts'
import type { SiteWithAddress, Urls } from '../../kernel/context.ts'
import { completeSettings, parseStoredSettings } from '../../publishing/customization.ts'
import { presentDefaultLevel } from '../spaces/default-level.ts'

interface SiteDetails {
  siteSpaces: number
  shareKey?: string | undefined
}

export function presentSite(
  site: SiteWithAddress,
  role: RoleOrGuest,
  urls: Urls,
  { siteSpaces, shareKey }: SiteDetails,
): Site {
  const published = getPublishedUrl(site, urls, shareKey)
  const path = `/orgs/${site.organization_id}/sites/${site.id}`
  return {
    object: 'site',
    id: site.id,
    type: site.type,
    appliedType: site.type,
    title: site.title,
    icon: iconOf(site),
    ...(site.hostname !== null && { hostname: site.hostname }),
    basename: site.basename,
    ...(site.proxy !== null && { proxy: { origin: site.proxy, target: urls.site(site, { isHosted: false }) } }),
    visibility: site.visibility,
    defaultLevel: presentDefaultLevel(site.default_level),
    published: site.published === 1,
    siteSpaces,
    createdAt: site.created_at,
    adaptiveContent: {
      enabled: site.adaptive_content === 1,
      ...(site.adaptive_schema_updated_at !== null && { schemaUpdatedAt: site.adaptive_schema_updated_at }),
    },
    agentsContext: site.agents_context,
    features: siteFeatures.map((id) => ({ id, plan: site.type, frozen: false })),
    urls: {
      location: urls.api(path),
      app: urls.app(path),
      preview: urls.api(`${path}/publishing/preview`),
      ...(published !== undefined && { published }),
      ...(site.visibility === 'visitor-auth' && site.auth_fallback_url !== null && { login: site.auth_fallback_url }),
      ...(site.visibility === 'visitor-auth' && site.auth_logout_url !== null && { logout: site.auth_logout_url }),
    },
    permissions: {
      view: isActionAllowed('site', 'view', role),
      access: isActionAllowed('site', 'access', role),
      edit: isActionAllowed('site', 'edit', role),
      create: isActionAllowed('site', 'create', role),
      admin: isActionAllowed('site', 'admin', role),
      installIntegration: isActionAllowed('site', 'installIntegration', role),
      viewAdaptiveSchema: isActionAllowed('site', 'viewAdaptiveSchema', role),
      editAdaptiveSchema: isActionAllowed('site', 'editAdaptiveSchema', role),
    },
  }
}

/** Returns the URL of a published site; undefined if it is not published or requires a share link that is not given. */
export function getPublishedUrl(site: SiteWithAddress, urls: Urls, shareKey: string | undefined): string | undefined {
  if (site.published === 0) return undefined
  return withShareKey(urls.site(site), site.visibility, shareKey)
}

function withShareKey(base: string, visibility: SiteVisibility, shareKey: string | undefined): string | undefined {
  if (visibility !== 'share-link') return base
  return shareKey === undefined ? undefined : `${base}${encodeURIComponent(shareKey)}/`
}

function iconOf({ customization }: SiteWithAddress): Site['icon'] {
  if (customization === null) return null
  const { favicon } = completeSettings(parseStoredSettings(customization))
  return 'icon' in favicon || 'emoji' in favicon ? favicon : null
}
