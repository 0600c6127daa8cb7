import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { editLive, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { inlineFile } from '../support/files.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type SiteParams, readItemIds } from '../support/sites.ts'
import { resolveUrl, visit } from '../support/visits.ts'
import { signJwt } from '../../src/kernel/jwt.ts'

// Visitors and members try to get more of a site than they have access to.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_SITES_DOMAIN: 'docs.example' })
})
afterAll(() => octavo.stop())

const forStaff = 'visitor.claims.staff == true'

const showing = (id: string) => `# Page\n\n{% file src="/files/${id}" %}`

const notFor = (name: string) => `visitor.claims.company != '${name}'`

const link = (title: string, condition: string) => ({
  title,
  to: { kind: 'url' as const, url: 'https://example.com/' },
  links: [],
  condition,
})

/** Resolves a URL and returns how the request was refused. */
const answerTo = async (url: string, jwtToken?: string) =>
  refusal(resolveUrl(octavo, url, { jwtToken }, { redirectOnError: true }))

const refused = async (calls: Promise<unknown>[]) => Promise.all(calls.map(refusal))

/** Publishes a site in a new organization, with a public page and a page for visitors with the claim "staff". */
async function publish() {
  const make = await makeOrganization(octavo)
  const { api } = make.owner
  const space = await make.space('Manual')
  const [open = '', secret = ''] = await editLive(
    make.owner,
    space.id,
    insertPage('# Open\n\nAn axolotl for all'),
    insertPage('# Secret plan\n\nAn axolotl for some', { condition: forStaff }),
  )
  const site = await api.createSite({ params: make.params, body: { title: 'Docs', spaces: [space.id] } })
  const params = { ...make.params, siteId: site.id }
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  const address = (await api.publishSite({ params })).urls.published ?? ''
  return { make, api, params, spaceId: space.id, open, secret, address }
}

async function signedIn(make: TestOrganization, params: SiteParams, claims: Record<string, unknown>): Promise<string> {
  const { privateKey } = await make.owner.api.getSitePublishingAuthById({ params })
  return signJwt({ exp: Math.floor(octavo.clock.now() / 1000) + 3600, ...claims }, privateKey)
}

describe('claims', () => {
  test('signed with the previous key no longer apply after the key is regenerated', async () => {
    const { make, api, params, spaceId, secret, open, address } = await publish()
    const jwtToken = await signedIn(make, params, { staff: true })
    const staff = await visit(octavo, address, { jwtToken })
    const read = (pageId: string) => refusal(staff.api.getPageById({ params: { spaceId, pageId }, query: {} }))
    expect(await read(secret)).toBe('was not refused')
    await api.regenerateSitePublishingAuthById({ params })
    expect(await read(secret)).toBe('404')
    expect(await read(open)).toBe('was not refused')
  })

  test('of a preview no longer apply when its creator leaves the organization', async () => {
    const { make, api, params, spaceId, secret, open } = await publish()
    const member = await make.member('admin')
    const { url } = await member.api.getSitePublishingPreviewById({ params, query: { claims: '(staff:!t)' } })
    const previewer = await visit(octavo, url)
    const read = (pageId: string) => refusal(previewer.api.getPageById({ params: { spaceId, pageId }, query: {} }))
    expect(await read(secret)).toBe('was not refused')
    await api.removeMemberFromOrganizationById({ params: { ...make.params, userId: member.id } })
    expect(await read(secret)).toBe('404')
    expect(await read(open)).toBe('was not refused')
  })

  test('of a preview do not apply to a space that its creator cannot see', async () => {
    const { make, params, spaceId, secret, open } = await publish()
    const reader = await make.member('read')
    await make.owner.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    await waitUntilSearchable(octavo, spaceId)
    const shows = async (person: typeof reader) => {
      const { url } = await person.api.getSitePublishingPreviewById({ params, query: { claims: '(staff:!t)' } })
      const { api } = await visit(octavo, url)
      const found = await api.searchSiteContent({ params, query: {}, body: { query: 'axolotl' } })
      return {
        open: await refusal(api.getPageById({ params: { spaceId, pageId: open }, query: {} })),
        secret: await refusal(api.getPageById({ params: { spaceId, pageId: secret }, query: {} })),
        found: found.items.flatMap(({ pages }) => pages.map(({ title }) => title)).toSorted(),
      }
    }
    const all = { open: 'was not refused', secret: 'was not refused', found: ['Open', 'Secret plan'] }
    expect(await shows(make.owner)).toEqual(all)
    expect(await shows(reader)).toEqual({ ...all, secret: '404', found: ['Open'] })
  })
})

