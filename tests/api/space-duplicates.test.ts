import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Space } from '../../src/contract/space.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const pathOf = (space: Space) => ({ params: { spaceId: space.id } })
const duplicate = (who: Person, space: Space) => who.api.duplicateSpace(pathOf(space))

async function grantsOf(who: Person, space: Space) {
  const users = await who.api.listUserPermissionsInSpace(pathOf(space))
  const teams = await who.api.listTeamPermissionsInSpace(pathOf(space))
  return [
    ...users.items.map(({ permission, user }) => [user.id, permission]),
    ...teams.items.map(({ permission, team }) => [team.id, permission]),
  ]
}

async function rootOf(space: Space) {
  const { reader } = octavo.server.app.database
  const revisions = await reader.selectFrom('revisions').selectAll().where('space_id', '=', space.id).execute()
  expect(revisions.map((revision) => revision.id)).toEqual([space.revision])
  return revisions[0]?.root_hash
}

test('a copy has the settings, content and permissions of the original, and is independent of it', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [guest, editor] = [await make.member(null), await make.member('edit')]
  const team = await make.team('Writers', [guest])
  const { id: parent } = await make.collection('Guides')
  const created = await make.space('Guide', { parent })
  const settings: Partial<Space> = {
    emoji: '🚀',
    visibility: 'in-collection',
    editMode: 'locked',
    language: 'fr',
    defaultLevel: 'comment',
    mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [editor.id] }] },
  }
  const original = await owner.api.updateSpaceById({ ...pathOf(created), body: settings })
  await owner.api.inviteToSpace({ ...pathOf(original), body: { role: 'edit', users: [guest.id] } })
  await owner.api.inviteToSpace({ ...pathOf(original), body: { role: 'review', teams: [team.id], users: [editor.id] } })

  const reply = await octavo.fetch(`/v1/spaces/${original.id}/duplicate`, { method: 'POST', token: owner.token })
  expect(reply.status).toBe(201)
  const copy = (await reply.json()) as Space
  expect(reply.headers.get('location')).toBe(copy.urls.location)
  expect(copy).toEqual({
    ...original,
    ...settings,
    id: copy.id,
    title: 'Copy of Guide',
    revision: copy.revision,
    createdAt: copy.createdAt,
    updatedAt: copy.updatedAt,
    urls: { location: copy.urls.location, app: copy.urls.app },
  })
  expect(copy.createdAt > original.updatedAt).toBe(true)
  for (const own of ['id', 'revision'] as const) expect(copy[own]).not.toBe(original[own])
  expect(await owner.api.getSpaceById(pathOf(copy))).toEqual(copy)
  expect(await rootOf(copy)).toBe(await rootOf(original))
  expect(await grantsOf(owner, copy)).toEqual(await grantsOf(owner, original))
  expect((await guest.api.getSpaceById(pathOf(copy))).permissions).toMatchObject({
    review: true,
    triggerGitSync: false,
  })

  await owner.api.inviteToSpace({ ...pathOf(copy), body: { role: null, users: [guest.id], teams: [team.id] } })
  await owner.api.updateSpaceById({ ...pathOf(copy), body: { title: 'Fork', defaultLevel: null } })
  await owner.api.deleteSpaceById(pathOf(copy))
  expect(await owner.api.getSpaceById(pathOf(original))).toEqual(original)
  expect(await grantsOf(owner, original)).toHaveLength(3)
})

test('a copy keeps the icon, and has no permissions if the original has none', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const space = await make.space('Guide')
  const icon = 'https://example.com/icon.png'
  await owner.api.updateSpaceById({ ...pathOf(space), body: { icon } })
  const copy = await duplicate(owner, space)
  expect(copy).toMatchObject({ emoji: '', urls: { icon } })
  expect(await grantsOf(owner, copy)).toEqual([])
})

test('each copy is placed directly after its original', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Guides')
  const [first, last] = [await make.space('First', { parent }), await make.space('Last', { parent })]
  const older = await duplicate(owner, first)
  const newer = await duplicate(owner, first)
  const ofCopy = await duplicate(owner, older)
  const ofLast = await duplicate(owner, last)
  const { items } = await owner.api.listSpacesInCollectionById({ params: { collectionId: parent } })
  expect(items.map(({ id }) => id)).toEqual([first, newer, older, ofCopy, last, ofLast].map(({ id }) => id))
})

test('the title of a copy is truncated to 50 characters without splitting a character', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const titles = [
    ['x'.repeat(42), `Copy of ${'x'.repeat(42)}`],
    ['x'.repeat(43), `Copy of ${'x'.repeat(42)}`],
    ['x'.repeat(50), `Copy of ${'x'.repeat(42)}`],
    [`${'x'.repeat(41)}🚀`, `Copy of ${'x'.repeat(41)}`],
    [`${'x'.repeat(40)}🚀`, `Copy of ${'x'.repeat(40)}🚀`],
    ['', 'Copy of '],
  ]
  for (const [title, expected] of titles) {
    const copy = await duplicate(owner, await make.space(title as string))
    expect(copy.title).toBe(expected)
    expect((await owner.api.updateSpaceById({ ...pathOf(copy), body: { title: copy.title } })).title).toBe(expected)
  }
})

test('a space is duplicated by callers who may create spaces in its collection or organization', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [creator, reviewer, guest, inside] = [
    await make.member('create'),
    await make.member('review'),
    await make.member(null),
    await make.member(null),
  ]
  const { id: parent } = await make.collection('Guides')
  const space = await make.space('Guide', { parent })
  await owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'admin', users: [guest.id] } })
  await owner.api.inviteToCollection({
    params: { collectionId: parent },
    body: { role: 'create', users: [inside.id] },
  })
  expect(await duplicate(creator, space)).toMatchObject({ parent, permissions: { admin: false, triggerGitSync: true } })
  expect(await duplicate(inside, space)).toMatchObject({ parent, permissions: { admin: false, triggerGitSync: true } })
  expect(await refusal(duplicate(reviewer, space))).toBe('403')
  // The guest is admin of the space, but has no role in the collection.
  expect(await refusal(duplicate(guest, space))).toBe('403')
  expect(await refusal(duplicate(await octavo.person(), space))).toBe('404')
  expect((await owner.api.listSpacesInOrganizationById({ params })).count).toBe(3)

  const atTop = await make.space('At the top')
  await owner.api.inviteToSpace({ ...pathOf(atTop), body: { role: 'admin', users: [guest.id] } })
  expect(await refusal(duplicate(guest, atTop))).toBe('403')
})
