import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TemplateUse } from '../../src/contract/template.ts'
import { days, hours } from '../../src/kernel/time.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { readLiveOutline, readMarkdownAt } from '../support/imports.ts'
import { type Person, type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { advanceClock, readStoredObjects } from '../support/sweep.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const organization = () => ({ organizationId: octavo.admin.organizationId })

const createSpace = (body: Record<string, unknown> = {}, { api }: Pick<Person, 'api'> = octavo.admin) =>
  api.createSpace({ params: organization(), body })

const apply = (
  spaceId: string,
  body: TemplateUse & { changeRequestId?: string },
  person: Pick<Person, 'api'> = octavo.admin,
) => person.api.applyTemplateToSpace({ params: { spaceId }, body })

const runbookOutline =
  'Shop service runbook, Service overview, On call, ' +
  'Alerts (High error rate, Slow requests, Disk almost full, Queue is growing), ' +
  'Procedures (Deploy and roll back, Restore a backup, Rotate secrets), ' +
  'Incidents (Incident process, Postmortem form)'

/** Creates a space with a link to a URL and links between its pages, and saves it as a template. */
async function saveTemplate(body: Record<string, unknown> = {}) {
  const spaceId = await emptySpace(octavo.admin)
  const [guide] = await editLive(octavo.admin, spaceId, insertPage('Read it.\n\n## Setup\n', { title: 'Guide' }))
  await editLive(
    octavo.admin,
    spaceId,
    insertPage(`See [the guide](/pages/${guide}#setup) and [help](https://example.com/help).`, { title: 'Home' }),
  )
  const template = await octavo.admin.api.createTemplateInOrganization({
    params: organization(),
    body: {
      space: spaceId,
      title: 'Starter',
      contentRefs: [{ name: 'help', ref: { kind: 'url', url: 'https://example.com/help' } }],
      ...body,
    },
  })
  return { template, spaceId, guide: guide as string }
}

test('lists the built-in templates page by page, and reads one', async () => {
  const { api } = octavo.admin
  const first = await api.listTemplates({ query: { limit: '4' } })
  const second = await api.listTemplates({ query: { limit: '4', page: first.next?.page ?? '' } })
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect(ids).toEqual(['api-docs', 'changelog', 'handbook', 'help-center', 'product-docs', 'rfc', 'runbook'])
  expect([first.count, second.next]).toEqual([7, undefined])
  const runbook = await api.getTemplateById({ params: { templateId: 'runbook' } })
  expect(runbook).toEqual(second.items.find(({ id }) => id === 'runbook'))
  expect(runbook).toMatchObject({ object: 'template', title: 'Runbook', pages: 12, builtIn: true })
  expect(runbook.contentRefs).toContainEqual({
    name: 'logs',
    description: 'Search in logs',
    ref: { kind: 'url', url: 'https://example.com/logs' },
  })
  await expect(api.getTemplateById({ params: { templateId: 'novel' } })).rejects.toMatchObject({ status: 404 })
})

test('lists the pages of templates', async () => {
  const { api } = octavo.admin
  const builtIn = await api.listTemplatePages({ params: { templateId: 'runbook' } })
  const alerts = builtIn.pages.find(({ title }) => title === 'Alerts')
  expect(alerts?.pages?.map(({ title }) => title)).toContain('Disk almost full')
  const { template } = await saveTemplate()
  const params = { ...organization(), templateId: template.id }
  const own = await api.listTemplatePagesInOrganization({ params })
  expect(own.pages.map(({ title }) => title)).toEqual(['Guide', 'Home'])
  await expect(api.listTemplatePages({ params })).rejects.toMatchObject({ status: 404 })
  const guest = await octavo.member(null)
  await expect(guest.api.listTemplatePagesInOrganization({ params })).rejects.toMatchObject({ status: 403 })
})

test('a template replaces the initial page of a new space, with its files and links', async () => {
  const { id: spaceId, revision } = await createSpace()
  const reply = await octavo.fetch(`/v1/spaces/${spaceId}/content/template`, {
    method: 'POST',
    token: octavo.admin.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'runbook' }),
  })
  expect([reply.status, await reply.text()]).toEqual([201, ''])
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe(runbookOutline)
  const { items } = await octavo.admin.api.listRevisions({ params: { spaceId } })
  expect(items).toHaveLength(2)
  expect(items[0]).toMatchObject({ type: 'edits', parents: [revision] })

  const files = await octavo.admin.api.listFiles({ params: { spaceId } })
  expect(files.items).toMatchObject([{ name: 'cover.svg', contentType: 'image/svg+xml' }])
  const cover = await fetch(files.items[0]?.downloadURL ?? '')
  expect(await cover.text()).toContain('<svg')

  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  const onCall = pages.find(({ title }) => title === 'Service overview')
  expect(onCall).toBeDefined()
  const markdown = await readMarkdownAt(octavo.admin, spaceId, 'readme')
  expect(markdown).toContain(`/pages/${onCall?.id}`)
})