test('a token without the space:read scope cannot create a preview', async () => {
  const { make, params } = await publish()
  const preview = async (...scopes: ('site:read' | 'space:read')[]) => {
    const { token } = await make.owner.api.createToken({ body: { label: 'Limited', scopes } })
    return refusal(createClient({ url: octavo.url, token }).getSitePublishingPreviewById({ params }))
  }
  expect(await preview('site:read')).toBe('403')
  expect(await preview('site:read', 'space:read')).toBe('was not refused')
})

test('a preview shows an old revision only while its creator can see the space', async () => {
  const { make, api, params, spaceId, open } = await publish()
  const reader = await make.member('read')
  const former = (await api.getSpaceById({ params: { spaceId }, query: {} })).revision
  await editLive(make.owner, spaceId, updatePage(open, { title: 'Changed' }))
  const { url } = await reader.api.getSitePublishingPreviewById({ params })
  const previewer = await visit(octavo, url.replace('?', `~/revisions/${former}/?`))
  const look = () =>
    refusal(previewer.api.listPagesInRevisionById({ params: { spaceId, revisionId: former }, query: {} }))
  expect(await look()).toBe('was not refused')
  await api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
  expect(await look()).toBe('404')
})

describe('a visitor', () => {
  test('does not see the email address of the author of a previewed change request', async () => {
    const { make, params, spaceId, open } = await publish()
    const proposal = await propose(make.owner, spaceId, 'New words')
    await proposal.edit(updatePage(open, { title: 'Changed' }))
    const { url } = await make.owner.api.getSitePublishingPreviewById({ params })
    const previewer = await visit(octavo, url.replace('?', `~/changes/${proposal.id}/?`))
    const request = await previewer.api.getChangeRequestById({ params: proposal.params })
    expect(request).toMatchObject({ subject: 'New words', createdBy: { displayName: 'Owner' } })
    const place = { spaceId, revisionId: request.revision }
    const revision = await previewer.api.getRevisionById({ params: place, query: {} })
    expect(revision.pages.map(({ title }) => title)).toContain('Changed')
    expect(JSON.stringify([request, revision])).not.toContain(make.owner.email)
    expect(await refusal(previewer.api.getRevisionOfChangeRequestById({ params: proposal.params, query: {} }))).toBe(
      '403',
    )
  })

  test('does not get the path of a hidden page from links to it', async () => {
    const { make, params, spaceId, open, secret, address } = await publish()
    await editLive(
      make.owner,
      spaceId,
      writePage(
        open,
        '# Open\n\n[there](secret-plan.md), [mention](secret-plan.md "mention")\n\n{% content-ref url="secret-plan.md" %}\n{% endcontent-ref %}',
      ),
    )
    const read = async ({ api }: Awaited<ReturnType<typeof visit>>) => {
      const page = await api.getPageById({ params: { spaceId, pageId: open }, query: { format: 'markdown' } })
      return 'markdown' in page ? (page.markdown ?? '') : ''
    }
    const guest = await read(await visit(octavo, address))
    expect(guest).not.toContain('secret-plan')
    expect(guest).toContain(`[there](/pages/${secret})`)
    const staff = await visit(octavo, address, { jwtToken: await signedIn(make, params, { staff: true }) })
    expect(await read(staff)).toContain('[there](secret-plan.md)')
  })

  test('cannot read a file that is only used on pages hidden from them', async () => {
    const { make, api, params, spaceId, open, secret, address } = await publish()
    const files = [inlineFile('plan.txt', 'the plan'), inlineFile('guide.txt', 'the guide')]
    const { insertedFiles = [] } = await api.updateSpaceContent({
      params: { spaceId },
      body: { changes: [{ operation: 'insert_files', files }] },
    })
    const [plan = '', guide = ''] = insertedFiles.map(({ id }) => id)
    await editLive(make.owner, spaceId, writePage(open, showing(guide)), writePage(secret, showing(plan)))
    const guest = await visit(octavo, address)
    const staff = await visit(octavo, address, { jwtToken: await signedIn(make, params, { staff: true }) })
    const { revision: revisionId } = await api.getSpaceById({ params: { spaceId }, query: {} })
    const read = async ({ api: own }: typeof guest, fileId: string) => [
      await refusal(own.getFileById({ params: { spaceId, fileId }, query: {} })),
      await refusal(own.getFileInRevisionById({ params: { spaceId, revisionId, fileId }, query: {} })),
    ]
    expect(await read(guest, plan)).toEqual(['404', '404'])
    expect(await read(guest, guide)).toEqual(['was not refused', 'was not refused'])
    expect(await read(staff, plan)).toEqual(['was not refused', 'was not refused'])
  })

  test('does not see conditions or header links for other visitors', async () => {
    const { make, api, params, spaceId, address } = await publish()
    const ids = await readItemIds(make.owner, params)
    const place = { ...params, siteSpaceId: ids['Manual.'] ?? '' }
    await api.updateSiteSpaceById({ params: place, body: { condition: notFor('Initech') } })
    await editLive(make.owner, spaceId, insertPage('# Offer', { condition: notFor('Initech') }))
    const header = { links: [link('Offer', notFor('Initech')), link('Payroll', forStaff), link('All', '')] }
    const settings = await api.getSiteCustomizationById({ params })
    await api.updateSiteCustomizationById({ params, body: { ...settings, header: { ...settings.header, ...header } } })
    await api.overrideSiteSpaceCustomizationById({ params: place, body: { header } })

    const guest = await visit(octavo, address)
    const published = await guest.api.getPublishedContentSite({ params })
    const { site, siteSpaces } = published.customizations
    for (const { header: shown } of [site, ...Object.values(siteSpaces)])
      expect(shown.links.map(({ title }) => title)).toEqual(['Offer', 'All'])
    expect(Object.keys(siteSpaces)).toContain(place.siteSpaceId)
    const seen = [
      published,
      await guest.api.getSiteStructure({ params }),
      await guest.api.getCurrentRevision({ params: { spaceId }, query: {} }),
      await guest.api.listPages({ params: { spaceId }, query: {} }),
      await guest.api.getPageByPath({ params: { spaceId, pagePath: 'offer' }, query: {} }),
    ]
    expect(JSON.stringify(seen)).not.toContain('Initech')
    expect(JSON.stringify(seen)).not.toContain('Payroll')
    expect(JSON.stringify(await api.getPublishedContentSite({ params }))).toContain('Payroll')
    const staff = await visit(octavo, address, { jwtToken: await signedIn(make, params, { staff: true }) })
    expect(JSON.stringify(await staff.api.getPublishedContentSite({ params }))).toContain('Payroll')
  })

  test('does not see the number, ids or titles of hidden spaces', async () => {
    const { make, api, params, address } = await publish()
    const draft = await api.addSpaceToSite({
      params,
      body: { spaceId: (await make.space('Upcoming')).id, draft: true },
    })
    const hidden = await api.addSpaceToSite({ params, body: { spaceId: (await make.space('Personnel')).id } })
    await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: hidden.id }, body: { condition: forStaff } })
    const guest = await visit(octavo, address)
    expect((await guest.api.getSiteById({ params })).siteSpaces).toBe(1)
    const seen = JSON.stringify([
      await guest.api.getSiteById({ params }),
      await guest.api.getPublishedContentSite({ params }),
      await guest.api.getSiteStructure({ params }),
    ])
    for (const { id, space } of [draft, hidden])
      for (const said of [id, space.id, space.title]) expect(seen).not.toContain(said)
    expect((await api.getSiteById({ params })).siteSpaces).toBe(3)
  })
})

