import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { auditedOperations, unauditedOperations } from '../support/audited-operations.ts'
import { insertPage, propose, writePage } from '../support/content.ts'
import { insertFailedJob } from '../support/jobs.ts'
import { authorizeApp } from '../support/oauth.ts'
import { startSession } from '../support/sign-in.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

type AuditedName = keyof typeof auditedOperations

test('every operation that changes something is audited or listed as an exception', () => {
  const changing = Object.entries<Operation>(api).flatMap(([name, { method, readOnly }]) =>
    method === 'GET' || readOnly ? [] : [name],
  )
  expect([...Object.keys(auditedOperations), ...unauditedOperations].sort()).toEqual(changing.sort())
})

/** Secrets in requests and replies, which no event may contain. */
const secrets: string[] = []

/** Audited operations that a test has called. */
const called = new Set<AuditedName>()

interface RecordOptions {
  by?: Person
  /** Whether the operation starts a job whose failure is the reply. */
  failsLater?: boolean
}

/** Calls an operation and checks that it was recorded once under its action. */
async function record<Name extends AuditedName>(
  name: Name,
  request: Parameters<Client[Name]>[0],
  { by = octavo.admin, failsLater = false }: RecordOptions = {},
): Promise<Awaited<ReturnType<Client[Name]>>> {
  const action = auditedOperations[name]
  const list = async () =>
    (await octavo.admin.api.listOrganizationAuditEvents({ params: params(), query: { action, limit: 100 } })).items
  const known = new Set((await list()).map(({ id }) => id))
  const call = by.api[name] as (...requests: unknown[]) => ReturnType<Client[Name]>
  const [result] = await Promise.allSettled([call(request)])
  if (result.status === 'rejected' && !failsLater) throw result.reason
  const added = (await list()).filter(({ id }) => !known.has(id))
  expect(added.map((event) => [name, event.action, event.actor.id])).toEqual([[name, action, by.id]])
  called.add(name)
  return (result.status === 'fulfilled' ? result.value : undefined) as Awaited<ReturnType<Client[Name]>>
}

const params = () => ({ organizationId: octavo.admin.organizationId })

test('accounts and the organization', async () => {
  const { admin } = octavo
  const { id: tokenId, token } = await record('createToken', { body: { label: 'Audited' } })
  secrets.push(token)
  await record('revokeToken', { params: { tokenId } })
  const { id: scimTokenId, token: scimToken } = await record('createScimToken', {
    params: params(),
    body: { label: 'Directory' },
  })
  secrets.push(scimToken)
  await record('revokeScimToken', { params: { ...params(), scimTokenId } })
  await record('revokeAuthorizedApp', { params: { grantId: await authorizeApp(octavo, admin.id) } })
  await record('revokeSession', { params: { sessionId: await startSession(octavo, admin.id) } })
  const sso = { ...params(), providerId: 'okta' }
  const ofMember = { ...params(), userId: admin.id }
  const sessionId = await startSession(octavo, admin.id, sso)
  await record('revokeSessionForOrganizationMember', { params: { ...ofMember, sessionId } })
  await startSession(octavo, admin.id, sso)
  await record('revokeSessionsForOrganizationMember', { params: ofMember })
  await record('updateUserById', { params: { userId: admin.id }, body: { displayName: 'Ada' } })
  await record('updateOrganizationById', { params: params(), body: { title: 'Acme', emailDomains: ['example.com'] } })
  await record('updateOrganizationAuditSettings', { params: params(), body: { retentionDays: 365 } })
  await record('exportOrganizationAuditEvents', { params: params(), body: { format: 'csv' } })
  const provider = await record('createOrganizationSamlProvider', { params: params(), body: { label: 'Okta' } })
  const ofProvider = { ...params(), samlProviderId: provider.id }
  await record('updateOrganizationSamlProvider', { params: ofProvider, body: { label: 'Entra' } })
  await record('deleteOrganizationSamlProvider', { params: ofProvider })

  const key = 'audited-translation-key'
  secrets.push(key)
  await record('setTranslationEngine', {
    params: params(),
    body: { kind: 'deepl', url: 'https://api.deepl.com', key },
  })
  await record('removeTranslationEngine', { params: params() })

  const other = await admin.api.createOrganization({ body: { title: 'Other' } })
  const events = await admin.api.listOrganizationAuditEvents({ params: { organizationId: other.id } })
  expect(events.items).toMatchObject([{ action: auditedOperations.createOrganization, target: { id: other.id } }])
  called.add('createOrganization')
  await admin.api.deleteOrganizationById({ params: { organizationId: other.id }, query: { title: 'Other' } })
  // Only operators see the event, because the log of the organization is deleted with it.
  const deletions = await octavo.server.app.database.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', auditedOperations.deleteOrganizationById)
    .execute()
  expect(deletions).toMatchObject([{ organization_id: null, actor_id: admin.id, target_id: other.id }])
  called.add('deleteOrganizationById')
})

