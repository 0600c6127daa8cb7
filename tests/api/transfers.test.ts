import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { Space } from '../../src/contract/space.ts'
import { days, hours, timestamp } from '../../src/kernel/time.ts'
import { editLive, insertPage, propose, readLive, writePage } from '../support/content.ts'
import { addFiles, inlineFile, proposeFiles, fetchText } from '../support/files.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { getRole } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { readStoredObjects, advanceClock } from '../support/sweep.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates two organizations, with the owner of the first as an administrator of both. */
async function makeTwo() {
  const [source, target] = [await makeOrganization(octavo, 'Source'), await makeOrganization(octavo, 'Target')]
  await target.add(source.owner, 'admin')
  return { source, target, owner: source.owner, into: target.organization.id }
}

const pathOf = (space: Space) => ({ params: { spaceId: space.id } })
const transfer = (who: Person, space: Space, body: { organization: string; parent?: string | null }) =>
  who.api.transferSpace({ ...pathOf(space), body })
const transferCollection = (who: Person, collection: Collection, organization: string) =>
  who.api.transferCollection({ params: { collectionId: collection.id }, body: { organization } })

const titles = (list: { items: { title: string }[] }) => list.items.map(({ title }) => title)

/** Returns every list and count of an organization that includes its content. */
async function look(who: Person, { params }: TestOrganization) {
  const teams = await who.api.listTeamsInOrganizationById({ params })
  const members = await who.api.listMembersInOrganizationById({ params, query: { search: 'onlooker' } })
  return {
    spaces: titles(await who.api.listSpacesInOrganizationById({ params })),
    collections: titles(await who.api.listCollectionsInOrganizationById({ params })).sort(),
    invites: (await who.api.listOrganizationInviteLinks({ params })).count,
    ofTeams: teams.items.map(({ spaces }) => spaces),
    ofOnlookers: members.items.map(({ spaces }) => spaces),
  }
}

/** Asserts that after a sweep an organization has exactly the objects that its revisions reach. */
async function expectSwept(...organizations: [of: TestOrganization, revisions: number][]) {
  await advanceClock(octavo, hours(3))
  for (const [{ organization }, revisions] of organizations) {
    const kept = await readStoredObjects(octavo, organization.id)
    expect(kept.revisions).toBe(revisions)
    expect(kept.objects).toEqual(kept.reached)
  }
}

test('a space is transferred with its content, settings and the permissions of users in both organizations', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [both, left] = [await source.member(null, 'Both'), await source.member('read', 'Onlooker')]
  await target.add(both, null)
  const newcomer = await target.member('comment')
  const team = await source.team('Team', [both, left])
  const first = await target.space('First')
  const { id: parent } = await source.collection('Parent')
  const created = await source.space('Guide', { parent })
  const settings = { emoji: '🚀', language: 'fr', editMode: 'locked', visibility: 'unlisted' } as const
  const space = await owner.api.updateSpaceById({ ...pathOf(created), body: settings })
  const share = (body: object) => owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'edit', ...body } })
  await share({ users: [both.id, left.id], teams: [team.id] })
  await owner.api.createOrganizationInvite({ params: source.params, body: { level: 'read', space: space.id } })
  await owner.api.createOrganizationInvite({ params: source.params, body: { role: 'read' } })
  expect(await look(owner, source)).toEqual({
    spaces: ['Guide'],
    collections: ['Parent'],
    invites: 2,
    ofTeams: [1],
    ofOnlookers: [1],
  })

  const moved = await transfer(owner, space, { organization: into })
  const { parent: _, ...outside } = space
  expect(moved).toEqual({ ...outside, organization: into, updatedAt: moved.updatedAt })
  expect(await owner.api.getSpaceById(pathOf(space))).toEqual(moved)

  expect(await look(owner, source)).toEqual({
    spaces: [],
    collections: ['Parent'],
    invites: 1,
    ofTeams: [0],
    ofOnlookers: [0],
  })
  expect(await owner.api.listSpacesInCollectionById({ params: { collectionId: parent } })).toEqual({
    count: 0,
    items: [],
  })
  expect(titles(await owner.api.listSpacesInOrganizationById({ params: target.params }))).toEqual(['First', 'Guide'])
  const behind = { after: { type: 'space' as const, space: first.id } }
  expect(await refusal(owner.api.moveSpace({ ...pathOf(space), body: { position: behind } }))).toBe('409')

  const users = await owner.api.listUserPermissionsInSpace(pathOf(space))
  expect(users.items.map(({ permission, user }) => [user.id, permission])).toEqual([[both.id, 'edit']])
  expect((await owner.api.listTeamPermissionsInSpace(pathOf(space))).count).toBe(0)
  expect([await getRole(both, space), await getRole(left, space), await getRole(newcomer, space)]).toEqual([
    'edit',
    null,
    'comment',
  ])
  await expectSwept([source, 0], [target, 2])
})