describe('resolving a URL returns 404', () => {
  test('for a default site that is private or unpublished', async () => {
    const { make, api, params, address } = await publish()
    await api.updateOrganizationById({
      params: make.params,
      body: { defaultContent: { type: 'site', site: params.siteId } },
    })
    const { origin } = new URL(address)
    const wrong = signJwt({}, 'another key')
    await api.updateSitePublishingAuthById({
      params,
      body: { backend: 'custom', fallbackURL: 'https://id.example.com/secret' },
    })
    expect(await resolveUrl(octavo, `${origin}/`)).toEqual({ target: 'content', redirect: address })
    await api.updateSiteById({ params, body: { visibility: 'share-link' } })
    for (const url of [`${origin}/`, `${origin}/page`, address])
      expect([await answerTo(url), await answerTo(url, wrong)]).toEqual(['404', '404'])
    await api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
    await api.unpublishSite({ params })
    for (const url of [`${origin}/`, `${origin}/page`, address])
      expect([await answerTo(url), await answerTo(url, wrong)]).toEqual(['404', '404'])
  })

  test('for a site whose proxy is set to the hostname of another organization', async () => {
    const { params, address } = await publish()
    const other = await publish()
    const { hostname } = new URL(address)
    await other.api.updateSiteById({ params: other.params, body: { proxy: `${hostname}/login` } })
    expect(await answerTo(`https://${hostname}/login/`)).toBe('404')
    expect(await answerTo(`https://${params.organizationId}.docs.example/login/page`)).toBe('404')
  })
})

