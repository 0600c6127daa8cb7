import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { ContentPosition, Space } from '../../src/contract/space.ts'
import { makeOrganization } from '../support/organization.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Item = Space | Collection

const pointTo = (item: Item) =>
  item.object === 'space'
    ? { type: 'space' as const, space: item.id }
    : { type: 'collection' as const, collection: item.id }
const before = (item: Item): ContentPosition => ({ before: pointTo(item) })
const after = (item: Item): ContentPosition => ({ after: pointTo(item) })
const inGap = (left: Item, right: Item): ContentPosition => ({ after: pointTo(left), before: pointTo(right) })
const atEnd: ContentPosition = {}

function move(who: Person, item: Item, body: { parent?: string | null; position?: ContentPosition }): Promise<Item> {
  return item.object === 'space'
    ? who.api.moveSpace({ params: { spaceId: item.id }, body })
    : who.api.moveCollection({ params: { collectionId: item.id }, body })
}

/** Asserts that the items are all siblings in this order: moving each behind the previous one must return 409. */
async function expectOrder(who: Person, items: readonly Item[]): Promise<void> {
  const titles = items.map(({ title }) => title).join(' ')
  for (const [index, item] of items.entries()) {
    const previous = items[index - 1]
    const position = previous ? after(previous) : before(items[1] as Item)
    expect(await refusal(move(who, item, { position })), `${item.title} of ${titles}`).toBe('409')
  }
  expect(await refusal(move(who, items.at(-1) as Item, { position: atEnd })), titles).toBe('409')
}

async function listedIn(who: Person, parent: string) {
  const { items } = await who.api.listSpacesInCollectionById({ params: { collectionId: parent } })
  return items.map(({ title }) => title)
}

test('moves spaces and collections before, after or between siblings, or to the end', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const [a, b] = [await make.space('a', { parent }), await make.space('b', { parent })]
  const [C, D] = [await make.collection('C', parent), await make.collection('D', parent)]
  await expectOrder(owner, [a, b, C, D])

  await move(owner, D, { position: before(a) })
  await expectOrder(owner, [D, a, b, C])
  await move(owner, a, { position: after(C) })
  await expectOrder(owner, [D, b, C, a])
  await move(owner, a, { position: inGap(D, b) })
  await expectOrder(owner, [D, a, b, C])
  await move(owner, b, { position: before(D) })
  await move(owner, D, { position: atEnd })
  await expectOrder(owner, [b, a, C, D])
  // The same parent without a position moves the item to the end.
  await move(owner, b, { parent })
  await expectOrder(owner, [a, C, D, b])
  expect(await listedIn(owner, parent)).toEqual(['a', 'b'])
})

test('moves items at the top level of an organization', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [a, C, b] = [await make.space('a'), await make.collection('C'), await make.space('b')]
  const D = await make.collection('D')
  await move(owner, b, { position: before(a) })
  await move(owner, C, { parent: null, position: after(D) })
  await expectOrder(owner, [b, a, D, C])
  const { items } = await owner.api.listCollectionsInOrganizationById({ params })
  expect(items.map(({ title }) => title)).toEqual(['D', 'C'])
})

test('moving an item to another collection removes it from its old one and keeps its content', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [from, to] = [await make.collection('From'), await make.collection('To')]
  const inner = await make.collection('Inner', from.id)
  const [a, b] = [await make.space('a', { parent: from.id }), await make.space('b', { parent: inner.id })]
  const [x, y] = [await make.space('x', { parent: to.id }), await make.space('y', { parent: to.id })]

  const moved = await move(owner, a, { parent: to.id, position: before(y) })
  expect(moved).toMatchObject({ id: a.id, parent: to.id })
  expect(await owner.api.getSpaceById({ params: { spaceId: a.id } })).toEqual(moved)
  expect(await move(owner, inner, { parent: to.id, position: after(x) })).toMatchObject({ parent: to.id })
  await expectOrder(owner, [x, inner, a, y])
  expect(await listedIn(owner, from.id)).toEqual([])
  expect(await listedIn(owner, inner.id)).toEqual(['b'])

  expect(await move(owner, b, { parent: null })).not.toHaveProperty('parent')
  expect(await move(owner, inner, { parent: null })).not.toHaveProperty('parent')
  expect(await listedIn(owner, inner.id)).toEqual([])
  await expectOrder(owner, [x, a, y])
})

test('the order matches a plain list after many random moves', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const list: Item[] = []
  for (let index = 0; index < 10; index++)
    list.push(index % 3 === 2 ? await make.collection(`C${index}`, parent) : await make.space(`s${index}`, { parent }))
  const chance = seededRandom(20260101)
  const spacesInModel = () => list.filter(({ object }) => object === 'space').map(({ title }) => title)

  for (let step = 0; step < 50; step++) {
    const from = randomInteger(chance, 0, list.length - 1)
    const [item] = list.splice(from, 1) as [Item]
    const to = randomInteger(chance, 0, list.length)
    const [left, right] = [list[to - 1], list[to]]
    const positions = [
      left && after(left),
      right && before(right),
      left && right && inGap(left, right),
      right ? undefined : atEnd,
    ].filter((position) => position !== undefined)
    const position = positions[randomInteger(chance, 0, positions.length - 1)] as ContentPosition
    list.splice(to, 0, item)
    const answer = await refusal(move(owner, item, { position }))
    expect(answer, `step ${step}`).toBe(to === from ? '409' : 'was not refused')
    expect(await listedIn(owner, parent), `step ${step}`).toEqual(spacesInModel())
  }
  await expectOrder(owner, list)
})

