import { type Role, roles } from '../../src/contract/roles.ts'
import { editLive, insertPage, propose, readLive, updatePage } from './content.ts'
import { authorizeApp } from './oauth.ts'
import { startSession } from './sign-in.ts'
import { type Admin, type Person, type TestServer, waitUntil } from './server.ts'

export interface World {
  /** Members of each role, and a guest, of the administrator's organization. */
  members: Map<Role | null, Person>
  /** Administrator of another organization. */
  stranger: Person
  /** Ids of one resource of each kind in the administrator's organization, by path parameter. */
  params: Record<string, string>
  /** Id of the other organization. */
  foreignOrganizationId: string
}

/** Creates one resource of each kind and a person of each role. */
export async function makeWorld(octavo: TestServer): Promise<World> {
  const { admin } = octavo
  const organization = { organizationId: admin.organizationId }
  const members = new Map<Role | null, Person>([[null, await octavo.member(null, 'guest')]])
  for (const role of roles) members.set(role, await octavo.member(role, role))
  const reader = members.get('read') as Person

  await admin.api.updateOrganizationById({
    params: organization,
    body: { hostname: 'secret-name', emailDomains: ['secret.example'] },
  })
  const team = await admin.api.createOrganizationTeam({
    params: organization,
    body: { title: 'Secret team', members: [reader.id] },
  })
  const collection = await admin.api.createCollection({ params: organization, body: { title: 'Secret collection' } })
  const invite = await admin.api.createOrganizationInvite({ params: organization, body: { role: 'read' } })
  const provider = await admin.api.createOrganizationSamlProvider({
    params: organization,
    body: { label: 'Secret provider' },
  })
  const token = await admin.api.createToken({ body: { label: 'Secret token' } })

  const scimToken = await admin.api.createScimToken({ params: organization, body: { label: 'Secret SCIM token' } })

  const content = await makeContent(admin)
  // The Git operation of the content fails.
  const notification = await waitUntil(
    async () => (await admin.api.listNotifications({ query: {} })).items[0],
    'the administrator is notified',
  )
  const site = await makeSite(admin)
  const run = await admin.api.startImportRun({
    params: organization,
    body: { source: { type: 'website', url: 'http://localhost/secret' }, target: { space: admin.spaceId } },
  })
  const template = await admin.api.createTemplateInOrganization({
    params: organization,
    body: { space: admin.spaceId, title: 'Secret template' },
  })

  const spec = await makeSpec(admin)
  const translation = await makeTranslation(admin)
  const events = await admin.api.listOrganizationAuditEvents({ params: organization, query: { limit: 1 } })

  const stranger = await octavo.person('Stranger')
  const foreign = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  return {
    members,
    stranger,
    foreignOrganizationId: foreign.id,
    params: {
      ...organization,
      spaceId: admin.spaceId,
      collectionId: collection.id,
      teamId: team.id,
      userId: reader.id,
      inviteId: invite.id,
      samlProviderId: provider.id,
      tokenId: token.id,
      sessionId: await startSession(octavo, admin.id),
      grantId: await authorizeApp(octavo, admin.id, 'Secret app'),
      scimTokenId: scimToken.id,
      emailDomain: 'secret.example',
      subdomain: 'secret-name',
      importRunId: run.id,
      templateId: template.id,
      notificationId: notification.id,
      auditEventId: events.items[0]?.id ?? '',
      jobId: 'absent',
      ...spec,
      ...translation,
      ...content,
      ...site,
    },
  }
}

/** Creates an OpenAPI specification and waits for its first version. */
async function makeSpec({ api, organizationId }: Admin): Promise<Record<string, string>> {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Secret API', version: '1' }, paths: {} })
  const specSlug = 'secret-spec'
  await api.createOpenApiSpec({ params: { organizationId }, body: { slug: specSlug, source: { text } } })
  const versionId = await waitUntil(
    async () => (await api.getOpenApiSpecBySlug({ params: { organizationId, specSlug } })).lastVersion,
    'the specification is processed',
  )
  return { specSlug, versionId }
}