test('the server', async () => {
  const jobId = await insertFailedJob(octavo, 'unknown.job', 1)
  await octavo.admin.api.retryJob({ params: { jobId } })
  // Only operators see the event, with the command line.
  const events = await octavo.server.app.database.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', auditedOperations.retryJob)
    .execute()
  expect(events).toMatchObject([{ organization_id: null, actor_id: octavo.admin.id, target_id: jobId }])
  called.add('retryJob')
})

test('members, invites and teams', async () => {
  const joiner = await octavo.person('Joiner')
  await record('joinOrganization', { params: params() }, { by: joiner })
  const ofMember = { ...params(), userId: joiner.id }
  await record('updateMemberInOrganizationById', { params: ofMember, body: { role: 'edit' } })
  await record('setUserAsSSOMemberForOrganization', { params: ofMember })

  const team = await record('createOrganizationTeam', { params: params(), body: { title: 'Crew' } })
  const ofTeam = { ...params(), teamId: team.id }
  await record('updateTeamInOrganizationById', { params: ofTeam, body: { title: 'Staff' } })
  await record('updateMembersInOrganizationTeam', { params: ofTeam, body: { add: [joiner.id] } })
  await record('addMemberToOrganizationTeamById', { params: { ...ofTeam, ...ofMember }, body: { role: 'owner' } })
  await record('deleteMemberFromOrganizationTeamById', { params: { ...ofTeam, ...ofMember } })
  await record('removeTeamFromOrganizationById', { params: ofTeam })
  await record('removeMemberFromOrganizationById', { params: ofMember })

  const { invites } = await record('inviteUsersToOrganization', { params: params(), body: { emails: ['new@x.org'] } })
  await record('deleteEmailInvite', { params: { ...params(), inviteId: invites[0]?.id ?? '' } })
  const link = await record('createOrganizationInvite', { params: params(), body: { role: 'read' } })
  const ofLink = { ...params(), inviteId: link.id }
  secrets.push(link.id, invites[0]?.id ?? '')
  await record('updateOrganizationInviteById', { params: ofLink, body: { role: 'edit' } })
  await record('joinOrganizationWithInvite', { params: ofLink }, { by: joiner })
  await record('deleteOrganizationInviteById', { params: ofLink })
})

test('collections and spaces', async () => {
  const { admin } = octavo
  const { api: client } = admin
  const target = await client.createOrganization({ body: { title: 'Target' } })
  const collection = await record('createCollection', { params: params(), body: { title: 'Guides' } })
  const inner = await client.createCollection({ params: params(), body: { title: 'Inner' } })
  const ofCollection = { collectionId: collection.id }
  await record('updateCollectionById', { params: ofCollection, body: { title: 'Books' } })
  await record('moveCollection', { params: { collectionId: inner.id }, body: { parent: collection.id } })

  const space = await record('createSpace', { params: params(), body: { title: 'Guide' } })
  const ofSpace = { spaceId: space.id }
  await record('updateSpaceById', { params: ofSpace, body: { title: 'Handbook' } })
  await record('moveSpace', { params: ofSpace, body: { parent: collection.id } })
  const copy = await record('duplicateSpace', { params: ofSpace })
  await record('deleteSpaceById', { params: ofSpace })
  await record('restoreSpace', { params: ofSpace })
  await record('transferSpace', { params: { spaceId: copy.id }, body: { organization: target.id } })
  await record('transferCollection', { params: { collectionId: inner.id }, body: { organization: target.id } })
  for (const action of ['space.transfer', 'collection.transfer'] as const) {
    const arrived = await client.listOrganizationAuditEvents({
      params: { organizationId: target.id },
      query: { action },
    })
    expect(arrived.items).toHaveLength(1)
  }
  await record('deleteCollectionById', { params: ofCollection })
})

