import { z } from 'zod'
import { DefaultLevel } from './roles.ts'
import { Count, HttpUrl, Id, Timestamp } from './shared.ts'
import { languages } from './languages.ts'
import { Space } from './space.ts'

export const SiteType = z.enum(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'])
export type SiteType = z.infer<typeof SiteType>

export const SiteVisibility = z
  .enum(['public', 'unlisted', 'share-link', 'visitor-auth'])
  .describe(
    '`public`: everyone; `unlisted`: everyone, not indexed by search engines; `share-link`: everyone with a share link; `visitor-auth`: signed-in visitors',
  )
export type SiteVisibility = z.infer<typeof SiteVisibility>

export const AgentsContext = z.enum(['excluded', 'included'])
export type AgentsContext = z.infer<typeof AgentsContext>

export const SiteTitle = z.string().min(2).max(128)
export const IconName = z.string().max(50).describe('Icon name')
export const Condition = z.string().min(1).max(1024).describe('Expression that decides which visitors can see the item')

/** One segment of a path. */
const PathSegment = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
    'must begin with a letter or digit and contain only letters, digits, `.`, `_` and `-`',
  )
  .toLowerCase()
export const SitePath = PathSegment
export const SiteBasename = PathSegment

export const SiteHostname = z
  .string()
  .max(512)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/, 'must be a hostname')

export const SiteProxy = z
  .string()
  .max(512)
  .regex(/^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/, 'must be a host with a path, such as `example.com/docs`')
  .overwrite((value) => value.replace(/^[^/]+/, (host) => host.toLowerCase()))

/** Texts by language. */
export const localizedText = (maxLength: number) => z.partialRecord(z.enum(languages), z.string().max(maxLength))

export const ThemedUrl = z.object({ light: HttpUrl, dark: HttpUrl })
export const Favicon = z
  .union([
    z.object({ icon: ThemedUrl }).strict(),
    z.object({ emoji: z.string().min(1).max(50) }).strict(),
    z.object({}).strict(),
  ])
  .meta({ id: 'Favicon' })
export type Favicon = z.infer<typeof Favicon>

/** Features of a site. All are enabled, because there are no plans. */
export const siteFeatures = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-page-feedback',
  'sites-page-traffic-insights',
  'sites-public-visibility',
  'sites-redirects',
  'sites-search-insights',
  'sites-sections',
  'sites-share-links',
  'sites-unlisted-visibility',
  'sites-visitor-authentication',
] as const

const featuredCustomizations = [
  'header-logo',
  'header-primary-link',
  'theme-preset',
  'premium-fonts',
  'custom-icons',
  'footer-logo',
  'footer-links',
  'footer-copyright',
  'semantic-colors',
] as const

export const Site = z
  .object({
    object: z.literal('site'),
    id: Id,
    type: SiteType,
    appliedType: SiteType,
    title: z.string(),
    icon: Favicon.nullable(),
    hostname: z.string().optional().describe('Custom hostname; present after verification'),
    basename: z.string(),
    proxy: z
      .object({ origin: z.string(), target: z.string().describe('Target for requests to the origin') })
      .optional(),
    visibility: SiteVisibility,
    defaultLevel: DefaultLevel,
    published: z.boolean(),
    siteSpaces: Count,
    createdAt: Timestamp,
    adaptiveContent: z.object({
      enabled: z.boolean(),
      schemaUpdatedAt: Timestamp.optional().describe('When the visitor schema was set; absent if the site has none'),
    }),
    agentsContext: AgentsContext,
    features: z.array(
      z.object({
        id: z.enum(siteFeatures),
        plan: SiteType,
        frozen: z.boolean(),
        customizations: z.array(z.enum(featuredCustomizations)).optional(),
      }),
    ),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      preview: z.string(),
      published: z.string().optional().describe('Present only while the site is published'),
      login: z.string().optional(),
      logout: z.string().optional(),
    }),
    permissions: z.object({
      view: z.boolean(),
      access: z.boolean(),
      edit: z.boolean(),
      create: z.boolean(),
      admin: z.boolean(),
      installIntegration: z.boolean(),
      viewAdaptiveSchema: z.boolean(),
      editAdaptiveSchema: z.boolean(),
    }),
  })
  .meta({ id: 'Site' })
export type Site = z.infer<typeof Site>

const publishedUrl = z.object({ published: z.string().optional() })
const LocalizedText = z.partialRecord(z.enum(languages), z.string())

export const SiteSpace = z
  .object({
    object: z.literal('site-space'),
    id: Id,
    path: z.string(),
    section: Id.optional(),
    space: Space,
    title: z.string(),
    localizedTitle: LocalizedText.optional(),
    default: z.boolean().describe('Whether this is the default site space of its section or of the site'),
    condition: z.string().optional(),
    pageId: Id.nullable().describe('Page at the URL of the site space; null for the first page'),
    draft: z.boolean(),
    hidden: z.boolean().describe('Whether the navigation omits the site space'),
    hasAdvancedCustomizationFeature: z.boolean(),
    urls: publishedUrl,
  })
  .meta({ id: 'SiteSpace' })
export type SiteSpace = z.infer<typeof SiteSpace>

export const SiteSection = z
  .object({
    object: z.literal('site-section'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedText.optional(),
    description: z.string().optional(),
    localizedDescription: LocalizedText.optional(),
    default: z.boolean().describe('Whether this is the default section of the site'),
    draft: z.boolean(),
    path: z.string(),
    condition: z.string().optional(),
    sectionGroup: Id.optional(),
    icon: z.string().optional(),
    siteSpaces: z.array(SiteSpace),
    urls: publishedUrl,
  })
  .meta({ id: 'SiteSection' })
export type SiteSection = z.infer<typeof SiteSection>

export const SiteExternalLink = z
  .object({
    object: z.literal('site-external-link'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedText.optional(),
    description: z.string().optional(),
    localizedDescription: LocalizedText.optional(),
    icon: z.string().optional(),
    url: z.string(),
    sectionGroup: Id.optional(),
    draft: z.boolean(),
    condition: z.string().optional(),
  })
  .meta({ id: 'SiteExternalLink' })
export type SiteExternalLink = z.infer<typeof SiteExternalLink>

export interface SiteSectionGroup {
  object: 'site-section-group'
  id: string
  title: string
  localizedTitle?: Partial<Record<string, string>> | undefined
  icon?: string | undefined
  sectionGroup?: string | undefined
  draft: boolean
  sections: SiteSection[]
  children: (SiteSection | SiteSectionGroup | SiteExternalLink)[]
}

export const SiteSectionGroup: z.ZodType<SiteSectionGroup> = z
  .object({
    object: z.literal('site-section-group'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedText.optional(),
    icon: z.string().optional(),
    sectionGroup: Id.optional().describe('ID of the parent group'),
    draft: z.boolean(),
    sections: z.array(SiteSection),
    get children(): z.ZodArray<z.ZodType<SiteSection | SiteSectionGroup | SiteExternalLink>> {
      return z.array(z.union([SiteSection, SiteSectionGroup, SiteExternalLink]))
    },
  })
  .meta({ id: 'SiteSectionGroup' })

export const SiteStructure = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('sections'),
      structure: z.array(z.union([SiteSection, SiteSectionGroup, SiteExternalLink])),
    }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: 'SiteStructure' })
export type SiteStructure = z.infer<typeof SiteStructure>

export const ShareKeyQuery = z.object({
  shareKey: z
    .string()
    .max(256)
    .optional()
    .describe('Key of a share link of the site; published URLs in the reply contain it'),
})
