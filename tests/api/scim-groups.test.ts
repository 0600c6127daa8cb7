import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeScimOrganization, patchOf } from '../support/scim.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

async function organizationWithPeople() {
  const acme = await makeScimOrganization(octavo)
  const people = [
    await acme.member('read', 'Anna'),
    await acme.member('read', 'Ben'),
    await acme.member('edit', 'Cleo'),
  ]
  const ids = async (groupId: string) =>
    (await acme.scim.get(`/Groups/${groupId}`)).body.members.map(({ display }) => display).sort()
  return { ...acme, people: people.map(({ id }) => id) as [string, string, string], ids }
}

test('as Entra ID sends requests, a group is matched, created, filled, renamed and deleted', async () => {
  const { scim, owner, params, people, ids } = await organizationWithPeople()
  const [anna, ben, cleo] = people
  const query = { excludedAttributes: 'members', filter: 'displayName eq "displayName"' }
  expect((await scim.get('/Groups', query)).body).toMatchObject({ totalResults: 0, Resources: [] })

  const created = await scim.post('/Groups', {
    schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    meta: { resourceType: 'Group' },
  })
  const { id } = created.body
  const path = `/Groups/${id}`
  const location = `${octavo.url}/scim/v2/${params.organizationId}${path}`
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(location)
  expect(created.body).toEqual({
    schemas: [groupSchema],
    id,
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    members: [],
    meta: { resourceType: 'Group', created: expect.any(String), lastModified: expect.any(String), location },
  })
  const [found] = (await scim.get('/Groups', query)).body.Resources
  expect(found).toMatchObject({ id, displayName: 'displayName' })
  expect(found).not.toHaveProperty('members')

  const add = {
    op: 'Add',
    path: 'members',
    value: [
      { $ref: null, value: anna },
      { $ref: null, value: ben },
    ],
  }
  expect(await scim.patch(path, patchOf(add))).toMatchObject({ status: 204, body: {} })
  expect((await scim.patch(path, patchOf({ ...add, value: [{ value: cleo }] }))).status).toBe(204)
  expect(await ids(id)).toEqual(['Anna', 'Ben', 'Cleo'])
  // Adding members again changes nothing.
  await scim.patch(path, patchOf(add))
  expect(await owner.api.getTeamInOrganizationById({ params: { ...params, teamId: id } })).toMatchObject({ members: 3 })
  // This is how Entra ID asks whether a user is in a group.
  const isMember = { excludedAttributes: 'members', filter: `id eq "${id}" and members eq "${anna}"` }
  expect((await scim.get('/Groups', isMember)).body).toMatchObject({ totalResults: 1 })

  await scim.patch(path, patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: anna }] }))
  await scim.patch(path, patchOf({ op: 'Remove', path: `members[value eq "${ben}"]` }))
  expect(await ids(id)).toEqual(['Cleo'])
  expect((await scim.get('/Groups', isMember)).body).toMatchObject({ totalResults: 0 })
  await scim.patch(path, patchOf({ op: 'Remove', path: 'members', value: [{ value: 'unknown' }] }))
  expect(await ids(id)).toEqual(['Cleo'])
  await scim.patch(path, patchOf({ op: 'Remove', path: 'members' }))
  expect(await ids(id)).toEqual([])

  await scim.patch(path, patchOf({ op: 'Replace', path: 'displayName', value: 'New name' }))
  expect(await owner.api.getTeamInOrganizationById({ params: { ...params, teamId: id } })).toMatchObject({
    title: 'New name',
    members: 0,
  })
  expect((await scim.delete(path)).status).toBe(204)
  expect((await scim.get(path)).status).toBe(404)
  expect((await scim.delete(path)).status).toBe(404)
})