test('pages are appended to existing content, and a template can be applied twice', async () => {
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, insertPage('Mine.', { title: 'Own page' }))
  await apply(spaceId, { id: 'runbook' })
  await apply(spaceId, { id: 'runbook' })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe(`Own page, ${runbookOutline}, ${runbookOutline}`)
})

test('named references are replaced, and unknown names are refused', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [page = ''] = await editLive(octavo.admin, spaceId, insertPage('Numbers.', { title: 'Metrics' }))
  const contentRefs = {
    dashboard: { kind: 'page', page } as const,
    status: { kind: 'url', url: 'https://status.acme.test/' } as const,
  }
  await apply(spaceId, { id: 'runbook', params: { contentRefs } })
  const markdown = await readMarkdownAt(octavo.admin, spaceId, 'readme')
  expect(markdown).toContain(`/pages/${page}`)
  expect(markdown).toContain('https://status.acme.test/')
  expect(markdown).toContain('https://example.com/logs')
  expect(markdown).not.toContain('https://example.com/dashboard')

  const before = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  await expect(
    apply(spaceId, { id: 'runbook', params: { contentRefs: { blog: { kind: 'url', url: 'https://a.test/' } } } }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('dashboard, logs, status') })
  await expect(
    apply(spaceId, { id: 'runbook', params: { contentRefs: { logs: { kind: 'page' } } } } as never),
  ).rejects.toMatchObject({ status: 400 })
  const url = `https://a.test/${'a'.repeat(3000)}`
  await expect(
    apply(spaceId, { id: 'runbook', params: { contentRefs: { logs: { kind: 'url', url } } } }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('contentRefs.logs') })
  await expect(apply(spaceId, { id: 'novel' })).rejects.toMatchObject({ status: 404 })
  expect((await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision).toBe(before.revision)
})

test('a locked space is changed only through a change request', async () => {
  const { id: spaceId } = await createSpace({ editMode: 'locked' })
  await expect(apply(spaceId, { id: 'rfc' })).rejects.toMatchObject({ status: 409 })
  const proposal = await propose(octavo.admin, spaceId)
  await apply(spaceId, { id: 'rfc', changeRequestId: proposal.id })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Welcome')
  await proposal.merge()
  expect(await readLiveOutline(octavo.admin, spaceId)).toMatch(/^RFCs, Process, /)
  await expect(apply(spaceId, { id: 'rfc', changeRequestId: proposal.id })).rejects.toMatchObject({ status: 409 })
  await expect(apply(spaceId, { id: 'rfc', changeRequestId: 'none' })).rejects.toMatchObject({ status: 404 })
})

test('a change request starts with the pages of a template', async () => {
  const { id: spaceId, revision } = await createSpace()
  const request = await octavo.admin.api.createChangeRequest({
    params: { spaceId },
    body: { subject: 'Changelog', template: { id: 'changelog' } },
  })
  expect(request.status).toBe('draft')
  expect(request.revision).not.toBe(revision)
  const params = { spaceId, changeRequestId: request.id }
  const { pages } = await octavo.admin.api.listPagesInChangeRequest({ params })
  expect(pages.map(({ title }) => title)).toEqual(['Changelog', 'Roadmap', 'Releases', 'Upgrading'])
  await expect(
    octavo.admin.api.createChangeRequest({ params: { spaceId }, body: { template: { id: 'novel' } } }),
  ).rejects.toMatchObject({ status: 404 })
  const { count } = await octavo.admin.api.listChangeRequestsForSpace({
    params: { spaceId },
    query: { status: 'draft' },
  })
  expect(count).toBe(1)
})

