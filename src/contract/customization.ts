import { z } from 'zod'
import * as choices from './customization-choices.ts'
import {
  FooterGroup,
  Font,
  HeaderLink,
  MonospaceFont,
  PageAction,
  SocialAccount,
  ThemedCodeTheme,
  ThemedColor,
  announcementFields,
} from './customization-values.ts'
import { ContentRef } from './document.ts'
import { HttpUrl, Timestamp } from './shared.ts'
import { Favicon, SiteTitle, ThemedUrl, localizedText } from './site.ts'

// The settings have three forms: complete in replies, with every part optional in requests, and with null where a space uses
// the setting of its site. Lists, links, fonts and texts by language are always replaced as a whole.

const styles = {
  theme: z.enum(choices.styles.theme),
  corners: z.enum(choices.styles.corners),
  depth: z.enum(choices.styles.depth),
  links: z.enum(choices.styles.links),
  background: z.enum(choices.styles.background),
  icons: z.enum(choices.styles.icons),
  search: z.enum(choices.styles.search),
}

const sidebarStyles = {
  background: z.enum(choices.sidebarStyles.background),
  list: z.enum(choices.sidebarStyles.list),
}

const palette = <Color extends z.ZodType>(color: Color) => ({
  primaryColor: color,
  infoColor: color,
  successColor: color,
  warningColor: color,
  dangerColor: color,
})

const HeadingFont = Font.nullable().describe('null uses the font of the text')

const HeaderPreset = z.enum(choices.headerPresets)
const HeaderLinks = z.array(HeaderLink).max(50)
const FooterGroups = z.array(FooterGroup).max(20)
const Copyright = z.string().max(512)
const SocialAccounts = z.array(SocialAccount).max(10)

const titleFields = { title: SiteTitle, localizedTitle: localizedText(128) }

const locale = { locale: z.enum(choices.locales) }
const themeModes = { default: z.enum(choices.themeModes), toggeable: z.boolean() }
const enabled = { enabled: z.boolean() }
const editLink = { showEditLink: z.boolean() }
const linkTarget = { target: z.enum(choices.linkTargets) }
const urlField = { url: HttpUrl }
const tracking = { trackingCookie: z.boolean() }

const aiFields = {
  integrationId: z.string().max(256),
  greeting: z.string().max(256),
  localizedGreeting: localizedText(128),
  suggestions: z.array(z.string().min(3).max(64)).max(5),
  instructions: z.string().max(10_000),
}
const aiMode = { mode: z.enum(['none', 'search', 'assistant']) }

const pageActions = {
  externalAI: z.boolean().describe('Whether `items` contains `external-ai`; for clients without support for `items`'),
  markdown: z.boolean().describe('Whether `items` contains `markdown`; for clients without support for `items`'),
  items: z.array(PageAction).max(PageAction.options.length),
}

export const SiteCustomization = z
  .object({
    ...z.object(titleFields).partial().shape,
    styling: z.object({
      ...styles,
      ...palette(ThemedColor),
      tint: z.object({ color: ThemedColor }).optional(),
      font: Font,
      headingFont: Font.optional(),
      monospaceFont: MonospaceFont,
      codeTheme: z.object({ default: ThemedCodeTheme, openapi: ThemedCodeTheme }),
      sidebar: z.object(sidebarStyles),
    }),
    internationalization: z.object(locale),
    favicon: Favicon,
    header: z.object({
      preset: HeaderPreset,
      logo: ThemedUrl.optional(),
      primaryLink: ContentRef.optional(),
      backgroundColor: ThemedColor.optional(),
      linkColor: ThemedColor.optional(),
      links: HeaderLinks,
    }),
    footer: z.object({ logo: ThemedUrl.optional(), groups: FooterGroups, copyright: Copyright.optional() }),
    announcement: z.object(announcementFields).optional(),
    themes: z.object(themeModes),
    pdf: z.object(enabled),
    feedback: z.object(enabled),
    ai: z.object({ ...aiMode, ...z.object(aiFields).partial().shape }),
    advancedCustomization: z.object(enabled),
    git: z.object(editLink),
    pageActions: z.object(pageActions),
    externalLinks: z.object(linkTarget),
    pagination: z.object(enabled),
    trademark: z.object(enabled),
    privacyPolicy: z.object(urlField).partial(),
    socialPreview: z.object(urlField).partial(),
    socialAccounts: SocialAccounts,
    insights: z.object(tracking),
    updatedAt: Timestamp.optional().describe('Time of the last change to settings of the site or of one of its spaces'),
  })
  .meta({ id: 'SiteCustomization' })
export type SiteCustomization = z.infer<typeof SiteCustomization>

const FaviconInput = z
  .object({ icon: ThemedUrl.partial(), emoji: z.string().min(1).max(50) })
  .partial()
  .refine(({ icon, emoji }) => !(icon && emoji), { path: ['emoji'], message: 'cannot be set together with `icon`' })