test('as Okta sends requests, a group is created, renamed, filled and imported', async () => {
  const { scim, people, ids } = await organizationWithPeople()
  const [anna, ben, cleo] = people
  const { body } = await scim.post('/Groups', {
    schemas: [groupSchema],
    displayName: 'Test SCIMv2',
    members: [{ value: anna, display: 'ignored@example.com' }],
  })
  const path = `/Groups/${body.id}`
  expect(body).toMatchObject({ members: [{ value: anna, display: 'Anna', type: 'User' }] })

  const renamed = patchOf({ op: 'replace', value: { id: body.id, displayName: 'Test SCIMv2 renamed' } })
  expect((await scim.patch(path, renamed)).status).toBe(204)
  const changed = patchOf(
    { op: 'remove', path: `members[value eq "${anna}"]` },
    { op: 'add', path: 'members', value: [{ value: ben, display: 'ignored@example.com' }] },
    { op: 'add', value: { members: [{ value: cleo }] } },
  )
  await scim.patch(path, changed)
  expect(await ids(body.id)).toEqual(['Ben', 'Cleo'])
  const withMembers = await scim.patch(
    `${path}?attributes=members`,
    patchOf({ op: 'replace', path: 'members', value: [{ value: anna }, { value: ben }] }),
  )
  expect(withMembers).toMatchObject({ status: 200, body: { members: [{ value: anna }, { value: ben }] } })

  const put = { schemas: [groupSchema], id: body.id, displayName: 'By PUT', externalId: 'x' }
  const replaced = await scim.put(path, { ...put, members: [{ value: cleo }] })
  expect(replaced).toMatchObject({ status: 200, body: { displayName: 'By PUT', members: [{ value: cleo }] } })
  expect((await scim.put(path, { ...put, externalId: undefined })).body).not.toHaveProperty('externalId')
  expect(await ids(body.id)).toEqual(['Cleo'])

  const imported = await scim.get('/Groups', { startIndex: '1', count: '100' })
  expect(imported.body).toMatchObject({
    totalResults: 1,
    itemsPerPage: 1,
    Resources: [{ displayName: 'By PUT', members: [{ value: cleo, display: 'Cleo' }] }],
  })
})

test('a group with the name of another one returns 409', async () => {
  const { scim, team } = await organizationWithPeople()
  await team('Éditeurs')
  const { body } = await scim.post('/Groups', { displayName: 'Writers' })
  const conflict = { status: 409, body: { scimType: 'uniqueness' } }
  expect(await scim.post('/Groups', { displayName: 'éDITEURS' })).toMatchObject(conflict)
  const rename = { op: 'replace', path: 'displayName', value: 'Éditeurs' }
  expect(await scim.patch(`/Groups/${body.id}`, patchOf(rename))).toMatchObject(conflict)
  expect(await scim.put(`/Groups/${body.id}`, { displayName: 'Éditeurs' })).toMatchObject(conflict)
  expect((await scim.put(`/Groups/${body.id}`, { displayName: 'WRITERS' })).body).toMatchObject({
    displayName: 'WRITERS',
  })
})

