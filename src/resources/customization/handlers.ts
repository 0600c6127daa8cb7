import { loadStructure } from '../../access/sites.ts'
import { type SiteCustomization, type SiteSpaceCustomization, siteCustomization } from '../../contract/customization.ts'
import type { PlacedSite, SiteContext } from '../../kernel/context.ts'
import { invalid, invalidFields } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { maxSettingsLength, settingsProblems } from '../../publishing/customization-checks.ts'
import {
  type GivenSettings,
  applyOverrides,
  completeSettings,
  givenSettings,
  overridden,
  readSettings,
} from '../../publishing/customization.ts'
import type { Row } from '../../schema/tables.ts'
import { getItem } from '../site-structure/items.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import * as store from '../../domain/sites/override-store.ts'

type CustomizedSite = Pick<Row<'sites'>, 'customization' | 'customization_updated_at'>

export const siteCustomizationRoutes = implement(siteCustomization, {
  async getSiteCustomizationById({ site }) {
    return presentSettings(site)
  },

  async updateSiteCustomizationById(context, { body }) {
    return presentSettings(await changeSettings(context, { customization: checkedText(givenSettings(body)) }))
  },

  async getSiteSpaceCustomizationById(context, { params: { siteSpaceId } }) {
    return presentOverridden(context.site, await getOverrides(context, siteSpaceId))
  },

  async overrideSiteSpaceCustomizationById(context, { params: { siteSpaceId }, body }) {
    const { db, site } = context
    const overrides = applyOverrides(await getOverrides(context, siteSpaceId), body)
    await store.updateOverrides(db, site, siteSpaceId, overrides ? checkedText(overrides) : null)
    return presentOverridden(await changeSettings(context), overrides)
  },

  async deleteSiteSpaceCustomizationById(context, { params: { siteSpaceId } }) {
    const { db, site } = context
    const item = (await loadStructure(db, site)).get(siteSpaceId, 'space')
    if (!item || (await store.findOverrides(db, site, item.id)) === null) return
    await store.updateOverrides(db, site, siteSpaceId, null)
    await changeSettings(context)
  },
})

function changeSettings(context: SiteContext, values: Partial<CustomizedSite> = {}): Promise<PlacedSite> {
  return updateSite(context, context.site, { ...values, customization_updated_at: context.now() })
}

async function getOverrides(context: SiteContext, siteSpaceId: string): Promise<GivenSettings | undefined> {
  const { id } = await getItem(context, siteSpaceId, 'space')
  return readSettings(await store.findOverrides(context.db, context.site, id))
}

/** Returns settings as they are stored; fails if they are invalid or too long. */
function checkedText(settings: GivenSettings): string {
  const problems = settingsProblems(settings)
  if (problems.length > 0) throw invalidFields(problems)
  const text = JSON.stringify(settings)
  if (text.length > maxSettingsLength)
    throw invalid('body', `must have at most ${maxSettingsLength} characters as JSON`)
  return text
}

const changedAt = ({ customization_updated_at: updatedAt }: CustomizedSite) => (updatedAt === null ? {} : { updatedAt })

function presentSettings(site: CustomizedSite): SiteCustomization {
  return { ...completeSettings(readSettings(site.customization)), ...changedAt(site) }
}

function presentOverridden(site: CustomizedSite, overrides: GivenSettings | undefined): SiteSpaceCustomization {
  return {
    ...overridden(readSettings(site.customization), overrides),
    ...changedAt(site),
    hasOverrides: overrides !== undefined,
  }
}
