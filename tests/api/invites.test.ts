import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { newId } from '../../src/kernel/ids.ts'
import { makeAccount } from '../support/account.ts'
import { readAllPages } from '../support/lists.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Body = NonNullable<Parameters<Client['inviteUsersToOrganization']>[0]['body']>

const invite = ({ owner, params }: TestOrganization, body: unknown, by: Person = owner) =>
  by.api.inviteUsersToOrganization({ params, body: body as Body })

const join = ({ params }: TestOrganization, person: Person, inviteId: string) =>
  person.api.joinOrganizationWithInvite({ params: { ...params, inviteId } })

const listInvites = ({ owner, params }: TestOrganization, query: object = {}) =>
  owner.api.listEmailInvites({ params, query })

/** Returns an email address without an account. */
const newAddress = () => `new.${newId()}@example.com`

/** Invites an email address without an account and returns the stored invite. */
async function inviteAddress(organization: TestOrganization, email: string, more: object = {}) {
  const { invites } = await invite(organization, { emails: [email], ...more })
  return invites[0] as (typeof invites)[number]
}

test('people with an account become members immediately', async () => {
  const acme = await makeOrganization(octavo)
  await acme.owner.api.updateOrganizationById({ params: acme.params, body: { defaultRole: 'comment' } })
  const [anna, ben, cleo, dan] = await Promise.all(['Anna', 'Ben', 'Cleo', 'Dan'].map((name) => octavo.person(name)))
  const [a, b, c, d] = [anna, ben, cleo, dan] as [Person, Person, Person, Person]

  const first = await invite(acme, { emails: [a.email.toUpperCase(), { email: b.email, role: 'review' }] })
  expect(first).toEqual({ users: [a.id, b.id], invited: 2, invites: [] })
  const second = await invite(acme, { emails: [c.email, { email: d.email, role: null }], role: 'edit', sso: true })
  expect(second).toEqual({ users: [c.id, d.id], invited: 2, invites: [] })

  const standings = await Promise.all([a, b, c, d].map((person) => acme.getMembership(person)))
  expect(standings.map(({ role, sso }) => [role, sso])).toEqual([
    ['comment', false],
    ['review', false],
    ['edit', true],
    [null, true],
  ])
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
  expect((await a.api.listOrganizationsForAuthenticatedUser()).items).toMatchObject([{ id: acme.organization.id }])
})

test('inviting existing members does not count them or change their roles', async () => {
  const acme = await makeOrganization(octavo)
  const [editor, newcomer] = [await acme.member('edit'), await octavo.person('Newcomer')]
  const before = await acme.getMembership(editor)
  const reply = await invite(acme, {
    emails: [
      { email: editor.email, role: 'read' },
      { email: acme.owner.email, role: null },
      newcomer.email,
      newcomer.email.toUpperCase(),
    ],
  })
  expect(reply).toEqual({ users: [newcomer.id], invited: 1, invites: [] })
  expect(await acme.getMembership(editor)).toEqual(before)
  expect(await acme.getMembership(acme.owner)).toMatchObject({ role: 'admin' })
  expect(await acme.owner.api.listMembersInOrganizationById({ params: acme.params })).toMatchObject({ count: 3 })
})

test('an email address without an account gets an invite that is listed until it is accepted', async () => {
  const acme = await makeOrganization(octavo)
  const address = newAddress()
  const reply = await invite(acme, { emails: [{ email: address.toUpperCase(), role: 'review' }], sso: true })
  const [stored] = reply.invites
  expect(reply).toEqual({
    users: [],
    invited: 0,
    invites: [
      {
        object: 'email-invite',
        id: expect.stringMatching(/^\w{32,}$/),
        email: address,
        role: 'review',
        sso: true,
        teams: [],
        createdAt: expect.stringMatching(/^2026-/),
        urls: {
          location: `${octavo.url}/v1/orgs/${acme.organization.id}/invites/${stored?.id}`,
          join: expect.stringContaining(`${acme.organization.id}/${stored?.id}`),
        },
      },
    ],
  })
  expect(await listInvites(acme)).toEqual({ count: 1, items: [stored] })

  const { id } = stored as { id: string }
  const invited = await makeAccount(octavo, address)
  expect(await refusal(invited.api.getOrganizationById({ params: acme.params }))).toBe('404')
  expect(await join(acme, invited, id)).toEqual({})
  expect(await acme.getMembership(invited)).toMatchObject({ role: 'review', sso: true })
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
  expect(await refusal(join(acme, invited, id))).toBe('404')
})

