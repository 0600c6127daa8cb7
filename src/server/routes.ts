import type { SessionLifetimes } from '../access/sessions.ts'
import type { Build } from '../build.ts'
import type { Embeds } from '../domain/embeds/embeds.ts'
import { createHighlightJob, createHighlightUpkeepJob } from '../highlight/highlight-space.ts'
import type { Highlighter } from '../highlight/highlight.ts'
import type { Schedule } from '../jobs/job.ts'
import { indexLinks, linkUpkeepJob } from '../links/update-links.ts'
import type { AnyJobKind } from '../jobs/worker.ts'
import type { OperationGroups } from '../contract/api.ts'
import type { ImplementedGroup, Route } from '../kernel/implement.ts'
import { hours, minutes } from '../kernel/time.ts'
import { type MailServices, sendMail } from '../domain/mail/send-mail.ts'
import { siteAdaptiveRoutes } from '../resources/adaptive/handlers.ts'
import { auditRoutes } from '../resources/audit/handlers.ts'
import { sweepAuditEvents } from '../resources/audit/sweep-events.ts'
import { changeRequestRoutes } from '../resources/change-requests/handlers.ts'
import { changeRequestReviewRoutes } from '../resources/change-requests/reviews.ts'
import { collectionRoutes } from '../resources/collections/handlers.ts'
import { changeRequestCommentRoutes, spaceCommentRoutes } from '../resources/comments/handlers.ts'
import { mentionRoutes } from '../resources/comments/mentions.ts'
import { changeRequestContentRoutes, revisionRoutes, spaceContentRoutes } from '../resources/content/handlers.ts'
import { contentItemRoutes } from '../resources/content/items.ts'
import { sweepUnusedObjects } from '../domain/revisions/remove-unused-objects.ts'
import { siteCustomizationRoutes } from '../resources/customization/handlers.ts'
import { siteImageRoutes } from '../resources/customization/images.ts'
import { embedRoutes } from '../resources/embeds/handlers.ts'
import { fetchEmbeds, sweepEmbeds } from '../resources/embeds/jobs.ts'
import { sweepFiles } from '../resources/files/sweep-files.ts'
import { fileRoutes } from '../resources/files/uploads.ts'
import { gitRoutes } from '../resources/git/handlers.ts'
import { sweepGitOperations, syncWithGit } from '../resources/git/operations.ts'
import type { GitServices } from '../resources/git/sync-task.ts'
import { customHostnameRoutes } from '../resources/hostnames/handlers.ts'
import { checkHostname, recheckHostnames } from '../resources/hostnames/hostname-jobs.ts'
import type { HostnameServices } from '../resources/hostnames/proof.ts'
import { iconRoutes } from '../resources/icons/handlers.ts'
import { importRoutes } from '../resources/imports/handlers.ts'
import { importJob } from '../resources/imports/job.ts'
import type { ImportServices } from '../resources/imports/source.ts'
import { insightsRoutes } from '../resources/insights/handlers.ts'
import { sweepInsights } from '../resources/insights/sweep-insights.ts'
import { inviteRoutes } from '../resources/invites/handlers.ts'
import { type LiveServices, liveEventRoutes } from '../resources/live/handlers.ts'
import { linkRoutes } from '../resources/links/handlers.ts'
import { memberRoutes } from '../resources/members/handlers.ts'
import { memberSessionRoutes } from '../resources/members/session-handlers.ts'
import { notificationRoutes } from '../resources/notifications/handlers.ts'
import { mailDigests, sweepNotifications } from '../resources/notifications/jobs.ts'
import { notifyReceivers } from '../resources/notifications/notify-job.ts'
import { type OperatorServices, operatorRoutes } from '../resources/operator/handlers.ts'
import { deleteOrganizationContent } from '../resources/organizations/delete-organization.ts'
import { organizationRoutes } from '../resources/organizations/handlers.ts'
import { openApiSpecRoutes } from '../resources/openapi/handlers.ts'
import { processOpenApiSpec, recomputeSpace, refreshOpenApiSpecs } from '../resources/openapi/jobs.ts'
import { processLinkedSpec, sweepLinkedSpecs } from '../resources/openapi/linked-spec-jobs.ts'
import { type PdfRouteServices, pdfRoutes } from '../resources/pdf/handlers.ts'
import { typesetPdf } from '../resources/pdf/job.ts'
import { accessRoutes } from '../resources/permissions/access-handlers.ts'
import {
  collectionPermissionRoutes,
  sitePermissionRoutes,
  spacePermissionRoutes,
} from '../resources/permissions/handlers.ts'
import { samlRoutes } from '../resources/saml/handlers.ts'
import { reportCertificates } from '../resources/saml/jobs.ts'
import { readProviderMetadata, refreshMetadata } from '../resources/saml/read-metadata-job.ts'
import { sitePublishingRoutes } from '../resources/publishing/handlers.ts'
import { siteShareLinkRoutes } from '../resources/publishing/share-links.ts'
import { type RevalidationServices, revalidateFrontend } from '../domain/revalidation/revalidation-job.ts'
import { indexSpaces, indexSpecs, searchUpkeepJob } from '../resources/search/index-jobs.ts'
import { type RenderedServices, renderedRoutes } from '../resources/rendered/handlers.ts'
import { scimTokenRoutes } from '../resources/scim/token-handlers.ts'
import { siteRedirectRoutes } from '../resources/site-redirects/handlers.ts'
import { siteSearchRoutes } from '../resources/site-search/handlers.ts'
import { siteExternalLinkRoutes, siteSectionGroupRoutes } from '../resources/site-structure/groups.ts'
import { siteSectionRoutes } from '../resources/site-structure/sections.ts'
import { siteSpaceRoutes } from '../resources/site-structure/spaces.ts'
import { siteStructureRoutes } from '../resources/site-structure/structure.ts'
import { siteRoutes } from '../resources/sites/handlers.ts'
import { spaceRoutes } from '../resources/spaces/handlers.ts'
import { purgeSpaces } from '../resources/spaces/trash.ts'
import { systemRoutes } from '../resources/system/handlers.ts'
import { sweepExpired } from '../resources/system/sweep-expired.ts'
import { teamRoutes } from '../resources/teams/handlers.ts'
import type { TemplateServices } from '../resources/templates/apply-template.ts'
import { templateRoutes } from '../resources/templates/handlers.ts'
import { type TranslationEngineServices, translationEngineRoutes } from '../resources/translation-engine/handlers.ts'
import { followSource, sweepTranslationRuns } from '../resources/translations/follow-jobs.ts'
import { glossaryRoutes } from '../resources/translations/glossary.ts'
import { translationRoutes } from '../resources/translations/handlers.ts'
import { translationRunJob } from '../resources/translations/run-job.ts'
import type { TranslationServices } from '../resources/translations/services.ts'
import { urlRoutes } from '../resources/urls/handlers.ts'
import { userRoutes } from '../resources/users/handlers.ts'
import { sendMailedLink } from '../sign-in/mailed-link-job.ts'

