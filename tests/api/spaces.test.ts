import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DefaultLevel, roles } from '../../src/contract/roles.ts'
import type { Space } from '../../src/contract/space.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const read = (who: Person, space: Space) => who.api.getSpaceById({ params: { spaceId: space.id } })
const update = (who: Person, space: Space, body: object) =>
  who.api.updateSpaceById({ params: { spaceId: space.id }, body })

const mergeRules = (...rules: object[]) => ({ mergeRules: { type: 'rules', rules } })
const reviewedBy = (...users: string[][]) =>
  mergeRules(...users.map((some) => ({ rule: 'require_specific_reviewers', users: some })))

test('a space created without a body is private, empty and visible to the organization', async () => {
  const { owner, organization } = await makeOrganization(octavo)
  const reply = await octavo.fetch(`/v1/orgs/${organization.id}/spaces`, { method: 'POST', token: owner.token })
  expect(reply.status).toBe(201)
  const space = (await reply.json()) as Space
  expect(space).toMatchObject({
    object: 'space',
    emoji: '',
    visibility: 'private',
    editMode: 'live',
    mergeRules: { type: 'inherit' },
    defaultLevel: 'inherit',
    organization: organization.id,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
  })
  expect(space.title).not.toBe('')
  expect(space.revision).not.toBe('')
  for (const absent of ['parent', 'language', 'deletedAt']) expect(space).not.toHaveProperty(absent)
  expect(Object.values(space.permissions)).toEqual(Array.from({ length: 10 }, () => true))

  expect(reply.headers.get('location')).toBe(space.urls.location)
  expect(new URL(space.urls.location).pathname).toBe(`/v1/spaces/${space.id}`)
  expect(await read(owner, space)).toEqual(space)
})

test('a space is created with all settings, at the end of a collection', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Guides')
  const first = await make.space('First', { parent })
  const said = { title: 'Guide', emoji: '🚀', parent, language: 'pt-br', editMode: 'locked' } as const
  const second = await owner.api.createSpace({ params, body: { ...said, empty: true } })
  expect(second).toMatchObject(said)
  const listed = await owner.api.listSpacesInCollectionById({ params: { collectionId: parent } })
  expect(listed).toEqual({ count: 2, items: [first, second] })
})

test('creating a space needs the role `create` in the organization or in the collection', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [creator, editor, guest] = [await make.member('create'), await make.member('review'), await make.member(null)]
  const [open, hidden] = [await make.collection('Open'), await make.collection('Hidden')]
  await owner.api.inviteToCollection({ params: { collectionId: open.id }, body: { role: 'create', users: [guest.id] } })

  expect((await creator.api.createSpace({ params })).permissions).toMatchObject({ triggerGitSync: true, admin: false })
  const inOpen = await guest.api.createSpace({ params, body: { parent: open.id } })
  expect(inOpen).toEqual(await read(guest, inOpen))
  expect(inOpen.permissions).toMatchObject({ triggerGitSync: true, admin: false })

  expect(await refusal(editor.api.createSpace({ params }))).toBe('403')
  expect(await refusal(editor.api.createSpace({ params, body: { parent: open.id } }))).toBe('403')
  expect(await refusal(guest.api.createSpace({ params }))).toBe('403')
  const foreign = await (await makeOrganization(octavo)).collection('Foreign')
  for (const parent of [hidden.id, foreign.id, inOpen.id, 'nowhere', '']) {
    expect(await refusal(guest.api.createSpace({ params, body: { parent } }))).toBe('404 body.parent')
  }
  expect((await owner.api.listSpacesInOrganizationById({ params })).count).toBe(2)
})