test('an invite works only for the owner of its email address and only in its organization', async () => {
  const [acme, other] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const address = newAddress()
  const { id } = await inviteAddress(acme, address)
  const [invited, thief] = [await makeAccount(octavo, address), await octavo.person('Thief')]

  await expect(join(acme, thief, id)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('invite') })
  expect(await refusal(join(other, invited, id))).toBe('404')
  expect(await refusal(join(acme, invited, 'unknown'))).toBe('404')
  expect(
    await refusal(invited.api.joinOrganizationWithInvite({ params: { organizationId: 'unknown', inviteId: id } })),
  ).toBe('404')
  for (const { owner, params } of [acme, other])
    expect(await owner.api.listMembersInOrganizationById({ params })).toMatchObject({ count: 1 })
  await join(acme, invited, id)
})

test('a deleted invite returns 404', async () => {
  const [acme, other] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const address = newAddress()
  const { id } = await inviteAddress(acme, address)
  const withdraw = ({ owner, params }: TestOrganization) =>
    owner.api.deleteEmailInvite({ params: { ...params, inviteId: id } })
  // Deleting an invite through a different organization has no effect.
  await withdraw(other)
  expect(await listInvites(acme)).toMatchObject({ count: 1 })
  await withdraw(acme)
  await withdraw(acme)
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
  expect(await refusal(join(acme, await makeAccount(octavo, address), id))).toBe('404')
})

test('inviting the same address twice keeps the link and updates the role', async () => {
  const acme = await makeOrganization(octavo)
  const address = newAddress()
  const first = await inviteAddress(acme, address, { role: 'read' })
  const second = await inviteAddress(acme, address, { role: 'create', sso: true })
  expect(second).toEqual({ ...first, role: 'create', sso: true })
  expect(await listInvites(acme)).toEqual({ count: 1, items: [second] })
  const invited = await makeAccount(octavo, address)
  await join(acme, invited, first.id)
  expect(await acme.getMembership(invited)).toMatchObject({ role: 'create', sso: true })
})

test('inviting again after the account was created adds the member and deletes the stored invite', async () => {
  const acme = await makeOrganization(octavo)
  const address = newAddress()
  const { id } = await inviteAddress(acme, address, { role: 'admin' })
  const invited = await makeAccount(octavo, address)
  expect(await invite(acme, { emails: [address], role: 'read' })).toEqual({
    users: [invited.id],
    invited: 1,
    invites: [],
  })
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
  expect(await refusal(join(acme, invited, id))).toBe('404')
  expect(await acme.getMembership(invited)).toMatchObject({ role: 'read' })
})

test('an invite raises the role of an existing member but never lowers it', async () => {
  const acme = await makeOrganization(octavo)
  await acme.owner.api.updateOrganizationById({ params: acme.params, body: { emailDomains: ['example.com'] } })
  for (const [role, outcome] of [
    ['edit', 'edit'],
    [null, 'read'],
  ] as const) {
    const address = newAddress()
    const { id } = await inviteAddress(acme, address, { role })
    const invited = await makeAccount(octavo, address)
    await invited.api.joinOrganization({ params: acme.params })
    expect(await acme.getMembership(invited)).toMatchObject({ role: 'read' })
    await join(acme, invited, id)
    expect(await acme.getMembership(invited)).toMatchObject({ role: outcome })
  }
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
})

test('accepting an invite several times at once creates one member', async () => {
  const acme = await makeOrganization(octavo)
  const address = newAddress()
  const { id } = await inviteAddress(acme, address)
  const invited = await makeAccount(octavo, address)
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => join(acme, invited, id)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await acme.owner.api.listMembersInOrganizationById({ params: acme.params })).toMatchObject({ count: 2 })
})