/** Creates a glossary entry, and a translation with a run that fails, because the server does not connect to such addresses. */
async function makeTranslation({ api, organizationId, spaceId }: Admin): Promise<Record<string, string>> {
  const params = { organizationId }
  const operations = [{ type: 'insert' as const, translations: { en: 'secret', fr: 'secret' } }]
  await api.updateGlossaryEntries({ params, body: { operations } })
  const entries = await api.listGlossaryEntries({ params, query: {} })
  const url = 'http://127.0.0.1:9/'
  await api.setTranslationEngine({ params, body: { kind: 'libretranslate', url } })
  const body = { language: 'fr', source: { space: spaceId, language: 'en' } } as const
  const { id: translationId } = await api.createTranslation({ params, body })
  const runs = await api.listTranslationRuns({ params: { ...params, translationId }, query: {} })
  const runId = runs.items[0]?.id ?? ''
  // A run that fails has no findings; requests with this ID are refused before it matters.
  return { translationId, runId, findingId: runId, glossaryEntryId: entries.items[0]?.id ?? '' }
}

/** Creates an unpublished site with one item of each kind. */
async function makeSite(admin: Admin): Promise<Record<string, string>> {
  const { api, organizationId, spaceId } = admin
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Secret site', spaces: [spaceId] } })
  const params = { organizationId, siteId: site.id }
  const section = await api.addSectionToSite({ params, body: { spaceId, title: 'Secret section' } })
  const body = { title: 'Secret group', sections: [section.id] }
  const group = await api.addSectionGroupToSite({ params, body })
  const url = 'https://secret.example/'
  const link = await api.addExternalLinkToSite({ params, body: { title: 'Secret link', url } })
  const redirect = await api.createSiteRedirect({
    params,
    body: { source: '/secret', destination: { kind: 'external', url } },
  })
  const shareLink = await api.createSiteShareLink({ params, body: { name: 'Secret key' } })
  const hostname = 'docs.secret.example'
  await api.updateSiteById({ params, body: { hostname } })
  return {
    siteId: site.id,
    siteSpaceId: section.siteSpaces[0]?.id ?? '',
    siteSectionId: section.id,
    siteSectionGroupId: group.id,
    siteExternalLinkId: link.id,
    siteRedirectId: redirect.id,
    shareLinkId: shareLink.id,
    hostname,
  }
}

/** Creates a page, a file, a reusable content, a comment with a reply, and a change request with a review and a conflict. */
async function makeContent(admin: Admin): Promise<Record<string, string>> {
  const { api, spaceId } = admin
  const params = { spaceId }
  const [pageId = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# Secret page\n\nSecret text', { slug: 'secret-path' }),
    { operation: 'insert_reusable_content', title: 'Secret part', document: { markdown: 'Secret words' } },
    { operation: 'set_variables', variables: { secret: 'Secret value' } },
    {
      operation: 'insert_files',
      files: [{ name: 'secret.txt', contentType: 'text/plain', base64: btoa('Secret bytes') }],
    },
  )
  const revision = await api.getCurrentRevision({ params })
  const page = await readLive(admin, spaceId, pageId)
  const [ours, theirs] = [await propose(admin, spaceId), await propose(admin, spaceId)]
  await ours.edit(updatePage(pageId, { title: 'Our secret' }))
  await theirs.edit(updatePage(pageId, { title: 'Their secret' }))
  await theirs.merge()
  await ours.update()
  const conflicts = await api.listChangeRequestConflicts({ params: ours.params })
  const comment = await api.postCommentInSpace({ params, body: { body: { markdown: 'Secret comment' }, page: pageId } })
  const reply = await api.postCommentReplyInSpace({
    params: { spaceId, commentId: comment.id },
    body: { body: { markdown: 'Secret reply' } },
  })
  const review = await api.submitChangeRequestReview({ params: ours.params, body: { status: 'approved' } })
  await api.importGitRepository({ params, body: { url: 'http://127.0.0.1:9/secret.git', ref: 'refs/heads/secret' } })
  const operations = await api.listSpaceGitOperations({ params, query: {} })
  return {
    operationId: operations.items[0]?.id ?? '',
    changeRequestId: ours.id,
    pageId,
    pagePath: page.path,
    documentId: page.documentId ?? '',
    revisionId: revision.id,
    fileId: revision.files[0]?.id ?? '',
    reusableContentId: revision.reusableContents[0]?.id ?? '',
    variableName: 'secret',
    conflictId: conflicts.items[0]?.id ?? '',
    reviewId: review.id,
    commentId: comment.id,
    commentReplyId: reply.id,
  }
}