test('lists the spaces visible to each caller, paginated, with the permissions of the caller', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [member, guest] = [await make.member('edit'), await make.member(null)]
  const [first, shared, last] = [await make.space('First'), await make.space('Shared'), await make.space('Last')]
  const closed = await make.space('Closed', { defaultLevel: null })
  await owner.api.inviteToSpace({ params: { spaceId: shared.id }, body: { role: 'comment', users: [guest.id] } })

  const listFor = async (who: Person, limit: number) =>
    (await readAllPages((page) => who.api.listSpacesInOrganizationById({ params, query: { limit, page } }))).flat()
  for (const limit of [1, 2, 3, 1000]) {
    expect((await listFor(owner, limit)).map(({ title }) => title)).toEqual(['First', 'Shared', 'Last', 'Closed'])
    expect((await listFor(member, limit)).map(({ id }) => id)).toEqual([first.id, shared.id, last.id])
    expect((await listFor(guest, limit)).map(({ id }) => id)).toEqual([shared.id])
  }
  expect(await listFor(member, 50)).toContainEqual(await read(member, first))
  expect((await read(member, first)).permissions).toMatchObject({ view: true, edit: true, review: false })
  expect(await listFor(guest, 50)).toEqual([await read(guest, shared)])
  expect((await read(guest, shared)).permissions).toMatchObject({ view: true, comment: true, edit: false })

  expect(await refusal(read(member, closed))).toBe('404')
  expect(await refusal(read(guest, first))).toBe('404')
  const stranger = await octavo.person()
  expect(await refusal(read(stranger, shared))).toBe('404')
  expect(await refusal(stranger.api.listSpacesInOrganizationById({ params }))).toBe('404')
})

test('rejects cursors of another list and limits out of range with 400', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  await make.collection('First')
  await make.collection('Second')
  await make.space('Only')
  const list = (query: object) => owner.api.listSpacesInOrganizationById({ params, query })
  const { next } = await owner.api.listCollectionsInOrganizationById({ params, query: { limit: 1 } })
  for (const page of ['', 'nonsense', 'WyJhIiwxXQ', next?.page])
    expect(await refusal(list({ page }))).toBe('400 query.page')
  for (const limit of ['', '-1', '1001', '1.5', 'all', '1e2'])
    expect(await refusal(list({ limit }))).toBe('400 query.limit')
  expect(await list({ limit: 0 })).toEqual({ count: 1, items: [] })
})

test('each setting is updated independently of the others', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const reviewer = await make.member('review')
  const { id: parent } = await make.collection('Guides')
  let space = await owner.api.createSpace({ params, body: { parent, title: 'Before', emoji: '📗', language: 'en' } })
  const levels: DefaultLevel[] = [...roles, null, 'inherit']
  const changes: Partial<Space>[] = [
    { title: 'After' },
    { title: '' },
    { emoji: '🚀' },
    { visibility: 'unlisted' },
    { visibility: 'in-collection' },
    { editMode: 'locked' },
    { editMode: 'live' },
    { language: 'ja' },
    ...levels.map((defaultLevel) => ({ defaultLevel })),
    { mergeRules: { type: 'none' } },
    {
      mergeRules: {
        type: 'rules',
        rules: [
          { rule: 'require_specific_reviewers', users: [reviewer.id, owner.id] },
          { rule: 'require_up_to_date_change_request' },
          { rule: 'custom', expression: 'reviews.length > 1', message: 'Two of us' },
        ],
      },
    },
    { mergeRules: { type: 'inherit' } },
    {},
  ]
  for (const change of changes) {
    const changed = await update(owner, space, change)
    expect(changed).toEqual({ ...space, ...change, updatedAt: changed.updatedAt })
    expect(changed.updatedAt > space.updatedAt).toBe(true)
    expect(await read(owner, space)).toEqual(changed)
    space = changed
  }
  const all = { title: 'All', emoji: '🎈', visibility: 'public', editMode: 'locked', defaultLevel: 'read' } as const
  expect(await update(owner, space, all)).toMatchObject(all)
})