test('merge rules are transferred without users who are not members of the target organization', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [both, left] = [await source.member('review', 'Both'), await source.member('review', 'Left')]
  await target.add(both, 'review')
  const space = await source.space('Guarded')
  const rules = [
    { rule: 'require_specific_reviewers' as const, users: [both.id, left.id] },
    { rule: 'allow_bypass' as const, users: [left.id] },
    { rule: 'require_change_request_subject' as const },
  ]
  await owner.api.updateSpaceById({ ...pathOf(space), body: { mergeRules: { type: 'rules', rules } } })
  const { mergeRules } = await transfer(owner, space, { organization: into })
  expect(mergeRules).toEqual({
    type: 'rules',
    rules: [{ rule: 'require_specific_reviewers', users: [both.id] }, { rule: 'require_change_request_subject' }],
  })
})

test('a space transferred into a collection inherits the level of the collection', async () => {
  const { source, target, owner, into } = await makeTwo()
  const member = await target.member('read')
  const { id: from } = await source.collection('From')
  const [inherited, fixed] = [
    await source.space('Inherited', { parent: from }),
    await source.space('Fixed', { parent: from, defaultLevel: 'comment' }),
  ]
  await owner.api.updateCollectionById({ params: { collectionId: from }, body: { defaultLevel: null } })
  for (const space of [inherited, fixed])
    await owner.api.updateSpaceById({ ...pathOf(space), body: { visibility: 'in-collection' } })
  const { id: parent } = await target.collection('Into')
  await owner.api.updateCollectionById({ params: { collectionId: parent }, body: { defaultLevel: 'review' } })

  const inside = await transfer(owner, inherited, { organization: into, parent })
  expect(inside).toMatchObject({ organization: into, parent, visibility: 'in-collection' })
  const outside = await transfer(owner, fixed, { organization: into })
  expect(outside).toMatchObject({ organization: into, visibility: 'private' })
  expect([await getRole(member, inherited), await getRole(member, fixed)]).toEqual(['review', 'comment'])
  expect(titles(await owner.api.listSpacesInCollectionById({ params: { collectionId: parent } }))).toEqual([
    'Inherited',
  ])
})

test('transferring a space back and forth leaves no objects in the other organization', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [going, staying] = [await source.space('Going'), await source.space('Staying')]
  const copy = await owner.api.duplicateSpace(pathOf(going))
  await transfer(owner, going, { organization: into })
  await transfer(owner, copy, { organization: into })
  await expectSwept([source, 1], [target, 2])

  const back = await transfer(owner, going, { organization: source.organization.id })
  expect(back).toEqual({ ...going, updatedAt: back.updatedAt })
  await expectSwept([source, 2], [target, 1])
  expect(titles(await owner.api.listSpacesInOrganizationById({ params: source.params }))).toEqual([
    going.title,
    staying.title,
  ])
})

test('all pages, files, revisions and change requests are readable after a transfer', async () => {
  const { source, target, owner, into } = await makeTwo()
  const space = await source.space('Guide')
  const { id: spaceId } = space
  const [outer] = await editLive(owner, spaceId, insertPage('# Outer\n\nFormer words.'))
  const former = (await owner.api.getSpaceById(pathOf(space))).revision
  const [inner] = await editLive(owner, spaceId, insertPage('# Inner\n\nDeep.', { into: outer }))
  await editLive(owner, spaceId, writePage(outer ?? '', 'Newer words.'))
  const [file] = await addFiles(owner, spaceId, inlineFile('file.txt', 'The bytes.'))
  const proposal = await propose(owner, spaceId)
  const [proposed] = await proposal.edit(insertPage('# Proposed\n\nNot live yet.'))
  const [attached] = await proposeFiles(owner, proposal.params, inlineFile('attached.txt', 'More bytes.'))
  // Blobs that the target has, but is about to delete, must survive the transfer.
  const twin = await target.space('Twin')
  await addFiles(owner, twin.id, inlineFile('file.txt', 'The bytes.'))
  await owner.api.deleteSpaceById(pathOf(twin))

  const time = timestamp(octavo.clock.now())
  await transfer(owner, space, { organization: into })
  const { reader } = octavo.server.app.database
  const { reached } = await readStoredObjects(octavo, into)
  // Objects get a new write time, so that a sweep that began before does not delete them.
  const written = await reader
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', into)
    .where('hash', 'in', reached)
    .where('written_at', '>=', time)
    .execute()
  expect(written.length).toBeGreaterThan(8)
  await advanceClock(octavo, days(8))
  await advanceClock(octavo, days(3))
  await expectSwept([source, 0], [target, (await readStoredObjects(octavo, into)).revisions])

  expect((await readLive(owner, spaceId, outer ?? '')).markdown).toContain('Newer words.')
  expect((await readLive(owner, spaceId, inner ?? '')).markdown).toContain('Deep.')
  const then = await owner.api.getPageInRevisionById({
    params: { spaceId, revisionId: former, pageId: outer ?? '' },
    query: { format: 'markdown' },
  })
  expect(then).toMatchObject({ markdown: expect.stringContaining('Former words.') as string })
  for (const [address, text] of [
    [file?.downloadURL, 'The bytes.'],
    [attached?.downloadURL, 'More bytes.'],
    [(await owner.api.getFileById({ params: { spaceId, fileId: file?.id ?? '' } })).downloadURL, 'The bytes.'],
  ] as const)
    expect(await fetchText(address ?? '')).toBe(text)
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  expect((await readLive(owner, spaceId, proposed ?? '')).markdown).toContain('Not live yet.')
})

