import {
  type SiteCustomization,
  type SiteCustomizationChanges,
  SiteCustomizationInput,
  type SiteSpaceCustomizationInput,
} from '../contract/customization.ts'
import type { PageAction } from '../contract/customization-values.ts'
import { defaultSettings } from './customization-defaults.ts'
import type { Viewpoint } from './visibility.ts'

/** Explicitly set settings of a site or overrides of a site space; unset fields are omitted. */
export type ExplicitSettings = SiteCustomizationInput

type SettingsGroup = Record<string, unknown>

/** Names of objects that are replaced as a whole instead of being merged. */
const atomicFields: ReadonlySet<string> = new Set([
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

const isGroup = (name: string, value: unknown): value is SettingsGroup =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !atomicFields.has(name)

/** Merges a change into fields: changed fields are replaced; nulls and empty groups are removed. */
function mergeSettings(fields: SettingsGroup, change: SettingsGroup): SettingsGroup {
  const next = new Map(Object.entries(fields))
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    const before = next.get(name)
    const after = isGroup(name, value) ? mergeSettings(isGroup(name, before) ? before : {}, value) : value
    if (after === null || (isGroup(name, after) && Object.keys(after).length === 0)) next.delete(name)
    else next.set(name, after)
  }
  return Object.fromEntries(next)
}

/** Normalizes settings that replace all previous ones, for storage. */
export const normalizeSettings = (input: SiteCustomizationInput): ExplicitSettings => mergeSettings({}, input)

/** Merges changes into the settings of a site; null removes a setting. */
export const applyChanges = (
  stored: ExplicitSettings | undefined,
  changes: SiteCustomizationChanges,
): ExplicitSettings => mergeSettings(stored ?? {}, changes)

/** Merges a patch into the overrides of a site space; undefined if no override remains. */
export function applyOverrides(
  stored: ExplicitSettings | undefined,
  patch: SiteSpaceCustomizationInput,
): ExplicitSettings | undefined {
  const overrides: ExplicitSettings = mergeSettings(stored ?? {}, patch)
  return Object.keys(overrides).length > 0 ? overrides : undefined
}

/** Parses stored settings; fields that are invalid, perhaps because another version wrote them, are treated as not set. */
export function parseStoredSettings(text: string | null): ExplicitSettings | undefined {
  if (text === null) return undefined
  const stored = tryParseJson(text)
  const result = SiteCustomizationInput.safeParse(stored)
  if (result.success) return result.data
  const invalidPaths = result.error.issues.map(({ path }) => path.slice(0, 2).map(String))
  return SiteCustomizationInput.safeParse(invalidPaths.reduce(withoutField, stored)).data ?? {}
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutField(value: unknown, [name, ...inner]: string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return {}
  const { [name]: field, ...rest } = value as SettingsGroup
  return inner.length > 0 && isGroup(name, field) ? { ...rest, [name]: withoutField(field, inner) } : rest
}

/** Returns all settings of a site: explicitly set ones and defaults for the rest. */
export function completeSettings(given: ExplicitSettings = {}): SiteCustomization {
  const { privacyPolicy, socialPreview, favicon, ...settings } = mergeSettings(
    defaultSettings,
    given,
  ) as typeof defaultSettings & ExplicitSettings
  const { styling, header, footer, announcement } = settings
  const tint = completeModes(styling.tint?.color)
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
      logo: completeModes(header.logo),
      backgroundColor: completeModes(header.backgroundColor),
      linkColor: completeModes(header.linkColor),
    },
    footer: { ...footer, logo: completeModes(footer.logo) },
    announcement: announcement && { enabled: false, message: '', style: 'info', ...announcement },
    privacyPolicy: privacyPolicy ?? {},
    socialPreview: socialPreview ?? {},
    ...resolvePageActions(given),
  }
}

/**
 * Returns the settings for a visitor: header links whose condition is false are removed, and conditions are removed from the
 * other ones.
 */
export function filterSettingsForVisitor(
  viewpoint: Viewpoint | undefined,
  settings: SiteCustomization,
): SiteCustomization {
  if (!viewpoint) return settings
  const links = settings.header.links.flatMap(({ condition, ...link }) =>
    viewpoint.getVisibility([{ condition }]).isVisible ? [link] : [],
  )
  return { ...settings, header: { ...settings.header, links } }
}

/** Returns the effective settings of a site space. */
export function resolveSiteSpaceSettings(
  site: ExplicitSettings = {},
  overrides: ExplicitSettings = {},
): SiteCustomization {
  const given: ExplicitSettings = mergeSettings(site, overrides)
  const { git, pdf } = overrides
  const items = toggleAction(toggleAction(site.pageActions?.items, 'git', git?.showEditLink), 'pdf', pdf?.enabled)
  return completeSettings(items ? { ...given, pageActions: { ...given.pageActions, items } } : given)
}

function toggleAction(items: PageAction[] | undefined, action: PageAction, isOn: boolean | undefined) {
  if (!items || isOn === undefined || isOn === items.includes(action)) return items
  return isOn ? [...items, action] : items.filter((item) => item !== action)
}

/** Resolves the list of page actions and the older switches for single actions, which are still supported. */
function resolvePageActions({
  pageActions,
  git,
  pdf,
}: ExplicitSettings): Pick<SiteCustomization, 'pageActions' | 'git' | 'pdf'> {
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

function completeFavicon(favicon: ExplicitSettings['favicon']): SiteCustomization['favicon'] {
  if (favicon?.emoji !== undefined) return { emoji: favicon.emoji }
  const icon = completeModes(favicon?.icon)
  return icon ? { icon } : {}
}

/** Uses the value of one mode for the other one if only one is set. */
function completeModes<Value>(
  given: { light?: Value | undefined; dark?: Value | undefined } | undefined,
): { light: Value; dark: Value } | undefined {
  const light = given?.light ?? given?.dark
  return light === undefined ? undefined : { light, dark: given?.dark ?? light }
}