test('a space has an emoji or an icon, never both', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const space = await make.space('Guide')
  const icon = 'https://example.com/icon.png'
  const steps: [change: object, emoji: string, icon: string | undefined][] = [
    [{ emoji: '📗' }, '📗', undefined],
    [{ icon }, '', icon],
    [{ title: 'Renamed' }, '', icon],
    [{ emoji: null }, '', icon],
    [{ emoji: '🚀' }, '🚀', undefined],
    [{ icon: null }, '🚀', undefined],
    [{ emoji: null }, '', undefined],
    [{ emoji: null, icon }, '', icon],
    [{ icon: null }, '', undefined],
    [{ emoji: '🚀', icon: null }, '🚀', undefined],
    [{ emoji: null, icon: null }, '', undefined],
  ]
  for (const [change, emoji, shown] of steps) {
    const changed = await update(owner, space, change)
    expect([changed.emoji, changed.urls.icon], JSON.stringify(change)).toEqual([emoji, shown])
  }
  expect(await refusal(update(owner, space, { emoji: '📗', icon }))).toBe('400 body.icon')
  expect((await read(owner, space)).emoji).toBe('')
})

test('the visibility `in-collection` needs a collection, and is reset when the space leaves it', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [one, other] = [await make.collection('One'), await make.collection('Other')]
  const space = await make.space('Guide')
  expect(await refusal(update(owner, space, { visibility: 'in-collection' }))).toBe('400 body.visibility')
  expect((await read(owner, space)).visibility).toBe('private')

  const move = (parent: string | null) => owner.api.moveSpace({ params: { spaceId: space.id }, body: { parent } })
  await move(one.id)
  await update(owner, space, { visibility: 'in-collection' })
  expect((await move(other.id)).visibility).toBe('in-collection')
  expect((await move(null)).visibility).toBe('private')
})

test('merge rules accept only members of the organization', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [member, stranger] = [await make.member('review'), await octavo.person()]
  const space = await make.space('Guide')
  await update(owner, space, reviewedBy([member.id]))
  expect(
    await refusal(update(owner, space, { title: 'Half done', ...reviewedBy([member.id], [owner.id, stranger.id]) })),
  ).toBe('404 body.mergeRules.rules.1.users.1')
  // Rules are stored unchanged, so they must refer to users by id.
  expect(await refusal(update(owner, space, reviewedBy([member.email])))).toBe('404 body.mergeRules.rules.0.users.0')
  expect(await read(owner, space)).toMatchObject({ title: 'Guide', ...reviewedBy([member.id]) })
})

test('only administrators of a space update it', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [creator, guest, stranger] = [await make.member('create'), await make.member(null), await octavo.person()]
  const space = await make.space('Guide')
  expect(await refusal(update(creator, space, { title: 'Mine' }))).toBe('403')
  expect(await refusal(update(guest, space, { title: 'Mine' }))).toBe('404')
  expect(await refusal(update(stranger, space, { title: 'Mine' }))).toBe('404')
  expect(await read(owner, space)).toEqual(space)

  await owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role: 'admin', users: [guest.id] } })
  expect(await update(guest, space, { title: 'Mine' })).toMatchObject({ title: 'Mine', permissions: { admin: true } })
})

test('a caller who removes their own access gets empty permissions, and then 404 for the space', async () => {
  const make = await makeOrganization(octavo)
  const space = await make.space('Guide', { defaultLevel: 'admin' })
  const member = await make.member('read')
  const closed = await update(member, space, { defaultLevel: null })
  expect(Object.values(closed.permissions)).not.toContain(true)
  expect(await refusal(read(member, space))).toBe('404')
})