test('a space is transferred between collections of its own organization', async () => {
  const { source, owner } = await makeTwo()
  const organization = source.organization.id
  const [one, other] = [await source.collection('One'), await source.collection('Other')]
  const space = await source.space('Guide', { parent: one.id })
  expect(await refusal(transfer(owner, space, { organization }))).toBe('409')
  expect(await refusal(transfer(owner, space, { organization, parent: one.id }))).toBe('409')
  expect(await transfer(owner, space, { organization, parent: other.id })).toMatchObject({ parent: other.id })
  expect(await transfer(owner, space, { organization, parent: null })).not.toHaveProperty('parent')
  expect(await refusal(transfer(owner, space, { organization, parent: null }))).toBe('409')
  expect(await refusal(transfer(owner, space, { organization, parent: 'nowhere' }))).toBe('404 body.parent')
})

test('transferring a space needs the role admin in it and `create` at the target', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [spaceAdmin, creator] = [await source.member(null), await source.member('create')]
  const space = await source.space('Guide')
  await owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'admin', users: [spaceAdmin.id] } })
  const [own, foreign] = [await source.collection('Own'), await target.collection('Foreign')]

  const go = (who: Person, parent?: string) => refusal(transfer(who, space, { organization: into, parent }))
  expect(await go(spaceAdmin)).toBe('404 body.organization')
  expect(await refusal(transfer(owner, space, { organization: 'nowhere' }))).toBe('404 body.organization')
  expect(await go(creator)).toBe('403')
  await target.add(creator, 'admin')
  expect(await go(creator)).toBe('403')
  await target.add(spaceAdmin, 'review')
  expect(await go(spaceAdmin)).toBe('403')
  expect(await go(spaceAdmin, foreign.id)).toBe('403')
  for (const parent of [own.id, 'nowhere', space.id]) expect(await go(owner, parent)).toBe('404 body.parent')
  expect(await go(await target.member('admin'))).toBe('404')
  expect(await owner.api.getSpaceById(pathOf(space))).toEqual(space)

  for (const [body, field] of [
    [{}, 'body.organization'],
    [{ organization: null }, 'body.organization'],
    [{ organization: into, parent: 7 }, 'body.parent'],
  ] as const)
    expect(await refusal(owner.api.transferSpace({ ...pathOf(space), body: body as never }))).toBe(`400 ${field}`)

  await owner.api.inviteToCollection({
    params: { collectionId: foreign.id },
    body: { role: 'create', users: [spaceAdmin.id] },
  })
  expect(await go(spaceAdmin, foreign.id)).toBe('was not refused')
  // Permissions of a member of both organizations are transferred.
  expect(await getRole(spaceAdmin, space)).toBe('admin')
})

