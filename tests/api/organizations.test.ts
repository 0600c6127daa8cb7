import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/roles.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function newOrganization() {
  const made = await makeOrganization(octavo)
  const { owner, params } = made
  return {
    ...made,
    read: () => owner.api.getOrganizationById({ params }),
    patch: (body: unknown) => owner.api.updateOrganizationById({ params, body: body as Patch }),
  }
}
type Patch = NonNullable<Parameters<Client['updateOrganizationById']>[0]['body']>

const everything = {
  view: true,
  access: true,
  listMembers: true,
  listTeams: true,
  listIntegrations: true,
  listInstallations: true,
  createContent: true,
  createOpenAPISpec: true,
  ingestConversations: true,
  viewBilling: true,
  installIntegration: true,
  admin: true,
}
const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, false]))

test('the creator of an organization becomes its admin', async () => {
  const founder = await octavo.person('Founder')
  const organization = await founder.api.createOrganization({
    body: { title: 'Acme', emailDomains: ['Acme.Example', 'acme.example', 'docs.acme.example'] },
  })
  expect(organization).toMatchObject({
    object: 'organization',
    title: 'Acme',
    emailDomains: ['acme.example', 'docs.acme.example'],
    type: 'business',
    defaultRole: 'read',
    sso: false,
    ai: false,
    inviteLinks: true,
    plan: 'free_2024',
    mergeRules: { type: 'none' },
    internal_isOnNewTrial: true,
    trial: { status: 'notapplicable' },
    permissions: { ...everything, ownTeam: false },
  })
  expect(organization).not.toHaveProperty('hostname')
  expect(organization).not.toHaveProperty('defaultContent')
  expect(organization.urls.location).toBe(`${octavo.url}/v1/orgs/${organization.id}`)
  expect(organization.urls).not.toHaveProperty('logo')

  const params = { organizationId: organization.id }
  expect(await founder.api.getOrganizationById({ params })).toEqual(organization)
  expect(await founder.api.listMembersInOrganizationById({ params })).toMatchObject({
    count: 1,
    items: [{ id: founder.id, role: 'admin' }],
  })
})

test('lists only the organizations of the caller, page by page', async () => {
  const founder = await octavo.person('Founder')
  const made: string[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five'])
    made.push((await founder.api.createOrganization({ body: { title } })).id)
  const { params } = await newOrganization()

  const list = (limit: number) =>
    readAllPages((page) => founder.api.listOrganizationsForAuthenticatedUser({ query: { limit, page } }))
  const pages = await list(2)
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
  expect(pages.flat().map((item) => item.id)).toEqual(made)
  expect(pages.flat()[1]).toEqual(
    await founder.api.getOrganizationById({ params: { organizationId: made[1] as string } }),
  )
  expect(await founder.api.listOrganizationsForAuthenticatedUser({ query: { limit: 0 } })).toEqual({
    count: 5,
    items: [],
  })
  await expect(founder.api.getOrganizationById({ params })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('organization'),
  })
})

test('the permissions of a member in an organization depend on their role', async () => {
  const { member, params } = await newOrganization()
  const guest = { ...nothing, view: true, access: true }
  const reader = { ...guest, listMembers: true, listTeams: true, listIntegrations: true, listInstallations: true }
  const creator = { ...reader, createContent: true, createOpenAPISpec: true }
  const expected: [Role | null, object][] = [
    [null, guest],
    ['read', reader],
    ['comment', reader],
    ['edit', reader],
    ['review', reader],
    ['create', creator],
    ['admin', everything],
  ]
  for (const [role, permissions] of expected) {
    const person = await member(role)
    const seen = await person.api.getOrganizationById({ params })
    expect(seen.permissions, `as ${role}`).toEqual({ ...permissions, ownTeam: false })
    expect((await person.api.listOrganizationsForAuthenticatedUser()).items).toEqual([seen])
  }
})

test('updates the settings of an organization one by one or together', async () => {
  const { owner, organization, patch, read } = await newOrganization()
  const mergeRules = {
    type: 'rules' as const,
    rules: [
      { rule: 'require_specific_reviewers' as const, users: [owner.id] },
      { rule: 'require_change_request_subject' as const },
    ],
  }
  const changes: [Patch, object][] = [
    [{ title: 'Bcme' }, { title: 'Bcme' }],
    [{ emailDomains: ['B.example', 'a.example', 'b.EXAMPLE'] }, { emailDomains: ['b.example', 'a.example'] }],
    [{ emailDomains: [] }, { emailDomains: [] }],
    [{ hostname: 'acme-docs' }, { hostname: 'acme-docs' }],
    [{ defaultRole: 'create' }, { defaultRole: 'create' }],
    [{ defaultRole: null }, { defaultRole: null }],
    [{ sso: true }, { sso: true, ssoAdministrator: owner.id }],
    [{ ai: true }, { ai: true }],
    [{ inviteLinks: false }, { inviteLinks: false }],
    [{ mergeRules }, { mergeRules }],
    [{ mergeRules: { type: 'none' } }, { mergeRules: { type: 'none' } }],
    [
      { sso: false, ai: false, inviteLinks: true },
      { sso: false, ssoAdministrator: undefined, ai: false, inviteLinks: true },
    ],
    [{ defaultContent: null }, {}],
    [{}, {}],
  ]
  let now: object = organization
  for (const [body, changed] of changes) {
    now = { ...now, ...changed }
    expect(await patch(body)).toEqual(now)
    expect(await read()).toEqual(now)
  }

  const logo = 'https://acme.example/logo.png'
  expect(await patch({ logo })).toEqual({ ...now, urls: { ...organization.urls, logo } })
  expect(await patch({ logo: null })).toEqual(now)
  expect(await read()).toEqual(now)
})

