import { expect, test } from 'vitest'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, serverForTest } from '../support/server.ts'

// All accounts of a test server have email addresses at example.com, except the first administrator.

const admitting = async (person: Person, emailDomain: string) =>
  (await person.api.getOrganizationsForEmailDomain({ params: { emailDomain } })).organizations

test('people with an admitted email domain find the organization and join it with its default role', async () => {
  const octavo = await serverForTest()
  const { owner, params, getMembership, organization } = await makeOrganization(octavo, 'Open')
  const newcomer = await octavo.person('Newcomer')
  expect(await admitting(newcomer, 'example.com')).toEqual([])
  expect(await refusal(newcomer.api.joinOrganization({ params }))).toBe('404')

  await owner.api.updateOrganizationById({
    params,
    body: { emailDomains: ['other.example', 'Example.COM'], defaultRole: 'comment' },
  })
  const [found, ...others] = await admitting(newcomer, 'EXAMPLE.com')
  expect(others).toEqual([])
  expect(found).toMatchObject({
    id: params.organizationId,
    title: 'Open',
    emailDomains: ['other.example', 'example.com'],
  })
  expect(new Set(Object.values(found?.permissions ?? {}))).toEqual(new Set([false]))
  // People who can join are not members yet.
  expect(await refusal(newcomer.api.getOrganizationById({ params }))).toBe('404')

  await newcomer.api.joinOrganization({ params })
  expect(await getMembership(newcomer)).toMatchObject({ role: 'comment', sso: false, disabled: false })
  const seen = await newcomer.api.getOrganizationById({ params })
  expect(seen.permissions.view).toBe(true)
  expect(await admitting(newcomer, 'example.com')).toEqual([seen])
  expect(organization.id).toBe(seen.id)
})

test('joining again does not change the role or the time of joining', async () => {
  const octavo = await serverForTest()
  const { owner, params, getMembership } = await makeOrganization(octavo)
  await owner.api.updateOrganizationById({ params, body: { emailDomains: ['example.com'], defaultRole: 'edit' } })
  const regular = await octavo.person('Regular')
  await regular.api.joinOrganization({ params })
  const before = await getMembership(regular)

  await owner.api.updateOrganizationById({ params, body: { defaultRole: null } })
  await regular.api.joinOrganization({ params })
  await owner.api.joinOrganization({ params })
  expect(await getMembership(regular)).toEqual(before)
  expect(await getMembership(owner)).toMatchObject({ role: 'admin' })

  const late = await octavo.person('Late')
  await late.api.joinOrganization({ params })
  expect(await getMembership(late)).toMatchObject({ role: null })
  expect((await owner.api.listMembersInOrganizationById({ params })).count).toBe(3)
})

test('people with other email domains neither find the organization nor join it', async () => {
  const octavo = await serverForTest()
  const { owner, params, add } = await makeOrganization(octavo)
  await owner.api.updateOrganizationById({
    params,
    body: { emailDomains: ['example.com', 'octavo.example', 'docs.example.com'] },
  })
  const outsider = octavo.admin
  for (const domain of ['example.com', 'octavo.example']) expect(await admitting(outsider, domain)).toEqual([])
  expect(await refusal(outsider.api.joinOrganization({ params }))).toBe('404')
  // A subdomain of the person's own domain does not count.
  const insider = await octavo.person('Insider')
  expect(await admitting(insider, 'docs.example.com')).toEqual([])

  // Members find the organization by any of its domains, but can join only with an admitted domain of their own.
  await add(outsider, 'read')
  for (const domain of ['example.com', 'octavo.example', 'docs.example.com'])
    expect(await admitting(outsider, domain)).toMatchObject([
      { id: params.organizationId, permissions: { view: true } },
    ])
  expect(await refusal(outsider.api.joinOrganization({ params }))).toBe('400 path.organizationId')
})

test('after removing an email domain, an organization keeps its members and accepts no new ones', async () => {
  const octavo = await serverForTest()
  const { owner, params, getMembership } = await makeOrganization(octavo)
  await owner.api.updateOrganizationById({ params, body: { emailDomains: ['example.com'] } })
  const [early, late] = [await octavo.person('Early'), await octavo.person('Late')]
  await early.api.joinOrganization({ params })
  await owner.api.updateOrganizationById({ params, body: { emailDomains: [] } })

  expect(await admitting(late, 'example.com')).toEqual([])
  expect(await refusal(late.api.joinOrganization({ params }))).toBe('404')
  expect(await getMembership(early)).toMatchObject({ role: 'read' })
  expect(await refusal(early.api.joinOrganization({ params: { organizationId: 'unknown' } }))).toBe('404')
})

test('several organizations can admit the same email domain', async () => {
  const octavo = await serverForTest()
  const made = []
  for (const title of ['First', 'Second', 'Third']) {
    const { owner, params } = await makeOrganization(octavo, title)
    await owner.api.updateOrganizationById({ params, body: { emailDomains: ['example.com'] } })
    made.push(params.organizationId)
  }
  const newcomer = await octavo.person('Newcomer')
  await newcomer.api.joinOrganization({ params: { organizationId: made[1] as string } })
  const found = await admitting(newcomer, 'example.com')
  expect(found.map(({ id, permissions }) => [id, permissions.view])).toEqual([
    [made[0], false],
    [made[1], true],
    [made[2], false],
  ])
})