export const SiteCustomizationInput = z
  .object({
    ...titleFields,
    styling: z
      .object({
        ...styles,
        ...palette(ThemedColor.partial()),
        tint: z.object({ color: ThemedColor.partial() }).partial(),
        font: Font,
        headingFont: HeadingFont,
        monospaceFont: MonospaceFont,
        codeTheme: z.object({ default: ThemedCodeTheme.partial(), openapi: ThemedCodeTheme.partial() }).partial(),
        sidebar: z.object(sidebarStyles).partial(),
      })
      .partial(),
    internationalization: z.object(locale).partial(),
    favicon: FaviconInput,
    header: z
      .object({
        preset: HeaderPreset,
        logo: ThemedUrl.partial(),
        primaryLink: ContentRef,
        backgroundColor: ThemedColor.partial(),
        linkColor: ThemedColor.partial(),
        links: HeaderLinks,
      })
      .partial(),
    footer: z.object({ logo: ThemedUrl.partial(), groups: FooterGroups, copyright: Copyright }).partial(),
    announcement: z.object(announcementFields).partial(),
    themes: z.object(themeModes).partial(),
    pdf: z.object(enabled).partial(),
    feedback: z.object(enabled).partial(),
    ai: z.object({ ...aiMode, ...aiFields }).partial(),
    advancedCustomization: z.object(enabled).partial(),
    git: z.object(editLink).partial(),
    pageActions: z.object(pageActions).partial(),
    externalLinks: z.object(linkTarget).partial(),
    pagination: z.object(enabled).partial(),
    trademark: z.object(enabled).partial(),
    privacyPolicy: z.object(urlField).partial(),
    socialPreview: z.object(urlField).partial(),
    socialAccounts: SocialAccounts,
    insights: z.object(tracking).partial(),
  })
  .partial()
  .meta({ id: 'SiteCustomizationInput' })
export type SiteCustomizationInput = z.infer<typeof SiteCustomizationInput>

type Resettable<Shape extends z.ZodRawShape> = {
  [Field in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Field]>>
}

/** An object whose fields are optional; null restores the setting of the site. */
function resettable<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.nullable(field).optional()])
  return z.object(Object.fromEntries(fields) as Resettable<Shape>)
}

const siteOnly = z.never({ error: 'applies to the whole site and cannot be set for one space' }).optional()
const color = resettable(ThemedColor.shape)
const codeTheme = resettable(ThemedCodeTheme.shape)
const logo = resettable(ThemedUrl.shape)

const resettableStyling = resettable({
  ...styles,
  ...palette(color),
  tint: resettable({ color }),
  headingFont: Font,
  codeTheme: resettable({ default: codeTheme, openapi: codeTheme }),
  sidebar: resettable(sidebarStyles),
})

export const SiteSpaceCustomizationInput = resettable({
  ...titleFields,
  styling: resettableStyling.extend({ font: siteOnly, monospaceFont: siteOnly }),
  internationalization: resettable(locale),
  favicon: FaviconInput,
  header: resettable({
    preset: HeaderPreset,
    logo,
    primaryLink: ContentRef,
    backgroundColor: color,
    linkColor: color,
    links: HeaderLinks,
  }),
  footer: resettable({ logo, groups: FooterGroups, copyright: Copyright }),
  announcement: z.object(announcementFields).partial(),
  themes: resettable(themeModes),
  pdf: resettable(enabled),
  feedback: resettable(enabled),
  git: resettable(editLink),
  externalLinks: resettable(linkTarget),
  pagination: resettable(enabled),
  trademark: resettable(enabled),
  privacyPolicy: resettable(urlField),
  socialPreview: resettable(urlField),
  socialAccounts: SocialAccounts,
})
  .extend({ ai: siteOnly, advancedCustomization: siteOnly, pageActions: siteOnly, insights: siteOnly })
  .meta({ id: 'SiteSpaceCustomizationInput' })
export type SiteSpaceCustomizationInput = z.infer<typeof SiteSpaceCustomizationInput>

export const SiteCustomizationChanges = SiteSpaceCustomizationInput.extend({
  styling: resettableStyling
    .extend(resettable({ font: Font, monospaceFont: MonospaceFont }).shape)
    .nullable()
    .optional(),
  announcement: resettable(announcementFields).optional(),
  ...resettable({
    ai: resettable({ ...aiMode, ...aiFields }),
    advancedCustomization: resettable(enabled),
    pageActions: resettable(pageActions),
    insights: resettable(tracking),
  }).shape,
}).meta({ id: 'SiteCustomizationChanges' })
export type SiteCustomizationChanges = z.infer<typeof SiteCustomizationChanges>

export const SiteSpaceCustomization = SiteCustomization.extend({
  hasOverrides: z.boolean().describe('Whether the space overrides any setting of its site'),
}).meta({ id: 'SiteSpaceCustomization' })
export type SiteSpaceCustomization = z.infer<typeof SiteSpaceCustomization>