test('permissions', async () => {
  const { api: client, spaceId } = octavo.admin
  const { id: userId } = await octavo.member('read', 'Reader')
  const { id: teamId } = await client.createOrganizationTeam({ params: params(), body: { title: 'Readers' } })
  const { id: collectionId } = await client.createCollection({ params: params(), body: { title: 'Shared' } })
  const site = await client.createSite({ params: params(), body: { title: 'Shared site' } })
  const shared = { role: 'edit' as const, users: [userId], teams: [teamId] }
  const body = { role: 'review' as const }

  await record('inviteToSpace', { params: { spaceId }, body: shared })
  await record('updateUserPermissionInSpace', { params: { spaceId, userId }, body })
  await record('removeUserFromSpace', { params: { spaceId, userId } })
  await record('updateTeamPermissionInSpace', { params: { spaceId, teamId }, body })
  await record('removeTeamFromSpace', { params: { spaceId, teamId } })

  await record('inviteToCollection', { params: { collectionId }, body: shared })
  await record('updateUserPermissionInCollection', { params: { collectionId, userId }, body })
  await record('removeUserFromCollection', { params: { collectionId, userId } })
  await record('updateTeamPermissionInCollection', { params: { collectionId, teamId }, body })
  await record('removeTeamFromCollection', { params: { collectionId, teamId } })

  const ofSite = { ...params(), siteId: site.id }
  await record('inviteToSite', { params: ofSite, body: shared })
  await record('updateUserPermissionInSite', { params: { ...ofSite, userId }, body })
  await record('removeUserFromSite', { params: { ...ofSite, userId } })
  await record('updateTeamPermissionInSite', { params: { ...ofSite, teamId }, body })
  await record('removeTeamFromSite', { params: { ...ofSite, teamId } })
})

test('content, imports, Git, templates and specifications', async () => {
  const { admin } = octavo
  const space = await admin.api.createSpace({ params: params(), body: { title: 'Content' } })
  const ofSpace = { spaceId: space.id }
  const proposal = await propose(admin, space.id, 'A new page')
  await proposal.edit(insertPage('# New'))
  await record('mergeChangeRequest', { params: proposal.params })
  const draft = await propose(admin, space.id)
  // The reply of an import is a failure, because nothing listens there, but its start is recorded.
  const url = 'http://127.0.0.1:9/?key=website-key'
  secrets.push('website-key')
  const website = { body: { source: 'website' as const, url } }
  await record('importContent', { params: ofSpace, ...website }, { failsLater: true })
  await record('importContentInChangeRequest', { params: draft.params, ...website }, { failsLater: true })
  await record('startImportRun', {
    params: params(),
    body: { source: { type: 'website', url }, target: { space: space.id } },
  })

  const repository = { url: 'http://user:git-password@127.0.0.1:9/docs.git', ref: 'refs/heads/main' }
  await record('updateSpaceGitInfo', { params: ofSpace, body: repository })
  secrets.push((await record('createGitWebhook', { params: ofSpace })).secret, 'git-password')
  await record('importGitRepository', { params: ofSpace, body: repository })
  await record('exportToGitRepository', { params: ofSpace, body: { ...repository, commitMessage: 'Export' } })
  await record('removeSpaceGitInfo', { params: ofSpace })

  const template = await record('createTemplateInOrganization', { params: params(), body: { space: space.id } })
  await record('deleteTemplateInOrganization', { params: { ...params(), templateId: template.id } })

  const source = { text: '{"openapi":"3.1.0","info":{"title":"API","version":"1"},"paths":{}}' }
  const ofSpec = { ...params(), specSlug: 'petstore' }
  await record('createOpenApiSpec', { params: params(), body: { slug: 'petstore', source } })
  await record('createOrUpdateOpenApiSpecBySlug', { params: ofSpec, body: { source } })
  await record('updateOpenApiSpecBySlug', { params: ofSpec, body: { visibility: 'public' } })
  await record('deleteOpenApiSpecBySlug', { params: ofSpec })
})