/** Services that handlers and jobs use besides the database. */
export type Services = GitServices &
  ImportServices &
  TemplateServices &
  PdfRouteServices &
  HostnameServices &
  RevalidationServices &
  TranslationEngineServices &
  TranslationServices &
  LiveServices &
  OperatorServices &
  MailServices & {
    highlighter: Highlighter
    embeds: Embeds
    config: { sessionLifetimes: SessionLifetimes }
  }

/** Routes of each group of the API. A group without routes, or with those of another group, is a type error. */
type RoutesByGroup = { [Title in keyof OperationGroups]: ImplementedGroup<OperationGroups[Title]> }

/** Creates the routes of all operations. */
export function createRoutes(build: Build, services: Services & RenderedServices): Route[] {
  const byGroup: RoutesByGroup = {
    System: systemRoutes(build),
    Users: userRoutes(services.config),
    Organizations: organizationRoutes,
    'Organization members': memberRoutes,
    'Member sessions': memberSessionRoutes(services.config),
    Teams: teamRoutes,
    Invites: inviteRoutes(services),
    'SCIM tokens': scimTokenRoutes,
    SSO: samlRoutes(services),
    'Audit log': auditRoutes,
    'Live events': liveEventRoutes(services),
    Collections: collectionRoutes,
    'Collection permissions': collectionPermissionRoutes,
    Spaces: spaceRoutes(services),
    'Space permissions': spacePermissionRoutes,
    'Space content': spaceContentRoutes(services),
    'Reusable contents, variables and tags': contentItemRoutes,
    Revisions: revisionRoutes,
    'Change requests': changeRequestRoutes(services),
    'Change request reviews': changeRequestReviewRoutes,
    'Change request content': changeRequestContentRoutes(services),
    'Rendered content': renderedRoutes(services),
    Links: linkRoutes,
    'Space comments': spaceCommentRoutes,
    'Change request comments': changeRequestCommentRoutes,
    Mentions: mentionRoutes,
    Notifications: notificationRoutes(services),
    PDF: pdfRoutes(services),
    Files: fileRoutes(services.config.storageQuota),
    Imports: importRoutes,
    Templates: templateRoutes(services),
    Translations: translationRoutes(services),
    Glossary: glossaryRoutes,
    'Translation engine': translationEngineRoutes(services),
    'OpenAPI specs': openApiSpecRoutes(services),
    Git: gitRoutes(services),
    Sites: siteRoutes(services),
    'Site permissions': sitePermissionRoutes,
    Access: accessRoutes,
    'Site spaces': siteSpaceRoutes(services),
    'Site sections': siteSectionRoutes(services),
    'Site section groups': siteSectionGroupRoutes,
    'Site external links': siteExternalLinkRoutes,
    'Site structure': siteStructureRoutes(services),
    'Site customization': siteCustomizationRoutes,
    'Site images': siteImageRoutes(services.config.storageQuota),
    'Site redirects': siteRedirectRoutes,
    'Site adaptive schema': siteAdaptiveRoutes,
    'Site share links': siteShareLinkRoutes,
    'Site publishing': sitePublishingRoutes,
    'Custom hostnames': customHostnameRoutes(services),
    'Site insights': insightsRoutes,
    'Site search': siteSearchRoutes,
    'Published URLs': urlRoutes,
    Embeds: embedRoutes(services),
    Operator: operatorRoutes(build, services),
    Icons: iconRoutes,
  }
  return Object.values(byGroup).flatMap(({ routes }) => routes)
}

