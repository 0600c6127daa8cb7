import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Space } from '../../src/contract/space.ts'
import { ConflictScenario } from '../support/conflicts.ts'
import { editLive, insertPage, updatePage, writePage } from '../support/content.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { makeOrganization } from '../support/organization.ts'
import { publishPages } from '../support/published-sites.ts'
import { addProvider, createTokenInSession, signInWithSaml } from '../support/saml.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser, startSessionWithToken } from '../support/sign-in.ts'
import { makeSite } from '../support/sites.ts'
import { translatedSpace } from '../support/translations.ts'

// Requests whose statements are otherwise executed only by tests that run on one engine, as listed in vitest.config.ts.

let octavo: TestServer
const okta = new IdentityProvider('okta')
beforeAll(async () => void (octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })))
afterAll(() => octavo.stop())

test('an organization has a hostname and a default site, and a section another title and path', async () => {
  const make = await makeOrganization(octavo)
  const { api } = make.owner
  const { params, spaces } = await makeSite(make, ['Guide'])
  const body = { hostname: 'acme-docs', defaultContent: { type: 'site' as const, site: params.siteId } }
  await api.updateOrganizationById({ params: make.params, body })
  expect(await api.getOrganizationById({ params: make.params })).toMatchObject(body)
  expect(await api.listTemplatesInOrganization({ params: make.params })).toMatchObject({ count: 0, items: [] })

  const { id } = await api.addSectionToSite({ params, body: { spaceId: spaces['Guide'] ?? '' } })
  const section = { title: 'Handbook', path: 'handbook' }
  await api.updateSiteSectionById({ params: { ...params, siteSectionId: id }, body: section })
  const { items } = await api.listSiteSections({ params })
  expect(items.find((one) => one.id === id)).toMatchObject(section)
})

test('the logout URL of a site is set and removed', async () => {
  const make = await makeOrganization(octavo)
  const { params } = await makeSite(make, ['Guide'], { visibility: 'visitor-auth' })
  const logoutURL = 'https://id.example.com/out'
  const update = (url: string | null) =>
    make.owner.api.updateSitePublishingAuthById({ params, body: { backend: 'custom', logoutURL: url } })
  expect(await update(logoutURL)).toMatchObject({ logoutURL })
  expect(await update(null)).not.toHaveProperty('logoutURL')
})

test('a copy of a space has its settings', async () => {
  const make = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Guides')
  const { id: spaceId } = await make.space('Guide', { parent })
  const settings: Partial<Space> = {
    emoji: '🚀',
    visibility: 'in-collection',
    editMode: 'locked',
    language: 'fr',
    defaultLevel: 'comment',
    mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
  }
  const { api } = make.owner
  await api.updateSpaceById({ params: { spaceId }, body: settings })
  expect(await api.duplicateSpace({ params: { spaceId } })).toMatchObject({ title: 'Copy of Guide', ...settings })
})

test('resolved conflicts are listed', async () => {
  const scenario = await ConflictScenario.create(octavo.admin, ['A'])
  await scenario.editProposal(scenario.write('A', 'Ours.'))
  await scenario.editPublished(scenario.write('A', 'Theirs.'))
  await scenario.proposal.update()
  await scenario.resolveAll('theirs')
  const { params } = scenario.proposal
  const list = await octavo.admin.api.listChangeRequestConflicts({ params, query: { status: 'resolved' } })
  expect(list).toMatchObject({ count: 1, items: [{ resolution: 'theirs' }] })
})

test('the editor bar of a page is shown to an editor', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const { items } = await octavo.admin.api.listSiteSpaces({ params: site.params, query: {} })
  const query = new URLSearchParams({
    path: new URL(site.base).pathname,
    'site-space': items[0]?.id ?? '',
    space: site.spaceId,
    page: site.pages[0] ?? '',
  })
  const { token } = await startSessionWithToken(octavo, octavo.admin.id)
  const headers = {
    'sec-fetch-dest': 'iframe',
    'sec-fetch-site': 'same-origin',
    cookie: `octavo-session=${token}`,
  }
  const reply = await octavo.fetch(`/editor-bar?${query.toString()}`, { headers })
  expect(await reply.text()).toContain('History')
})