test('translations', async () => {
  const { admin } = octavo
  const translated = await translatedSpace(octavo, [insertPage('One text.', { title: 'First' })])
  const { sourceId, params: ofTranslation } = translated
  const body = { language: 'de', source: { space: sourceId, language: 'en' } } as const
  const { id: translationId } = await record('createTranslation', { params: params(), body })
  await waitForTranslation(admin, translationId)
  await record('updateTranslation', { params: ofTranslation, body: { resultMode: 'change-request' } })
  await record('deleteTranslation', { params: { ...params(), translationId } })

  const { pages } = await admin.api.getCurrentRevision({ params: { spaceId: sourceId } })
  const page = pages[0]?.id ?? ''
  await translated.editResult(writePage(page, 'Un texte.'))
  await translated.editSource(writePage(page, 'One new text.'))
  await translated.run()
  const findings = await admin.api.listTranslationFindings({ params: ofTranslation, query: {} })
  const findingId = findings.items[0]?.id ?? ''
  await record('resolveTranslationFinding', { params: { ...ofTranslation, findingId }, body: { use: 'keep' } })

  await translated.editSource(writePage(page, 'Another new text.'))
  const release = translated.engine.hold()
  await record('runTranslation', { params: ofTranslation })
  await record('cancelTranslationRun', { params: ofTranslation })
  release()
  const operations = [{ type: 'insert' as const, translations: { en: 'text', fr: 'texte' } }]
  await record('updateGlossaryEntries', { params: params(), body: { operations } })
  await record('clearTranslationMemory', { params: params(), query: {} })
})

test('sites and their structure', async () => {
  const { api: client, spaceId } = octavo.admin
  const site = await record('createSite', { params: params(), body: { title: 'Docs', spaces: [spaceId] } })
  const ofSite = { ...params(), siteId: site.id }
  await record('publishSite', { params: ofSite })
  await record('updateSiteById', { params: ofSite, body: { visibility: 'unlisted', hostname: 'docs.acme.example' } })
  await record('removeCustomHostname', { params: { hostname: 'docs.acme.example' } })
  await record('unpublishSite', { params: ofSite })

  const other = await client.createSpace({ params: params(), body: { title: 'Second' } })
  const siteSpace = await record('addSpaceToSite', { params: ofSite, body: { spaceId: other.id } })
  const ofSiteSpace = { ...ofSite, siteSpaceId: siteSpace.id }
  await record('updateSiteSpaceById', { params: ofSiteSpace, body: { draft: true } })
  const first = (await client.listSiteSpaces({ params: ofSite })).items[0]?.id ?? ''
  await record('moveSiteSpace', {
    params: ofSiteSpace,
    body: { position: { before: { type: 'site-space', siteSpace: first } } },
  })
  await record('overrideSiteSpaceCustomizationById', {
    params: ofSiteSpace,
    body: { styling: { primaryColor: { light: '#112233', dark: '#112233' } } },
  })
  await record('deleteSiteSpaceCustomizationById', { params: ofSiteSpace })
  await record('deleteSiteSpaceById', { params: ofSiteSpace })

  const section = await record('addSectionToSite', { params: ofSite, body: { spaceId: other.id, title: 'Guides' } })
  const ofSection = { ...ofSite, siteSectionId: section.id }
  await record('updateSiteSectionById', { params: ofSection, body: { title: 'Books' } })
  const sections = (await client.listSiteSections({ params: ofSite })).items
  const before = { type: 'site-section' as const, siteSection: sections[0]?.id ?? '' }
  await record('moveSiteSection', { params: ofSection, body: { position: { before } } })
  const group = await record('addSectionGroupToSite', { params: ofSite, body: { title: 'Group', sections: [] } })
  const ofGroup = { ...ofSite, siteSectionGroupId: group.id }
  await record('updateSiteSectionGroupById', { params: ofGroup, body: { title: 'Bundle' } })
  await record('addSectionToGroup', { params: ofGroup, body: { sectionId: section.id } })
  await record('removeSectionFromGroup', { params: { ...ofGroup, ...ofSection } })
  const sibling = { before: { type: 'site-section' as const, id: section.id } }
  await record('moveSiteSectionGroup', { params: ofGroup, body: { position: sibling } })
  const item = { type: 'site-section-group' as const, id: group.id }
  await record('sortSiteStructure', {
    params: ofSite,
    body: { item, position: { after: { type: 'site-section', id: section.id } } },
  })
  await record('deleteSiteSectionGroupById', { params: ofGroup })
  const link = await record('addExternalLinkToSite', {
    params: ofSite,
    body: { title: 'Status', url: 'https://status.example/' },
  })
  const ofLink = { ...ofSite, siteExternalLinkId: link.id }
  await record('updateSiteExternalLinkById', { params: ofLink, body: { title: 'Health' } })
  await record('deleteSiteExternalLinkById', { params: ofLink })
  await record('deleteSiteSectionById', { params: ofSection })

  const empty = await client.createSite({ params: params(), body: { title: 'Empty' } })
  await record('applyTemplateToSite', { params: { ...params(), siteId: empty.id } })
  await record('deleteSiteById', { params: ofSite })
})