/** Returns the jobs that run at regular intervals. */
export function createSchedules({ blobs, highlighter, mailer }: Services): Schedule[] {
  return [
    { kind: purgeSpaces, every: hours(1) },
    { kind: sweepExpired, every: hours(1) },
    { kind: sweepFiles(blobs), every: hours(1) },
    { kind: sweepGitOperations, every: hours(1) },
    { kind: sweepInsights, every: hours(1) },
    { kind: sweepAuditEvents, every: hours(1) },
    { kind: sweepEmbeds, every: hours(1) },
    { kind: searchUpkeepJob, every: hours(1) },
    { kind: createHighlightUpkeepJob({ highlighter }), every: hours(1) },
    { kind: linkUpkeepJob, every: hours(1) },
    { kind: recheckHostnames, every: minutes(5) },
    { kind: refreshOpenApiSpecs, every: minutes(5) },
    { kind: sweepLinkedSpecs, every: hours(1) },
    { kind: reportCertificates, every: hours(24) },
    { kind: refreshMetadata, every: hours(1) },
    { kind: sweepTranslationRuns, every: hours(1) },
    { kind: sweepNotifications, every: hours(1) },
    { kind: mailDigests({ mailer }), every: minutes(15) },
  ]
}

/** Returns all kinds of jobs. */
export function createJobKinds(services: Services): AnyJobKind[] {
  return [
    ...createSchedules(services).map(({ kind }) => kind),
    sweepUnusedObjects,
    deleteOrganizationContent,
    syncWithGit(services),
    importJob(services),
    typesetPdf(services),
    processOpenApiSpec(services),
    processLinkedSpec(services),
    recomputeSpace,
    translationRunJob(services),
    followSource(services),
    fetchEmbeds(services),
    indexSpaces(services),
    indexSpecs(services),
    indexLinks,
    createHighlightJob(services),
    checkHostname(services),
    readProviderMetadata(services),
    revalidateFrontend(services),
    notifyReceivers,
    sendMail(services),
    sendMailedLink,
  ]
}