test('groups are filtered, sorted and paged', async () => {
  const { scim, people, params, owner } = await organizationWithPeople()
  const [anna, ben] = people
  for (const [displayName, members] of [
    ['Red', [anna]],
    ['Green', [anna, ben]],
    ['Blue', []],
  ] as const) {
    const body = { displayName, externalId: `ext-${displayName}`, members: members.map((value) => ({ value })) }
    expect((await scim.post('/Groups', body)).status).toBe(201)
  }
  await owner.api.createOrganizationTeam({ params, body: { title: 'By hand' } })
  const names = async (query: Record<string, string>) =>
    (await scim.get('/Groups', { sortBy: 'displayName', ...query })).body.Resources.map(
      ({ displayName }) => displayName,
    )
  expect(await names({})).toEqual(['Blue', 'By hand', 'Green', 'Red'])
  expect(await names({ sortOrder: 'descending', startIndex: '2', count: '2' })).toEqual(['Green', 'By hand'])
  expect(await names({ filter: 'displayName eq "RED"' })).toEqual(['Red'])
  expect(await names({ filter: 'displayName co "RE"' })).toEqual(['Green', 'Red'])
  expect(await names({ filter: 'displayName sw "b" and externalId pr' })).toEqual(['Blue'])
  expect(await names({ filter: 'externalId eq "ext-Red"' })).toEqual(['Red'])
  expect(await names({ filter: `members.value eq "${anna}"` })).toEqual(['Green', 'Red'])
  expect(await names({ filter: `members[value eq "${ben}"]` })).toEqual(['Green'])
  expect(await names({ filter: `not (members eq "${anna}")` })).toEqual(['Blue', 'By hand'])
  for (const filter of ['members pr', 'members.display eq "Anna"', `members[not (value eq "${anna}")]`])
    expect((await scim.get('/Groups', { filter })).body, filter).toMatchObject({ scimType: 'invalidFilter' })
  expect((await scim.get('/Groups', { sortBy: 'members' })).status).toBe(400)
  const search = await scim.post('/Groups/.search', { filter: 'displayName eq "Red"', excludedAttributes: ['members'] })
  expect(search.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Red' }] })
})

test('a group with thousands of members is read completely, and ends a page of groups before it', async () => {
  const { scim, params, people } = await organizationWithPeople()
  const [anna] = people
  const { body: small } = await scim.post('/Groups', { displayName: 'A small one', members: [{ value: anna }] })
  const { body: large } = await scim.post('/Groups', { displayName: 'Large', members: [{ value: anna }] })
  const count = 5200
  // Far too many requests to create them through the API.
  await octavo.server.app.database.transaction(async (db) => {
    const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`
    const id = sql`${params.organizationId} || n`
    await sql`insert into users (id, email, display_name, created_at, updated_at)
      ${numbers} select ${id}, ${id} || '@example.com', 'Person ' || n, '', '' from numbers`.execute(db)
    await sql`insert into members (organization_id, user_id, role, disabled, sso, joined_at, name_key, search_text)
      ${numbers} select ${params.organizationId}, ${id}, 'read', 0, 0, '', '', '' from numbers`.execute(db)
    await sql`insert into team_members (organization_id, team_id, user_id, role, added_at)
      ${numbers} select ${params.organizationId}, ${large.id}, ${id}, 'member', '' from numbers`.execute(db)
    await sql`update teams set member_count = ${count + 1} where id = ${large.id}`.execute(db)
  })
  const path = `/Groups/${large.id}`
  const { body } = await scim.get(path)
  expect(body).toMatchObject({ id: large.id, displayName: 'Large' })
  expect(new Set(body.members.map(({ value }) => value)).size).toBe(count + 1)
  expect(body.members).toContainEqual(expect.objectContaining({ value: anna, display: 'Anna', type: 'User' }))
  const ids = await scim.get(path, { attributes: 'members.value' })
  expect(ids.body).toEqual({ schemas: [groupSchema], id: large.id, members: expect.any(Array) })
  expect(ids.body.members[count]).toEqual({ value: expect.any(String) })

  const pages = await Promise.all(['1', '2'].map((startIndex) => scim.get('/Groups', { startIndex })))
  expect(pages.map(({ body: { totalResults, itemsPerPage } }) => [totalResults, itemsPerPage])).toEqual([
    [2, 1],
    [2, 1],
  ])
  expect(pages.map((page) => page.body.Resources[0]?.members.length)).toEqual([1, count + 1])
  expect((await scim.get('/Groups', { excludedAttributes: 'members' })).body.Resources).toHaveLength(2)
  // A reply to a change is read before its transaction ends.
  expect((await scim.put(path, { displayName: 'Renamed' })).body.members).toHaveLength(count + 1)
  const reduced = await scim.put(path, { displayName: 'Renamed', members: [{ value: anna }] })
  expect(reduced.body.members).toMatchObject([{ value: anna }])
  expect((await scim.get(`/Groups/${small.id}`)).body.members).toHaveLength(1)
})
