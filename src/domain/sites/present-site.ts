import { type RoleOrGuest, may } from '../../contract/roles.ts'
import { type Site, type SiteVisibility, siteFeatures } from '../../contract/site.ts'
import type { PlacedSite, Urls } from '../../kernel/context.ts'
import { completeSettings, readSettings } from '../../publishing/customization.ts'
import { presentLevel } from '../spaces/default-level.ts'

interface Details {
  siteSpaces: number
  shareKey?: string | undefined
}

export function presentSite(site: PlacedSite, role: RoleOrGuest, urls: Urls, { siteSpaces, shareKey }: Details): Site {
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
    defaultLevel: presentLevel(site.default_level),
    published: site.published === 1,
    siteSpaces,
    createdAt: site.created_at,
    adaptiveContent: { enabled: site.adaptive_content === 1 },
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
      view: may('site', 'view', role),
      access: may('site', 'access', role),
      edit: may('site', 'edit', role),
      create: may('site', 'create', role),
      admin: may('site', 'admin', role),
      installIntegration: may('site', 'installIntegration', role),
      viewAdaptiveSchema: may('site', 'viewAdaptiveSchema', role),
      editAdaptiveSchema: may('site', 'editAdaptiveSchema', role),
    },
  }
}

/** Returns the URL of a published site; undefined if it is not published or requires a share link that is not given. */
export function getPublishedUrl(site: PlacedSite, urls: Urls, shareKey: string | undefined): string | undefined {
  if (site.published === 0) return undefined
  return withShareKey(urls.site(site), site.visibility, shareKey)
}

function withShareKey(base: string, visibility: SiteVisibility, shareKey: string | undefined): string | undefined {
  if (visibility !== 'share-link') return base
  return shareKey === undefined ? undefined : `${base}${encodeURIComponent(shareKey)}/`
}

function iconOf({ customization }: PlacedSite): Site['icon'] {
  if (customization === null) return null
  const { favicon } = completeSettings(readSettings(customization))
  return 'icon' in favicon || 'emoji' in favicon ? favicon : null
}