test('a collection is transferred to another organization with everything in it', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [both, left] = [await source.member(null), await source.member('read', 'Onlooker')]
  await target.add(both, null)
  const newcomer = await target.member('edit')
  const team = await source.team('Team', [left])
  const parent = await source.collection('Parent')
  const outer = await source.collection('Outer', parent.id)
  const inner = await source.collection('Inner', outer.id)
  await owner.api.updateCollectionById({ params: { collectionId: parent.id }, body: { defaultLevel: null } })
  await owner.api.updateCollectionById({ params: { collectionId: inner.id }, body: { defaultLevel: 'comment' } })
  const [a, b, c] = [
    await source.space('a', { parent: outer.id }),
    await source.space('b', { parent: outer.id }),
    await source.space('c', { parent: inner.id }),
  ]
  const trashed = await source.space('trashed', { parent: inner.id })
  await owner.api.deleteSpaceById(pathOf(trashed))
  await source.space('Stays', { parent: parent.id })
  await owner.api.moveSpace({
    ...pathOf(b),
    body: { position: { before: { type: 'space', space: a.id } } },
  })
  const body = { role: 'review' as const, users: [both.id, left.id], teams: [team.id] }
  await owner.api.inviteToCollection({ params: { collectionId: outer.id }, body })
  await owner.api.inviteToSpace({ ...pathOf(c), body: { ...body, role: 'admin' } })
  for (const content of [{ space: c.id }, { collection: inner.id }])
    await owner.api.createOrganizationInvite({ params: source.params, body: { level: 'read', ...content } })
  const before = await look(owner, source)
  expect(before).toMatchObject({ invites: 2, ofTeams: [3], ofOnlookers: [3] })

  const moved = await transferCollection(owner, outer, into)
  const { parent: _, ...outside } = outer
  expect(moved).toEqual({ ...outside, organization: into })
  expect(await owner.api.getCollectionById({ params: { collectionId: inner.id } })).toMatchObject({
    organization: into,
    parent: outer.id,
    defaultLevel: 'comment',
  })
  expect(titles(await owner.api.listSpacesInCollectionById({ params: { collectionId: outer.id } }))).toEqual(['b', 'a'])
  expect(await look(owner, source)).toEqual({
    spaces: ['Stays'],
    collections: ['Parent'],
    invites: 0,
    ofTeams: [0],
    ofOnlookers: [0],
  })
  expect(await look(owner, target)).toMatchObject({ spaces: ['a', 'b', 'c'], collections: ['Inner', 'Outer'] })
  for (const space of [a, c]) expect(await getRole(left, space)).toBe(null)
  expect([await getRole(both, a), await getRole(both, c)]).toEqual(['review', 'admin'])
  // Inherited levels are now inherited from the target organization.
  expect([await getRole(newcomer, a), await getRole(newcomer, c)]).toEqual(['edit', 'comment'])

  expect(await owner.api.restoreSpace(pathOf(trashed))).toMatchObject({ organization: into, parent: inner.id })
  await expectSwept([source, 1], [target, 4])
})

test('a collection is transferred as a whole, and needs admin in all its spaces and `create` at the target', async () => {
  const { source, target, owner, into } = await makeTwo()
  const [member, creator] = [await source.member('read'), await source.member('create')]
  const outer = await source.collection('Outer')
  const inner = await source.collection('Inner', outer.id)
  const space = await source.space('Guide', { parent: inner.id })
  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: 'admin' } })
  const level = (defaultLevel: 'create' | 'inherit' | null) =>
    owner.api.updateSpaceById({ ...pathOf(space), body: { defaultLevel } })
  const go = (who: Person, organization = into) => refusal(transferCollection(who, outer, organization))

  expect(await go(owner, source.organization.id)).toBe('409')
  expect(await go(owner, 'nowhere')).toBe('404 body.organization')
  expect(await go(member)).toBe('404 body.organization')
  await target.add(member, 'review')
  expect(await go(member)).toBe('403')
  await owner.api.updateMemberInOrganizationById({
    params: { ...target.params, userId: member.id },
    body: { role: 'create' },
  })
  // Transferring a space needs the role admin in it, also within a collection.
  for (const tooLow of ['create', null] as const) {
    await level(tooLow)
    expect(await go(member)).toBe('412')
  }
  await owner.api.deleteSpaceById(pathOf(space))
  expect(await go(member)).toBe('412')
  await owner.api.restoreSpace(pathOf(space))
  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: 'create' } })
  expect(await go(creator)).toBe('403')
  expect(await go(await target.member('admin'))).toBe('404')
  for (const body of [{}, { organization: 7 }])
    expect(
      await refusal(owner.api.transferCollection({ params: { collectionId: outer.id }, body: body as never })),
    ).toBe('400 body.organization')
  expect(await look(owner, source)).toMatchObject({ spaces: ['Guide'], collections: ['Inner', 'Outer'] })
  expect(await look(owner, target)).toMatchObject({ spaces: [], collections: [] })

  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: 'admin' } })
  await level('inherit')
  expect(await go(member)).toBe('was not refused')
  expect(await look(owner, source)).toMatchObject({ spaces: [], collections: [] })
  expect(await getRole(member, space)).toBe('admin')
})