test('a space, a site space and a section are created from a template', async () => {
  const { api } = octavo.admin
  const space = await createSpace({ template: { id: 'handbook' } })
  expect(space).toMatchObject({ title: 'Internal handbook', emoji: '🏡' })
  expect(await readLiveOutline(octavo.admin, space.id)).toMatch(/^Handbook, Start \(/)
  expect(await createSpace({ title: 'Own', template: { id: 'handbook' } })).toMatchObject({ title: 'Own' })
  await expect(createSpace({ empty: true, template: { id: 'handbook' } })).rejects.toMatchObject({ status: 400 })

  const site = await api.createSite({ params: organization(), body: { title: 'Acme', spaces: [space.id] } })
  const params = { ...organization(), siteId: site.id }
  const added = await api.addSpaceToSite({
    params,
    body: { spaceId: null, template: { id: 'help-center' }, title: 'Support' },
  })
  expect(added).toMatchObject({ title: 'Support', space: { title: 'Help center' } })
  expect(await readLiveOutline(octavo.admin, added.space.id)).toMatch(/^How can we help\?, /)
  const section = await api.addSectionToSite({ params, body: { spaceId: null, template: { id: 'api-docs' } } })
  expect(section).toMatchObject({ title: 'API documentation' })

  await expect(
    api.addSpaceToSite({ params, body: { spaceId: space.id, template: { id: 'rfc' } } }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('body.template') })
  await expect(
    api.addSectionToSite({ params, body: { spaceId: null, template: { id: 'novel' } } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('only editors apply templates', async () => {
  const { id: spaceId } = await createSpace()
  const reader = await octavo.member('read', 'Reader')
  await expect(apply(spaceId, { id: 'rfc' }, reader)).rejects.toMatchObject({ status: 403 })
  const stranger = await octavo.person('Stranger')
  await expect(apply(spaceId, { id: 'rfc' }, stranger)).rejects.toMatchObject({ status: 404 })
  expect((await stranger.api.listTemplates({})).count).toBe(7)
})

test('an organization saves a space as a template, lists it and deletes it', async () => {
  const { api } = octavo.admin
  const { template, spaceId } = await saveTemplate({ subtitle: 'For teams', features: ['Guide'] })
  expect(template).toMatchObject({
    object: 'template',
    title: 'Starter',
    subtitle: 'For teams',
    features: ['Guide'],
    pages: 2,
    builtIn: false,
    createdBy: octavo.admin.id,
  })
  const params = { ...organization(), templateId: template.id }
  expect(await api.getTemplateInOrganization({ params })).toEqual(template)
  expect((await api.listTemplatesInOrganization({ params: organization() })).items).toContainEqual(template)

  // Later changes of the space do not change the template.
  await editLive(octavo.admin, spaceId, insertPage('Later.', { title: 'Later' }))
  const copy = await createSpace({ template: { id: template.id } })
  expect(copy.title).toBe('Starter')
  expect(await readLiveOutline(octavo.admin, copy.id)).toBe('Guide, Home')

  await api.deleteTemplateInOrganization({ params })
  await api.deleteTemplateInOrganization({ params })
  await expect(api.getTemplateInOrganization({ params })).rejects.toMatchObject({ status: 404 })
  await expect(apply(copy.id, { id: template.id })).rejects.toMatchObject({ status: 404 })
  expect(await readLiveOutline(octavo.admin, copy.id)).toBe('Guide, Home')
})

test('a saved template is applied under new ids, with its references replaced', async () => {
  const { template, spaceId, guide } = await saveTemplate()
  // The template is applied to the space that it was made of, whose pages have the same ids.
  await apply(spaceId, {
    id: template.id,
    params: { contentRefs: { help: { kind: 'url', url: 'https://help.acme.test/' } } },
  })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Guide, Home, Guide, Home')
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  const original = await readMarkdownAt(octavo.admin, spaceId, 'home')
  const copied = await readMarkdownAt(octavo.admin, spaceId, 'home-1')
  expect(original).toContain(`/pages/${guide}#setup`)
  expect(original).toContain('https://example.com/help')
  expect(copied).toContain(`/pages/${pages[2]?.id}#setup`)
  expect(copied).toContain('https://help.acme.test/')
})

test('templates belong to one organization, and guests do not see them', async () => {
  const { template } = await saveTemplate()
  const params = { ...organization(), templateId: template.id }
  const stranger = await octavo.person('Owner')
  const { id: other } = await stranger.api.createOrganization({ body: { title: 'Other' } })
  const foreign = await stranger.api.createSpace({ params: { organizationId: other }, body: {} })
  await expect(apply(foreign.id, { id: template.id }, stranger)).rejects.toMatchObject({ status: 404 })
  await expect(stranger.api.getTemplateInOrganization({ params })).rejects.toMatchObject({ status: 404 })
  await expect(
    stranger.api.getTemplateInOrganization({ params: { organizationId: other, templateId: template.id } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    stranger.api.createTemplateInOrganization({
      params: { organizationId: other },
      body: { space: octavo.admin.spaceId },
    }),
  ).rejects.toMatchObject({ status: 404 })

  const guest = await octavo.member(null, 'Guest')
  const { id: spaceId } = await createSpace()
  await octavo.admin.api.inviteToSpace({
    params: { spaceId },
    body: { users: [guest.id], role: 'edit' },
  })
  await expect(guest.api.listTemplatesInOrganization({ params: organization() })).rejects.toMatchObject({ status: 403 })
  await expect(apply(spaceId, { id: template.id }, guest)).rejects.toMatchObject({ status: 404 })
  await apply(spaceId, { id: 'rfc' }, guest)
})

test('saving a template requires the role admin in the space', async () => {
  const creator = await octavo.member('create', 'Creator')
  const editor = await octavo.member('edit', 'Editor')
  const body = { space: octavo.admin.spaceId }
  for (const { api } of [creator, editor]) {
    await expect(api.createTemplateInOrganization({ params: organization(), body })).rejects.toMatchObject({
      status: 403,
    })
  }
  const { template } = await saveTemplate()
  const params = { ...organization(), templateId: template.id }
  await expect(editor.api.deleteTemplateInOrganization({ params })).rejects.toMatchObject({ status: 403 })
  expect(await editor.api.getTemplateInOrganization({ params })).toEqual(template)
  const ref = { kind: 'url', url: 'https://a.test/' } as const
  await expect(
    saveTemplate({
      contentRefs: [
        { name: 'a', ref },
        { name: 'a', ref },
      ],
    }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('body.contentRefs.1.name'),
  })
})

test('a large template is applied as an import', async () => {
  const { api } = octavo.admin
  const source = await emptySpace(octavo.admin)
  for (let at = 0; at < 5; at++) {
    const changes = Array.from({ length: 42 }, (_, index) => insertPage('Text.', { title: `Page ${at * 42 + index}` }))
    await editLive(octavo.admin, source, ...changes)
  }
  const template = await api.createTemplateInOrganization({
    params: organization(),
    body: { space: source, title: 'Large' },
  })
  expect(template.pages).toBe(210)
  const { id: spaceId } = await createSpace()
  await apply(spaceId, { id: template.id })
  const run = await waitUntil(async () => {
    const { items } = await api.listImportRuns({ params: organization(), query: { space: spaceId } })
    return items[0]?.status === 'completed' && items[0]
  }, 'the template is applied')
  expect(run).toMatchObject({ source: { type: 'file', files: [], template: template.id }, importedResources: 210 })
  const { pages } = await api.listPages({ params: { spaceId } })
  expect(pages).toHaveLength(210)
  expect(pages[209]?.title).toBe('Page 209')
})

test('the content of a template remains after its space is purged, until the template is deleted', async () => {
  const own = await startTestServer()
  onTestFinished(() => own.stop())
  const { api, organizationId, spaceId } = own.admin
  const params = { organizationId }
  await editLive(own.admin, spaceId, insertPage('Only here.', { title: 'Unique' }))
  const template = await api.createTemplateInOrganization({ params, body: { space: spaceId, title: 'Kept' } })
  await api.deleteSpaceById({ params: { spaceId } })
  await advanceClock(own, days(8))
  await advanceClock(own, hours(3))
  const copy = await api.createSpace({ params, body: { template: { id: template.id } } })
  const { pages } = await api.listPages({ params: { spaceId: copy.id } })
  expect(pages.map(({ title }) => title)).toContain('Unique')

  await api.deleteSpaceById({ params: { spaceId: copy.id } })
  await advanceClock(own, days(8))
  await api.deleteTemplateInOrganization({ params: { organizationId, templateId: template.id } })
  await advanceClock(own, hours(3))
  const { objects, reached } = await readStoredObjects(own, organizationId)
  expect(objects).toEqual(reached)
})
