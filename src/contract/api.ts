import { access } from './access.ts'
import { siteAdaptiveSchema } from './adaptive-schema.ts'
import { audit } from './audit.ts'
import { changeRequestContent } from './change-request-content.ts'
import { changeRequestReviews, changeRequests } from './change-requests.ts'
import { collections } from './collections.ts'
import { contentItems } from './content-items.ts'
import { changeRequestComments, mentions, spaceComments } from './comments.ts'
import { revisions, spaceContent } from './content.ts'
import { siteCustomization } from './customization-operations.ts'
import { siteImages } from './site-images.ts'
import { embeds } from './embeds.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { customHostnames } from './hostnames.ts'
import { icons } from './icons.ts'
import { imports } from './imports.ts'
import { insights } from './insights.ts'
import { invites } from './invites.ts'
import { links } from './links.ts'
import type { Operations } from './operation.ts'
import { liveEvents } from './live-events.ts'
import { memberSessions } from './member-sessions.ts'
import { members } from './members.ts'
import { notifications } from './notifications.ts'
import { operator } from './operator.ts'
import { organizations } from './organizations.ts'
import { openApiSpecs } from './openapi-specs.ts'
import { pdf } from './pdf.ts'
import { collectionPermissions, sitePermissions, spacePermissions } from './permissions.ts'
import { rendered } from './rendered.ts'
import { saml } from './saml.ts'
import { sitePublishing, siteShareLinks } from './publishing.ts'
import { scimTokens } from './scim-tokens.ts'
import { siteRedirects } from './site-redirects.ts'
import { siteSearch } from './site-search.ts'
import { siteExternalLinks, siteSectionGroups, siteSections, siteSpaces, siteStructure } from './site-structure.ts'
import { sites } from './sites.ts'
import { spaces } from './spaces.ts'
import { system } from './system.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'
import { glossary, translationEngine, translations } from './translations.ts'
import { publishedUrls } from './urls.ts'
import { users } from './users.ts'

/**
 * The groups of the public API; the title of a group is its tag in the OpenAPI document. A new group is added here, and the
 * type of `createRoutes` then requires its handlers.
 */
export const operationGroups = {
  System: system,
  Users: users,
  Organizations: organizations,
  'Organization members': members,
  'Member sessions': memberSessions,
  Teams: teams,
  Invites: invites,
  'SCIM tokens': scimTokens,
  SSO: saml,
  'Audit log': audit,
  'Live events': liveEvents,
  Collections: collections,
  'Collection permissions': collectionPermissions,
  Spaces: spaces,
  'Space permissions': spacePermissions,
  'Space content': spaceContent,
  'Reusable contents, variables and tags': contentItems,
  Revisions: revisions,
  'Change requests': changeRequests,
  'Change request reviews': changeRequestReviews,
  'Change request content': changeRequestContent,
  'Rendered content': rendered,
  Links: links,
  'Space comments': spaceComments,
  'Change request comments': changeRequestComments,
  Mentions: mentions,
  Notifications: notifications,
  PDF: pdf,
  Files: files,
  Imports: imports,
  Templates: templates,
  Translations: translations,
  Glossary: glossary,
  'Translation engine': translationEngine,
  'OpenAPI specs': openApiSpecs,
  Git: git,
  Sites: sites,
  'Site permissions': sitePermissions,
  Access: access,
  'Site spaces': siteSpaces,
  'Site sections': siteSections,
  'Site section groups': siteSectionGroups,
  'Site external links': siteExternalLinks,
  'Site structure': siteStructure,
  'Site customization': siteCustomization,
  'Site images': siteImages,
  'Site redirects': siteRedirects,
  'Site adaptive schema': siteAdaptiveSchema,
  'Site share links': siteShareLinks,
  'Site publishing': sitePublishing,
  'Custom hostnames': customHostnames,
  'Site insights': insights,
  'Site search': siteSearch,
  'Published URLs': publishedUrls,
  Embeds: embeds,
  Operator: operator,
  Icons: icons,
} satisfies Record<string, Operations>

export type OperationGroups = typeof operationGroups

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer All) => void
  ? All
  : never

type AllOperations = Intersection<OperationGroups[keyof OperationGroups]>

/** The operations of all groups by their names. */
export type Api = { [Name in keyof AllOperations]: AllOperations[Name] }

/** Every operation by its name. */
export const api = Object.assign({}, ...Object.values(operationGroups)) as Api