test('settings of sites', async () => {
  const site = await octavo.admin.api.createSite({ params: params(), body: { title: 'Settings' } })
  const ofSite = { ...params(), siteId: site.id }
  const settings = await octavo.admin.api.getSiteCustomizationById({ params: ofSite })
  await record('updateSiteCustomizationById', { params: ofSite, body: { ...settings, title: 'Help' } })
  await record('changeSiteCustomizationById', { params: ofSite, body: { title: 'Help center' } })
  const destination = { kind: 'external' as const, url: 'https://example.com/' }
  const redirect = await record('createSiteRedirect', { params: ofSite, body: { source: '/a', destination } })
  const ofRedirect = { ...ofSite, siteRedirectId: redirect.id }
  await record('updateSiteRedirectById', { params: ofRedirect, body: { permanent: true } })
  await record('bulkUpsertSiteRedirects', {
    params: ofSite,
    body: { redirects: [{ source: '/b', intent: 'live', destination }] },
  })
  await record('deleteSiteRedirectById', { params: ofRedirect })
  await record('updateSiteAdaptiveSchema', {
    params: ofSite,
    body: {
      jsonSchema: {
        type: 'object',
        properties: { plan: { type: 'string', description: 'Plan' } },
        additionalProperties: false,
      },
    },
  })
  const link = await record('createSiteShareLink', { params: ofSite, body: { name: 'Partners' } })
  const ofLink = { ...ofSite, shareLinkId: link.id }
  secrets.push(link.key)
  await record('updateSiteShareLinkById', { params: ofLink, body: { active: false } })
  await record('deleteSiteShareLinkById', { params: ofLink })
  await record('updateSitePublishingAuthById', {
    params: ofSite,
    body: { backend: 'custom', fallbackURL: 'https://example.com/login' },
  })
  secrets.push((await record('regenerateSitePublishingAuthById', { params: ofSite })).privateKey)
  await record('updateSiteSearchSettings', { params: ofSite, body: { synonyms: [['doc', 'manual']] } })
})

test('the tests above call every audited operation', () => {
  expect([...called].sort()).toEqual(Object.keys(auditedOperations).sort())
})

test('no event contains a secret', async () => {
  const { reader } = octavo.server.app.database
  const events = JSON.stringify(await reader.selectFrom('audit_events').selectAll().execute())
  expect(secrets).toHaveLength(10)
  expect(secrets.filter((secret) => secret === '' || events.includes(secret))).toEqual([])
})