test('rejects a hostname of another organization with 409 and changes nothing', async () => {
  const first = await newOrganization()
  await first.patch({ hostname: 'taken-name' })
  await first.patch({ hostname: 'taken-name', title: 'Still mine' })

  const second = await newOrganization()
  const before = await second.patch({ emailDomains: ['second.example'], hostname: 'second-name' })
  await expect(
    second.patch({ title: 'Changed', emailDomains: ['changed.example'], hostname: 'taken-name' }),
  ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('taken-name') })
  expect(await second.read()).toEqual(before)
  const admitting = async (emailDomain: string) =>
    (await second.owner.api.getOrganizationsForEmailDomain({ params: { emailDomain } })).organizations
  expect(await admitting('second.example')).toEqual([before])
  expect(await admitting('changed.example')).toEqual([])

  await first.patch({ hostname: 'other-name' })
  expect(await second.patch({ hostname: 'taken-name' })).toMatchObject({ hostname: 'taken-name' })
})

test('only one of several concurrent requests for the same hostname succeeds', async () => {
  const rivals = await Promise.all([newOrganization(), newOrganization(), newOrganization()])
  const outcomes = await Promise.allSettled(rivals.map(({ patch }) => patch({ hostname: 'wanted' })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
  const holders = (await Promise.all(rivals.map(({ read }) => read()))).filter(({ hostname }) => hostname === 'wanted')
  expect(holders).toHaveLength(1)
})

test('only admins can update an organization', async () => {
  const { member, params, read } = await newOrganization()
  const before = await read()
  for (const role of ['create', 'read', null] as const) {
    const person = await member(role)
    await expect(
      person.api.updateOrganizationById({ params, body: { title: 'Mine now' } }),
      `as ${role}`,
    ).rejects.toMatchObject({ status: 403 })
  }
  const stranger = await octavo.person('Stranger')
  await expect(stranger.api.updateOrganizationById({ params, body: { title: 'Mine now' } })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('organization'),
  })
  expect(await read()).toEqual(before)
})

test('a subdomain resolves to its organization for members only', async () => {
  const { member, patch, params, owner } = await newOrganization()
  await patch({ hostname: 'led-here' })
  const found = {
    object: 'subdomain',
    subdomain: 'led-here',
    target: { type: 'organization', organization: params.organizationId },
    isActive: false,
  }
  const guest = await member(null)
  for (const person of [owner, guest])
    expect(await person.api.getSubdomain({ params: { subdomain: 'led-here' } })).toEqual(found)

  const stranger = await octavo.person('Stranger')
  const absent = { status: 404, message: expect.stringContaining('subdomain') }
  await expect(stranger.api.getSubdomain({ params: { subdomain: 'led-here' } })).rejects.toMatchObject(absent)
  await expect(owner.api.getSubdomain({ params: { subdomain: 'led-nowhere' } })).rejects.toMatchObject(absent)

  await patch({ hostname: 'moved-there' })
  await expect(owner.api.getSubdomain({ params: { subdomain: 'led-here' } })).rejects.toMatchObject(absent)
})

const domain63 = `${'d'.repeat(63)}.example`
const logoOf = (length: number) => `https://acme.example/${'x'.repeat(length - 'https://acme.example/'.length)}`

test('accepts settings up to their limits', async () => {
  const { patch } = await newOrganization()
  const hundred = Array.from({ length: 100 }, (_, index) => `d${index}.example`)
  for (const body of [
    { title: 'ab' },
    { title: 'x'.repeat(255) },
    { hostname: 'a-1' },
    { hostname: '3'.repeat(32) },
    { emailDomains: hundred },
    { emailDomains: [domain63] },
    { mergeRules: { type: 'rules', rules: [] } },
  ])
    expect(await patch(body)).toMatchObject(body)
  expect((await patch({ logo: logoOf(2048) })).urls.logo).toHaveLength(2048)
})

test('rejects invalid settings with the path of each field and changes nothing', async () => {
  const { patch, read } = await newOrganization()
  const before = await patch({ hostname: 'unchanged', emailDomains: ['unchanged.example'], logo: logoOf(100) })
  const wrong: [object, string][] = [
    [{ title: 'a' }, 'body.title'],
    [{ title: '' }, 'body.title'],
    [{ title: '   ' }, 'body.title'],
    [{ title: 'x'.repeat(256) }, 'body.title'],
    [{ title: 12 }, 'body.title'],
    [{ title: null }, 'body.title'],
    [{ hostname: 'ab' }, 'body.hostname'],
    [{ hostname: 'a'.repeat(33) }, 'body.hostname'],
    [{ hostname: 'Upper' }, 'body.hostname'],
    [{ hostname: '-abc' }, 'body.hostname'],
    [{ hostname: 'abc-' }, 'body.hostname'],
    [{ hostname: 'a.b' }, 'body.hostname'],
    [{ hostname: null }, 'body.hostname'],
    [{ emailDomains: 'acme.example' }, 'body.emailDomains'],
    [{ emailDomains: null }, 'body.emailDomains'],
    [{ emailDomains: ['fine.example', 'no domain'] }, 'body.emailDomains.1'],
    [{ emailDomains: ['me@acme.example'] }, 'body.emailDomains.0'],
    [{ emailDomains: [`d${domain63}`] }, 'body.emailDomains.0'],
    [{ emailDomains: [7] }, 'body.emailDomains.0'],
    [{ emailDomains: Array.from({ length: 101 }, (_, index) => `d${index}.example`) }, 'body.emailDomains'],
    [{ defaultRole: 'guest' }, 'body.defaultRole'],
    [{ defaultRole: 'Admin' }, 'body.defaultRole'],
    [{ defaultRole: 1 }, 'body.defaultRole'],
    [{ logo: 'logo.png' }, 'body.logo'],
    [{ logo: 'ftp://acme.example/logo.png' }, 'body.logo'],
    [{ logo: 'javascript:alert(1)' }, 'body.logo'],
    [{ logo: logoOf(2049) }, 'body.logo'],
    [{ sso: 'true' }, 'body.sso'],
    [{ sso: null }, 'body.sso'],
    [{ ai: 1 }, 'body.ai'],
    [{ inviteLinks: 'no' }, 'body.inviteLinks'],
    [{ mergeRules: { type: 'some' } }, 'body.mergeRules.type'],
    [{ mergeRules: { type: 'inherit' } }, 'body.mergeRules.type'],
    [{ mergeRules: { type: 'rules', rules: [{ rule: 'be_nice' }] } }, 'body.mergeRules.rules.0.rule'],
    [{ mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [] }] } }, 'body.mergeRules.rules.0.users'],
    [{ defaultContent: { type: 'space', site: 'x' } }, 'body.defaultContent.type'],
    [{ defaultContent: { type: 'site', site: 'no-such-site' } }, 'body.defaultContent'],
  ]
  for (const [body, path] of wrong)
    expect(await refusal(patch({ title: 'Changed', ...body })), JSON.stringify(body)).toBe(`400 ${path}`)
  expect(await refusal(patch({ title: 'a', hostname: 'b', ai: 'c' }))).toBe('400 body.title body.hostname body.ai')
  for (const body of [null, [], 'text', 7]) expect(await refusal(patch(body)), JSON.stringify(body)).toBe('400 body')
  expect(await read()).toEqual(before)
})