test('accepts values at the limits', async () => {
  const { owner, params } = await makeOrganization(octavo)
  const longest = { title: 'x'.repeat(50), emoji: '🚀'.repeat(25) }
  const space = await owner.api.createSpace({ params, body: longest })
  expect(space).toMatchObject(longest)
  expect(await owner.api.createSpace({ params, body: { title: '', emoji: '1f680' } })).toMatchObject({ title: '' })

  const icon = `https://example.com/${'i'.repeat(2048 - 20)}`
  expect((await update(owner, space, { icon })).urls.icon).toBe(icon)
  const users = Array.from({ length: 100 }, () => owner.id)
  const most = mergeRules(...Array.from({ length: 50 }, () => ({ rule: 'allow_bypass', users })))
  expect(await update(owner, space, most)).toMatchObject(most)
})

const wrongInAnySpace: [object, string][] = [
  [{ title: 'x'.repeat(51) }, 'body.title'],
  [{ title: 7 }, 'body.title'],
  [{ title: null }, 'body.title'],
  [{ title: 'nul \u0000' }, 'body'],
  [{ emoji: '' }, 'body.emoji'],
  [{ emoji: 'rocket' }, 'body.emoji'],
  [{ emoji: '🚀'.repeat(51) }, 'body.emoji'],
  [{ emoji: ['🚀'] }, 'body.emoji'],
  [{ language: 'klingon' }, 'body.language'],
  [{ language: null }, 'body.language'],
  [{ editMode: 'open' }, 'body.editMode'],
  [{ editMode: true }, 'body.editMode'],
]

test('rejects the creation of a space with any invalid field, and creates nothing', async () => {
  const { owner, params } = await makeOrganization(octavo)
  const wrong: [unknown, string][] = [
    ...wrongInAnySpace,
    [[], 'body'],
    ['title', 'body'],
    [null, 'body'],
    [{ parent: 7 }, 'body.parent'],
    [{ parent: null }, 'body.parent'],
    [{ empty: false }, 'body.empty'],
  ]
  for (const [body, field] of wrong) {
    const answer = await refusal(owner.api.createSpace({ params, body: body as object }))
    expect(answer, JSON.stringify(body)).toBe(`400 ${field}`)
  }
  expect(await owner.api.listSpacesInOrganizationById({ params })).toEqual({ count: 0, items: [] })
})

test('rejects an update with any invalid field, and changes nothing', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Guides')
  const space = await make.space('Guide', { parent })
  const wrong: [object, string][] = [
    ...wrongInAnySpace,
    [{ icon: 'javascript:alert(1)' }, 'body.icon'],
    [{ icon: '/icon.png' }, 'body.icon'],
    [{ icon: `https://example.com/${'i'.repeat(2049 - 20)}` }, 'body.icon'],
    [{ visibility: 'everyone' }, 'body.visibility'],
    [{ visibility: null }, 'body.visibility'],
    [{ defaultLevel: 'owner' }, 'body.defaultLevel'],
    [{ defaultLevel: 1 }, 'body.defaultLevel'],
    [{ mergeRules: null }, 'body.mergeRules'],
    [{ mergeRules: { type: 'strict' } }, 'body.mergeRules.type'],
    [{ mergeRules: { type: 'rules' } }, 'body.mergeRules.rules'],
    [mergeRules({ rule: 'be_nice' }), 'body.mergeRules.rules.0.rule'],
    [mergeRules({ rule: 'allow_bypass', users: [] }), 'body.mergeRules.rules.0.users'],
    [
      mergeRules({ rule: 'allow_bypass', users: Array.from({ length: 101 }, () => owner.id) }),
      'body.mergeRules.rules.0.users',
    ],
    [mergeRules({ rule: 'custom', expression: 'x'.repeat(1025) }), 'body.mergeRules.rules.0.expression'],
    [mergeRules(...Array.from({ length: 51 }, () => ({ rule: 'require_author_to_merge' }))), 'body.mergeRules.rules'],
  ]
  for (const [body, field] of wrong) {
    const answer = await refusal(update(owner, space, { title: 'Half done', ...body }))
    expect(answer, JSON.stringify(body)).toBe(`400 ${field}`)
  }
  expect(await read(owner, space)).toEqual(space)
})