test('a change of a space is visible in the next reply about its site', async () => {
  const { make, api, params, spaceId, address } = await publish()
  const guest = await visit(octavo, address)
  const read = async (client: typeof api) => {
    const { structure } = (await client.getPublishedContentSite({ params })).structure
    return structure.map((entry) => (entry.object === 'site-space' ? entry.space : undefined))[0]
  }
  const shown = async () => [await read(api), await read(guest.api)]
  const collection = await make.collection('Shelf')
  const changes = [
    { emoji: '1f680' },
    { language: 'de' as const },
    { title: 'Renamed' },
    { editMode: 'locked' as const },
    { visibility: 'public' as const },
  ]
  for (const body of changes) {
    await shown()
    await api.updateSpaceById({ params: { spaceId }, body })
    for (const space of await shown()) expect(space).toMatchObject(body)
  }
  await api.moveSpace({ params: { spaceId }, body: { parent: collection.id } })
  const [forMember, forVisitor] = await shown()
  expect([forMember?.parent, forVisitor?.parent]).toEqual([collection.id, undefined])
  await api.deleteSpaceById({ params: { spaceId } })
  expect(await shown()).toEqual([undefined, undefined])
  await api.restoreSpace({ params: { spaceId } })
  expect((await shown()).map((space) => space?.id)).toEqual([spaceId, spaceId])
})

test('visit and preview tokens are valid only for their own purpose and site', async () => {
  const { make, api, params, spaceId, open, address } = await publish()
  const other = await publish()
  const guest = await visit(octavo, address)
  const asGuest = createClient({ url: octavo.url, token: guest.apiToken })
  const preview = new URL((await api.getSitePublishingPreviewById({ params })).url).searchParams.get('preview') ?? ''
  await api.unpublishSite({ params })
  await other.api.unpublishSite({ params: other.params })
  expect(
    await refused([
      // A visit token is not a preview token, a preview token is valid for one site, and neither is a JWT of a
      // visitor.
      resolveUrl(octavo, `${address}?preview=${guest.apiToken}`),
      resolveUrl(octavo, `${other.address}?preview=${preview}`),
      resolveUrl(octavo, address, { jwtToken: preview }),
      resolveUrl(octavo, `${address}?jwt_token=${guest.apiToken}`),
      asGuest.getSiteById({ params }),
      asGuest.getSpaceById({ params: { spaceId }, query: {} }),
    ]),
  ).toEqual(['404', '404', '404', '404', '404', '404'])
  await api.publishSite({ params })
  await other.api.publishSite({ params: other.params })
  expect(
    await refused([
      asGuest.getSiteById({ params: other.params }),
      asGuest.getSiteById({ params: { ...params, organizationId: other.params.organizationId } }),
      asGuest.getSpaceById({ params: { spaceId: other.spaceId }, query: {} }),
      asGuest.getPageById({ params: { spaceId: other.spaceId, pageId: other.open }, query: {} }),
      asGuest.getPageById({ params: { spaceId, pageId: other.open }, query: {} }),
      asGuest.getPageById({ params: { spaceId, pageId: open }, query: {} }),
    ]),
  ).toEqual(['404', '404', '404', '404', '404', 'was not refused'])
  expect(
    await refused([
      asGuest.getAuthenticatedUser(),
      asGuest.listSites({ params: make.params, query: {} }),
      asGuest.getSitePublishingAuthById({ params }),
      asGuest.getSitePublishingPreviewById({ params }),
      asGuest.listSiteShareLinks({ params, query: {} }),
      asGuest.listSiteRedirects({ params, query: {} }),
      asGuest.searchSpaceContent({ params: { spaceId }, query: { query: 'axolotl' } }),
    ]),
  ).toEqual(['403', '403', '403', '403', '403', '403', '403'])
})