test('many moves into the same gap keep the order', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const list: Space[] = []
  for (const title of ['first', 'a', 'b', 'c', 'last']) list.push(await make.space(title, { parent }))
  const [first, last] = [list[0] as Space, list[4] as Space]
  for (let step = 0; step < 25; step++) {
    // Moves items to both sides of the first one, so that the sort keys are split on both sides.
    const moved = list.splice(3, 1)[0] as Space
    list.splice(1, 0, moved)
    await move(owner, moved, { position: after(first) })
    await move(owner, last, { position: before(first) })
    await move(owner, last, { position: atEnd })
  }
  expect(await listedIn(owner, parent)).toEqual(list.map(({ title }) => title))
  await expectOrder(owner, list)
})

test('concurrent moves into one collection produce a consistent order', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [from, to] = [await make.collection('From'), await make.collection('To')]
  const spaces: Space[] = []
  for (const title of ['a', 'b', 'c', 'd']) spaces.push(await make.space(title, { parent: from.id }))
  await Promise.all(spaces.map((space) => move(owner, space, { parent: to.id })))
  const { items } = await owner.api.listSpacesInCollectionById({ params: { collectionId: to.id } })
  expect(items.map(({ title }) => title).sort()).toEqual(['a', 'b', 'c', 'd'])
  await expectOrder(owner, items)
})

test('two collections moved into each other at the same time never form a cycle', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  for (let round = 1; round <= 5; round++) {
    const [A, B] = [await make.collection('A'), await make.collection('B')]
    const answers = await Promise.all([
      refusal(move(owner, A, { parent: B.id })),
      refusal(move(owner, B, { parent: A.id })),
    ])
    expect(answers.sort()).toEqual(['400 body.parent', 'was not refused'])
    const top = await owner.api.listCollectionsInOrganizationById({ params, query: { nested: false } })
    expect(top.count).toBe(round)
  }
})

test('returns 409 for a move that changes nothing', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const [a, B, c] = [
    await make.space('a', { parent }),
    await make.collection('B', parent),
    await make.space('c', { parent }),
  ]
  const same: [Item, Parameters<typeof move>[2]][] = [
    [a, { position: before(B) }],
    [a, { parent, position: before(B) }],
    [B, { position: after(a) }],
    [B, { position: before(c) }],
    [B, { parent, position: inGap(a, c) }],
    [c, { position: after(B) }],
    [c, { position: atEnd }],
    [c, { parent }],
  ]
  for (const [item, body] of same) expect(await refusal(move(owner, item, body)), JSON.stringify(body)).toBe('409')
  expect(await owner.api.getSpaceById({ params: { spaceId: a.id } })).toEqual(a)
  await expectOrder(owner, [a, B, c])
})

test('rejects a position whose neighbors are not adjacent siblings at the target with 400', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const [a, b, c] = [
    await make.space('a', { parent }),
    await make.space('b', { parent }),
    await make.space('c', { parent }),
  ]
  const D = await make.collection('D', parent)
  const elsewhere = await make.space('elsewhere')
  const deep = await make.space('deep', { parent: D.id })
  const foreign = await (await makeOrganization(octavo)).space('foreign')
  const deleted = await make.space('deleted', { parent })
  await owner.api.deleteSpaceById({ params: { spaceId: deleted.id } })

  for (const wrong of [elsewhere, deep, foreign, deleted, { ...a, id: 'nowhere' }]) {
    for (const item of [a, D]) {
      const answers = [
        await refusal(move(owner, item, { position: before(wrong) })),
        await refusal(move(owner, item, { position: after(wrong) })),
      ]
      expect(answers, wrong.title).toEqual(['400 body.position.before', '400 body.position.after'])
    }
  }
  for (const item of [a, D]) expect(await refusal(move(owner, item, { position: after(item) }))).toMatch(/^400 body/)
  for (const [left, right] of [
    [b, b],
    [c, b],
    [b, D],
    [D, b],
  ] as const)
    expect(await refusal(move(owner, a, { position: inGap(left, right) }))).toBe('400 body.position')
  const asCollection = { before: { type: 'collection', collection: c.id } } as const
  const asSpace = { before: { type: 'space', space: D.id } } as const
  for (const position of [asCollection, asSpace])
    expect(await refusal(move(owner, a, { position }))).toBe('400 body.position.before')
  // A neighbor must be a sibling at the target, not at the old place.
  expect(await refusal(move(owner, elsewhere, { position: after(b) }))).toBe('400 body.position.after')
  expect(await refusal(move(owner, a, { parent: null, position: after(b) }))).toBe('400 body.position.after')
  await expectOrder(owner, [a, b, c, D])
})

test('rejects an invalid move with 400 and the field name', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const { id: parent } = await make.collection('Parent')
  const [space, collection] = [await make.space('a', { parent }), await make.collection('B', parent)]
  const last = await make.space('c', { parent })
  const wrong: [object, string][] = [
    [{}, 'body'],
    [[], 'body'],
    [{ parent: 7 }, 'body.parent'],
    [{ position: null }, 'body.position'],
    [{ position: 'end' }, 'body.position'],
    [{ position: { before: last.id } }, 'body.position.before'],
    [{ position: { before: { type: 'page', page: last.id } } }, 'body.position.before.type'],
    [{ position: { after: { type: 'space' } } }, 'body.position.after.space'],
    [{ position: { after: { type: 'collection', space: last.id } } }, 'body.position.after.collection'],
  ]
  for (const item of [space, collection])
    for (const [body, field] of wrong)
      expect(await refusal(move(owner, item, body)), JSON.stringify(body)).toBe(`400 ${field}`)
  await expectOrder(owner, [space, collection, last])
})
