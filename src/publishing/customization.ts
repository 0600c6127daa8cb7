import {
  type SiteCustomization,
  SiteCustomizationInput,
  type SiteSpaceCustomizationInput,
} from '../contract/customization.ts'
import type { PageAction } from '../contract/customization-values.ts'
import { defaultSettings } from './customization-defaults.ts'
import type { Viewpoint } from './visibility.ts'

/** Explicitly set settings of a site or overrides of a site space; unset fields are omitted. */
export type GivenSettings = SiteCustomizationInput

type Fields = Record<string, unknown>

/** Names of objects that are replaced as a whole instead of being merged. */
const values: ReadonlySet<string> = new Set([
  'favicon',
  'primaryLink',
  'link',
  'font',
  'headingFont',
  'monospaceFont',
  'localizedTitle',
  'localizedMessage',
  'localizedGreeting',
])

const isGroup = (name: string, value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !values.has(name)

/** Merges a change into fields: changed fields are replaced; nulls and empty groups are removed. */
function changed(fields: Fields, change: Fields): Fields {
  const next = new Map(Object.entries(fields))
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    const before = next.get(name)
    const after = isGroup(name, value) ? changed(isGroup(name, before) ? before : {}, value) : value
    if (after === null || (isGroup(name, after) && Object.keys(after).length === 0)) next.delete(name)
    else next.set(name, after)
  }
  return Object.fromEntries(next)
}

/** Normalizes settings that replace all previous ones, for storage. */
export const givenSettings = (input: SiteCustomizationInput): GivenSettings => changed({}, input)

/** Merges a patch into the overrides of a site space; undefined if no override remains. */
export function applyOverrides(
  stored: GivenSettings | undefined,
  patch: SiteSpaceCustomizationInput,
): GivenSettings | undefined {
  const overrides: GivenSettings = changed(stored ?? {}, patch)
  return Object.keys(overrides).length > 0 ? overrides : undefined
}

/** Parses stored settings; fields that are invalid, perhaps because another version wrote them, are treated as not set. */
export function readSettings(text: string | null): GivenSettings | undefined {
  if (text === null) return undefined
  const stored = parsed(text)
  const read = SiteCustomizationInput.safeParse(stored)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path }) => path.slice(0, 2).map(String))
  return SiteCustomizationInput.safeParse(wrong.reduce(withoutField, stored)).data ?? {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutField(value: unknown, [name, ...inner]: string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return {}
  const { [name]: field, ...rest } = value as Fields
  return inner.length > 0 && isGroup(name, field) ? { ...rest, [name]: withoutField(field, inner) } : rest
}

/** Returns all settings of a site: explicitly set ones and defaults for the rest. */
export function completeSettings(given: GivenSettings = {}): SiteCustomization {
  const { privacyPolicy, socialPreview, favicon, ...settings } = changed(
    defaultSettings,
    given,
  ) as typeof defaultSettings & GivenSettings
  const { styling, header, footer, announcement } = settings
  const tint = bothModes(styling.tint?.color)
  return {
    ...settings,
    styling: {
      ...styling,
      tint: tint && { color: tint },
      headingFont: styling.headingFont ?? undefined,
    },
    favicon: completeFavicon(favicon),
    header: {
      ...header,
      logo: bothModes(header.logo),
      backgroundColor: bothModes(header.backgroundColor),
      linkColor: bothModes(header.linkColor),
    },
    footer: { ...footer, logo: bothModes(footer.logo) },
    announcement: announcement && { enabled: false, message: '', style: 'info', ...announcement },
    privacyPolicy: privacyPolicy ?? {},
    socialPreview: socialPreview ?? {},
    ...pageActionsOf(given),
  }
}

/**
 * Returns the settings for a visitor: header links whose condition is false are removed, and conditions are removed from the
 * other ones.
 */
export function settingsFor(viewpoint: Viewpoint | undefined, settings: SiteCustomization): SiteCustomization {
  if (!viewpoint) return settings
  const links = settings.header.links.flatMap(({ condition, ...link }) =>
    viewpoint.see([{ condition }]).isVisible ? [link] : [],
  )
  return { ...settings, header: { ...settings.header, links } }
}

/** Returns the effective settings of a site space. */
export function overridden(site: GivenSettings = {}, overrides: GivenSettings = {}): SiteCustomization {
  const given: GivenSettings = changed(site, overrides)
  const { git, pdf } = overrides
  const items = switched(switched(site.pageActions?.items, 'git', git?.showEditLink), 'pdf', pdf?.enabled)
  return completeSettings(items ? { ...given, pageActions: { ...given.pageActions, items } } : given)
}

function switched(items: PageAction[] | undefined, action: PageAction, isOn: boolean | undefined) {
  if (!items || isOn === undefined || isOn === items.includes(action)) return items
  return isOn ? [...items, action] : items.filter((item) => item !== action)
}

/** Resolves the list of page actions and the older switches for single actions, which are still supported. */
function pageActionsOf({
  pageActions,
  git,
  pdf,
}: GivenSettings): Pick<SiteCustomization, 'pageActions' | 'git' | 'pdf'> {
  const given = pageActions?.items
  const externalAI = pageActions?.externalAI ?? given?.includes('external-ai') ?? true
  const markdown = pageActions?.markdown ?? given?.includes('markdown') ?? true
  const showEditLink = git?.showEditLink ?? given?.includes('git') ?? false
  const enabled = pdf?.enabled ?? given?.includes('pdf') ?? true
  const switches: [PageAction, boolean][] = [
    ['external-ai', externalAI],
    ['markdown', markdown],
    // MCP is not offered on a site that has disabled both kinds of assistants.
    ['mcp', externalAI || markdown],
    ['git', showEditLink],
    ['pdf', enabled],
  ]
  const items = given ?? switches.flatMap(([action, isOn]) => (isOn ? [action] : []))
  return { pageActions: { externalAI, markdown, items }, git: { showEditLink }, pdf: { enabled } }
}

function completeFavicon(favicon: GivenSettings['favicon']): SiteCustomization['favicon'] {
  if (favicon?.emoji !== undefined) return { emoji: favicon.emoji }
  const icon = bothModes(favicon?.icon)
  return icon ? { icon } : {}
}

/** Uses the value of one mode for the other one if only one is set. */
function bothModes<Value>(
  given: { light?: Value | undefined; dark?: Value | undefined } | undefined,
): { light: Value; dark: Value } | undefined {
  const light = given?.light ?? given?.dark
  return light === undefined ? undefined : { light, dark: given?.dark ?? light }
}