test('an invite without a role gets the default role of the organization', async () => {
  const acme = await makeOrganization(octavo)
  expect(await inviteAddress(acme, newAddress())).toMatchObject({ role: 'read', sso: false })
  await acme.owner.api.updateOrganizationById({ params: acme.params, body: { defaultRole: null } })
  expect(await inviteAddress(acme, newAddress())).toMatchObject({ role: null })
  expect(await inviteAddress(acme, newAddress(), { role: 'edit' })).toMatchObject({ role: 'edit' })
  expect(await inviteAddress(acme, newAddress(), { role: null })).toMatchObject({ role: null })
})

test('up to 500 people can be invited at once, and their invites are listed in pages', async () => {
  const acme = await makeOrganization(octavo)
  const addresses = Array.from({ length: 500 }, newAddress)
  const reply = await invite(acme, { emails: addresses })
  expect(reply).toMatchObject({ users: [], invited: 0 })
  expect(reply.invites.map(({ email }) => email).sort()).toEqual([...addresses].sort())

  const pages = await readAllPages((page) => listInvites(acme, { limit: 200, page }))
  expect(pages.map((page) => page.length)).toEqual([200, 200, 100])
  expect(
    pages
      .flat()
      .map(({ email }) => email)
      .sort(),
  ).toEqual([...addresses].sort())
  expect((await listInvites(acme)).items).toHaveLength(50)
})

test('only administrators create, list and delete invites', async () => {
  const acme = await makeOrganization(octavo)
  const { id } = await inviteAddress(acme, newAddress())
  const before = await listInvites(acme)
  const attempts = (person: Person) => [
    invite(acme, { emails: [newAddress(), person.email], role: 'admin' }, person),
    person.api.listEmailInvites({ params: acme.params }),
    person.api.deleteEmailInvite({ params: { ...acme.params, inviteId: id } }),
  ]
  for (const role of ['create', null] as const) {
    const person = await acme.member(role)
    expect(await Promise.all(attempts(person).map(refusal))).toEqual(['403', '403', '403'])
  }
  const stranger = await octavo.person('Stranger')
  expect(await Promise.all(attempts(stranger).map(refusal))).toEqual(['404', '404', '404'])
  expect(await listInvites(acme)).toEqual(before)
})

const addressOf = (length: number) => `${'x'.repeat(60)}@${'d'.repeat(length - 61 - '.example'.length)}.example`

test('rejects invalid invites with 400 and the field name, and invites none of the people', async () => {
  const acme = await makeOrganization(octavo)
  const known = await octavo.person('Known')
  const wrong: [object, string][] = [
    [{}, 'body.emails'],
    [{ emails: known.email }, 'body.emails'],
    [{ emails: [] }, 'body.emails'],
    [{ emails: Array.from({ length: 501 }, newAddress) }, 'body.emails'],
    [{ emails: [known.email, 'no address'] }, 'body.emails.1'],
    [{ emails: [known.email, ''] }, 'body.emails.1'],
    [{ emails: [known.email, 7] }, 'body.emails.1'],
    [{ emails: [known.email, addressOf(255)] }, 'body.emails.1'],
    [{ emails: [known.email, { email: 'no address', role: 'read' }] }, 'body.emails.1.email'],
    [{ emails: [known.email, { email: newAddress(), role: 'boss' }] }, 'body.emails.1.role'],
    [{ emails: [known.email, { email: newAddress() }] }, 'body.emails.1.role'],
    [{ emails: [known.email], role: 'guest' }, 'body.role'],
    [{ emails: [known.email], sso: 'yes' }, 'body.sso'],
  ]
  for (const [body, field] of wrong)
    expect(await refusal(invite(acme, body)), JSON.stringify(body).slice(0, 200)).toBe(`400 ${field}`)
  for (const [query, field] of [
    [{ limit: 1001 }, 'query.limit'],
    [{ page: 'x' }, 'query.page'],
  ] as const)
    expect(await refusal(listInvites(acme, query))).toBe(`400 ${field}`)
  expect(await listInvites(acme)).toEqual({ count: 0, items: [] })
  expect(await acme.owner.api.listMembersInOrganizationById({ params: acme.params })).toMatchObject({ count: 1 })
  expect(await inviteAddress(acme, addressOf(254))).toMatchObject({ email: addressOf(254) })
})