test('merge rules can only contain members of the organization', async () => {
  const { patch, read, owner } = await newOrganization()
  const stranger = await octavo.person('Stranger')
  const before = await read()
  const naming = (user: string) =>
    patch({
      title: 'Changed',
      mergeRules: {
        type: 'rules',
        rules: [{ rule: 'require_author_to_merge' }, { rule: 'allow_bypass', users: [owner.id, user] }],
      },
    })
  for (const user of [stranger.id, 'unknown'])
    expect(await refusal(naming(user))).toBe('404 body.mergeRules.rules.1.users.1')
  expect(await read()).toEqual(before)
})

test('requires a title of 2 to 255 characters for an organization', async () => {
  const founder = await octavo.person('Founder')
  const create = (body: unknown) => founder.api.createOrganization({ body: body as { title: string } })
  for (const body of [{}, { title: 'a' }, { title: ' a ' }, { title: 'x'.repeat(256) }, { title: ['ab'] }])
    expect(await refusal(create(body)), JSON.stringify(body)).toBe('400 body.title')
  expect(await refusal(create({ title: 'Fine', emailDomains: ['x'] }))).toBe('400 body.emailDomains.0')
  expect((await founder.api.listOrganizationsForAuthenticatedUser()).count).toBe(0)
  await create({ title: 'ab' })
  await create({ title: 'x'.repeat(255) })
  expect((await founder.api.listOrganizationsForAuthenticatedUser()).count).toBe(2)
})

test('rejects an invalid limit or cursor of the list with 400', async () => {
  const founder = await octavo.person('Founder')
  const list = (query: object) => founder.api.listOrganizationsForAuthenticatedUser({ query })
  for (const limit of ['1001', '-1', '1.5', '1e2', 'ten', ''])
    expect(await refusal(list({ limit })), `limit ${limit}`).toBe('400 query.limit')
  for (const page of ['2', 'never-handed-out', ''])
    expect(await refusal(list({ page })), `page ${page}`).toBe('400 query.page')
  expect(await list({ limit: 1000 })).toEqual({ count: 0, items: [] })
})
