import { loadStructure } from '../../access/sites.ts'
import type { SiteCustomization, SiteSpaceCustomization } from '../../contract/customization.ts'
import { siteCustomization } from '../../contract/customization-operations.ts'
import type { SiteWithAddress, SiteContext } from '../../kernel/context.ts'
import { AppError, invalid, invalidFields } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { maxSettingsLength, findSettingsProblems } from '../../publishing/customization-checks.ts'
import {
  type ExplicitSettings,
  applyChanges,
  applyOverrides,
  completeSettings,
  normalizeSettings,
  resolveSiteSpaceSettings,
  parseStoredSettings,
} from '../../publishing/customization.ts'
import type { Row } from '../../schema/tables.ts'
import { getItem } from '../site-structure/items.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { insertCustomizationPreview } from '../../domain/sites/customization-previews.ts'
import * as store from '../../domain/sites/override-store.ts'
import { buildPreviewUrl } from '../../visitors/customization-preview.ts'

type CustomizedSite = Pick<Row<'sites'>, 'customization' | 'customization_updated_at'>

export const siteCustomizationRoutes = implement(siteCustomization, {
  async getSiteCustomizationById({ site }) {
    return presentSettings(site)
  },

  updateSiteCustomizationById: (context, { body }) => replaceSettings(context, normalizeSettings(body)),

  changeSiteCustomizationById: (context, { body }) =>
    replaceSettings(context, applyChanges(parseStoredSettings(context.site.customization), body)),

  async createSiteCustomizationPreview(context, { body: { changes, siteSpaces } }) {
    const { site, urls, principal } = context
    // A preview shows the content of spaces.
    if (principal.scopes && !principal.scopes.includes('space:read'))
      throw new AppError('forbidden', 'A token with the scopes site:write and space:read is required')
    const overrides: Record<string, string | null> = {}
    for (const [siteSpaceId, patch] of Object.entries(siteSpaces)) {
      const changed = applyOverrides(await getOverrides(context, siteSpaceId), patch)
      overrides[siteSpaceId] = changed ? serializeSettings(changed) : null
    }
    const settings = serializeSettings(applyChanges(parseStoredSettings(site.customization), changes))
    if (JSON.stringify(overrides).length > maxSettingsLength)
      throw invalid('body.siteSpaces', `must have at most ${maxSettingsLength} characters as JSON`)
    const { id, expiresAt } = await insertCustomizationPreview(context, { site: settings, overrides })
    return { url: buildPreviewUrl(urls, id), expiresAt }
  },

  async getSiteSpaceCustomizationById(context, { params: { siteSpaceId } }) {
    return presentOverridden(context.site, await getOverrides(context, siteSpaceId))
  },

  async overrideSiteSpaceCustomizationById(context, { params: { siteSpaceId }, body }) {
    const { db, site } = context
    const former = await getOverrides(context, siteSpaceId)
    const overrides = applyOverrides(former, body)
    await recordOverrides(context, siteSpaceId, former, overrides)
    await store.updateOverrides(db, site, siteSpaceId, overrides ? serializeSettings(overrides) : null)
    return presentOverridden(await updateSettings(context), overrides)
  },

  async deleteSiteSpaceCustomizationById(context, { params: { siteSpaceId } }) {
    const { db, site } = context
    const item = (await loadStructure(db, site)).get(siteSpaceId, 'space')
    const former = item && parseStoredSettings(await store.findOverrides(db, site, item.id))
    if (!former) return
    await recordOverrides(context, siteSpaceId, former, undefined)
    await store.updateOverrides(db, site, siteSpaceId, null)
    await updateSettings(context)
  },
})

async function replaceSettings(context: SiteContext, settings: ExplicitSettings): Promise<SiteCustomization> {
  const updated = await updateSettings(context, { customization: serializeSettings(settings) })
  await recordEventAbout(context, 'site', updated, 'site.customization-update', {
    before: { ...parseStoredSettings(context.site.customization) },
    after: { ...settings },
  })
  return presentSettings(updated)
}

function updateSettings(context: SiteContext, values: Partial<CustomizedSite> = {}): Promise<SiteWithAddress> {
  return updateSite(context, context.site, { ...values, customization_updated_at: context.now() })
}

/** Records a change of the customization of one site space. */
function recordOverrides(
  context: SiteContext,
  siteSpace: string,
  before: ExplicitSettings | undefined,
  after: ExplicitSettings | undefined,
): Promise<void> {
  return recordEventAbout(context, 'site', context.site, 'site.customization-update', {
    before: { [siteSpace]: before },
    after: { [siteSpace]: after },
  })
}

async function getOverrides(context: SiteContext, siteSpaceId: string): Promise<ExplicitSettings | undefined> {
  const { id } = await getItem(context, siteSpaceId, 'space')
  return parseStoredSettings(await store.findOverrides(context.db, context.site, id))
}

/** Returns settings as they are stored; fails if they are invalid or too long. */
function serializeSettings(settings: ExplicitSettings): string {
  const problems = findSettingsProblems(settings)
  if (problems.length > 0) throw invalidFields(problems)
  const text = JSON.stringify(settings)
  if (text.length > maxSettingsLength)
    throw invalid('body', `must have at most ${maxSettingsLength} characters as JSON`)
  return text
}

const presentUpdatedAt = ({ customization_updated_at: updatedAt }: CustomizedSite) =>
  updatedAt === null ? {} : { updatedAt }

function presentSettings(site: CustomizedSite): SiteCustomization {
  return { ...completeSettings(parseStoredSettings(site.customization)), ...presentUpdatedAt(site) }
}

function presentOverridden(site: CustomizedSite, overrides: ExplicitSettings | undefined): SiteSpaceCustomization {
  return {
    ...resolveSiteSpaceSettings(parseStoredSettings(site.customization), overrides),
    ...presentUpdatedAt(site),
    hasOverrides: overrides !== undefined,
  }
}