test('an identity provider is found by a domain, signs a person in, and changes the name and address of that person', async () => {
  const make = await makeOrganization(octavo)
  const domain = 'both-engines.example'
  await make.owner.api.updateOrganizationById({ params: make.params, body: { emailDomains: [domain] } })
  const provider = await addProvider(make, okta, { signRequests: true })
  const params = { ...make.params, samlProviderId: provider.id }
  const changed = await make.owner.api.updateOrganizationSamlProvider({ params, body: { signRequests: false } })
  expect(changed.signRequests).toBe(false)
  expect(await make.owner.api.updateOrganizationSamlProvider({ params, body: {} })).toMatchObject({
    signRequests: false,
  })
  const browser = new FormBrowser(octavo.url)
  const found = await browser.submit(await browser.open('/login/sso'), '/login/sso', { address: `ada@${domain}` })
  expect(found.html).toContain(`/saml/${provider.id}/start`)

  const signIn = (email: string, displayName: string) =>
    signInWithSaml(octavo, provider, okta, { nameID: 'u-1', attributes: { email, displayName } })
  await signIn(`ada@${domain}`, 'Ada Lovelace')
  const { browser: signedIn } = await signIn(`ada.king@${domain}`, 'Ada King')
  const { api } = await createTokenInSession(octavo, signedIn)
  expect(await api.getAuthenticatedUser()).toMatchObject({ displayName: 'Ada King', email: `ada.king@${domain}` })
  const { count, items } = await api.listTokens()
  expect([count, items.map(({ label }) => label)]).toEqual([1, ['Session']])
})

test('a reviewed translation is continued in its change request, within its limits', async () => {
  const translated = await translatedSpace(octavo, [insertPage('One text.', { title: 'First' })], {
    resultMode: 'change-request',
    limits: { month: 1000 },
  })
  const { api, organizationId } = octavo.admin
  const { pages } = await api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
  await translated.editSource(writePage(pages[0]?.id ?? '', 'Another text.'))
  expect((await translated.run()).failure).toBeUndefined()
  const { items: runs } = await api.listTranslationRuns({ params: translated.params, query: {} })
  expect(new Set(runs.map(({ changeRequest }) => changeRequest)).size).toBe(1)
  const unlimited = await api.updateTranslation({ params: translated.params, body: { limits: { month: null } } })
  expect(unlimited.limits.month).toBeNull()

  const params = { organizationId }
  await api.updateGlossaryEntries({
    params,
    body: { operations: [{ type: 'insert', translations: { en: 'page', fr: 'feuille' } }] },
  })
  const [entry] = (await api.listGlossaryEntries({ params, query: {} })).items
  await api.updateGlossaryEntries({ params, body: { operations: [{ type: 'delete', id: entry?.id ?? '' }] } })
  expect(await api.listGlossaryEntries({ params, query: {} })).toMatchObject({ count: 0 })
})

test('a text that people edited is listed when its source changes, and the memory of a language is cleared', async () => {
  const translated = await translatedSpace(octavo, [insertPage('One text.', { title: 'First' })])
  const { api, organizationId } = octavo.admin
  const { pages } = await api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
  const page = pages[0]?.id ?? ''
  await translated.editResult(updatePage(page, { title: 'Premier' }))
  await translated.editSource(updatePage(page, { title: 'New first' }))
  await translated.run()
  const query = { status: 'open' } as const
  const findings = await api.listTranslationFindings({ params: translated.params, query })
  expect(findings).toMatchObject({ count: 1, items: [{ field: 'title', current: 'Premier' }] })

  translated.takeSentTexts()
  await api.clearTranslationMemory({ params: { organizationId }, query: { language: 'fr' } })
  await editLive(octavo.admin, translated.sourceId, insertPage('One text.', { title: 'Second' }))
  await translated.run()
  expect(translated.takeSentTexts()).toContain('One text.')
})
