import { afterAll, beforeAll, expect, test } from 'vitest'
import { IdentityProvider } from '../support/identity-provider.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { addProvider, signInWithSaml } from '../support/saml.ts'
import { makeScimOrganization } from '../support/scim.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { startSession } from '../support/sign-in.ts'

let octavo: TestServer
const okta = new IdentityProvider('okta')
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

/** Starts a session of a user with an identity provider of an organization. */
const startSsoSession = ({ params }: TestOrganization, userId: string) =>
  startSession(octavo, userId, { ...params, providerId: 'okta' })

/** Returns the IDs of the sessions of a member that administrators see. */
async function listIds({ owner, params }: TestOrganization, userId: string): Promise<string[]> {
  const { items } = await owner.api.listSessionsForOrganizationMember({ params: { ...params, userId } })
  return items.map(({ id }) => id)
}

/** Returns the IDs of all sessions of a user. */
async function findAllIds(userId: string): Promise<string[]> {
  const { reader } = octavo.server.app.database
  const rows = await reader.selectFrom('sessions').select('id').where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const endOne = ({ owner, params }: TestOrganization, userId: string, sessionId: string) =>
  owner.api.revokeSessionForOrganizationMember({ params: { ...params, userId, sessionId } })

const endAll = ({ owner, params }: TestOrganization, userId: string) =>
  owner.api.revokeSessionsForOrganizationMember({ params: { ...params, userId } })

async function listEvents({ owner, params }: TestOrganization) {
  const query = { action: 'session.revoke' as const }
  const { items } = await owner.api.listOrganizationAuditEvents({ params, query })
  return items
}

test('administrators see and end the sessions of their own identity provider only', async () => {
  const acme = await makeOrganization(octavo)
  const elsewhere = await makeOrganization(octavo, 'Elsewhere')
  const member = await acme.member('edit', 'Grace')
  await elsewhere.add(member, 'edit')
  const own = [await startSsoSession(acme, member.id), await startSsoSession(acme, member.id)]
  const foreign = await startSsoSession(elsewhere, member.id)
  const personal = await startSession(octavo, member.id)
  expect((await listIds(acme, member.id)).toSorted()).toEqual(own.toSorted())
  expect(await listIds(elsewhere, member.id)).toEqual([foreign])

  for (const id of [foreign, personal, 'unknown']) await endOne(acme, member.id, id)
  expect(await findAllIds(member.id)).toHaveLength(4)
  expect(await listEvents(acme)).toEqual([])
  await endOne(acme, member.id, own[0] ?? '')
  expect(await listIds(acme, member.id)).toEqual([own[1]])
  await endAll(acme, member.id)
  await endAll(acme, member.id)
  expect(await findAllIds(member.id)).toEqual([foreign, personal].toSorted())

  const events = await listEvents(acme)
  expect(events.map(({ target }) => target)).toMatchObject([{ id: member.id }, { id: member.id }])
  expect(await listEvents(elsewhere)).toEqual([])
})

test('a session is described without the address of the member', async () => {
  const acme = await makeOrganization(octavo)
  const member = await acme.member('read')
  const id = await startSsoSession(acme, member.id)
  const params = { ...acme.params, userId: member.id }
  const { items } = await acme.owner.api.listSessionsForOrganizationMember({ params })
  const location = `${octavo.url}/v1/orgs/${acme.params.organizationId}/members/${member.id}/sessions/${id}`
  expect(items).toMatchObject([{ object: 'session', id, method: 'saml', userAgent: 'Test', urls: { location } }])
  expect(JSON.stringify(items)).not.toContain('192.0.2.1')
})

test('all sessions of an account that the organization has created are managed by it, until it joins another one', async () => {
  const acme = await makeScimOrganization(octavo)
  const provider = await addProvider(acme, okta)
  const { body } = await acme.scim.post('/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'scim@acme.example',
    emails: [{ value: 'scim@acme.example' }],
  })
  await signInWithSaml(octavo, provider, okta, { nameID: 'saml@acme.example' })
  const { items } = await acme.owner.api.listMembersInOrganizationById({
    params: acme.params,
    query: { search: 'saml@acme.example' },
  })
  for (const userId of [body.id, items[0]?.id ?? '']) {
    await endAll(acme, userId)
    const personal = await startSession(octavo, userId)
    expect(await listIds(acme, userId)).toEqual([personal])
    const elsewhere = await makeOrganization(octavo, 'Elsewhere')
    const { user } = await acme.owner.api.getMemberInOrganizationById({ params: { ...acme.params, userId } })
    await elsewhere.owner.api.inviteUsersToOrganization({
      params: elsewhere.params,
      body: { emails: [user.email ?? ''] },
    })
    const sso = await startSsoSession(acme, userId)
    expect(await listIds(acme, userId)).toEqual([sso])
    expect(await listIds(elsewhere, userId)).toEqual([])
    await endAll(acme, userId)
    await endAll(elsewhere, userId)
    expect(await findAllIds(userId)).toEqual([personal])
  }
})

test('only administrators of the organization see and end sessions of its members', async () => {
  const acme = await makeOrganization(octavo)
  const elsewhere = await makeOrganization(octavo, 'Elsewhere')
  const member = await acme.member('edit')
  const sessionId = await startSsoSession(acme, member.id)
  const params = { ...acme.params, userId: member.id }
  for (const { api } of [member, await acme.member('create')]) {
    expect(await refusal(api.listSessionsForOrganizationMember({ params }))).toMatch(/^403/)
    expect(await refusal(api.revokeSessionsForOrganizationMember({ params }))).toMatch(/^403/)
  }
  expect(await refusal(elsewhere.owner.api.listSessionsForOrganizationMember({ params }))).toMatch(/^404/)
  // A user who is no member of the own organization looks like an unknown one.
  expect(await refusal(listIds(elsewhere, member.id))).toMatch(/^404/)
  expect(await refusal(listIds(elsewhere, 'unknown'))).toMatch(/^404/)
  await endOne(elsewhere, member.id, sessionId)
  await endAll(elsewhere, member.id)
  expect(await findAllIds(member.id)).toEqual([sessionId])
})
