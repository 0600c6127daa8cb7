import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConflictScenario } from '../support/conflicts.ts'
import { type Admin, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
})
afterAll(() => octavo.stop())

/** Creates a conflict about page B, which is edited in the change request and deleted live. */
async function editedAndDeleted(paths: readonly string[] = ['A', 'B']): Promise<ConflictScenario> {
  const disputed = await ConflictScenario.create(admin, paths)
  await disputed.editProposal(disputed.write('B', 'Other text.'))
  await disputed.editPublished(disputed.remove('B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  return disputed
}

test.for(['one by one', 'all at once'])(
  'a page moved under a conflicting page is kept when that page is removed, resolving %s',
  async (way) => {
    const disputed = await editedAndDeleted()
    await disputed.editProposal(disputed.move('A', 'B'))
    if (way === 'all at once') await disputed.resolveAll('theirs')
    else await disputed.resolve('B', 'theirs')
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await disputed.listPublishedPages()).toEqual(['A'])
  },
)

test('pages inserted under a conflicting page before or after the conflict move up when it is removed', async () => {
  const disputed = await ConflictScenario.create(admin, ['P', 'P/B', 'B/C'])
  await disputed.editProposal(disputed.write('B', 'Other text.'), disputed.insert('Before', 'C'))
  await disputed.editPublished(disputed.remove('B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  await disputed.editProposal(disputed.insert('After', 'B'))
  await disputed.resolve('B', 'theirs')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['P', '>After', '>Before'])
})

test('a page inserted live under a page removed here moves up, and moves back when that page is restored', async () => {
  for (const side of ['ours', 'theirs'] as const) {
    const disputed = await ConflictScenario.create(admin, ['P', 'P/B', 'B/C'])
    await disputed.editProposal(disputed.remove('B'))
    await disputed.editPublished(disputed.insert('New', 'C'))
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    expect(await disputed.listProposedPages()).toEqual(['P', '>New'])
    await disputed.resolve('B', side)
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await disputed.listPublishedPages()).toEqual(side === 'ours' ? ['P', '>New'] : ['P', '>B', '>>C', '>>>New'])
  }
})

test('a page that a merge moved up and a user then moved keeps its new parent', async () => {
  const disputed = await ConflictScenario.create(admin, ['P', 'P/B', 'Q'])
  await disputed.editProposal(disputed.remove('B'))
  await disputed.editPublished(disputed.insert('New', 'B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  await disputed.editProposal(disputed.move('New', 'Q'))
  await disputed.resolve('B', 'theirs')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['P', '>B', 'Q', '>New'])
})

test('a page moved out live before its parent was deleted is kept when the deletion is accepted', async () => {
  const disputed = await ConflictScenario.create(admin, ['A', 'B', 'B/C'])
  await disputed.editProposal(disputed.write('B', 'Other text.'))
  await disputed.editPublished(disputed.move('C', 'A'), disputed.remove('B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  await disputed.editProposal(disputed.move('C', 'B'))
  await disputed.resolve('B', 'theirs')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['A', 'C'])
})

test('a page moved under a conflicting page is kept with the pages inserted under it live', async () => {
  const disputed = await editedAndDeleted()
  await disputed.editProposal(disputed.move('A', 'B'))
  await disputed.editPublished(disputed.insert('New', 'A'))
  await disputed.resolve('B', 'theirs')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['A', '>New'])
})

// The change request moves X under B; the live space deletes both.
const nested: readonly (readonly [b: 'ours' | 'theirs', x: 'ours' | 'theirs', expected: string[]])[] = [
  ['ours', 'ours', ['B', '>X']],
  ['ours', 'theirs', ['B']],
  ['theirs', 'ours', ['X']],
  ['theirs', 'theirs', []],
]
for (const order of [
  ['B', 'X'],
  ['X', 'B'],
] as const) {
  test.for(nested)(`nested disputes are decided ${order.join(' before ')}: %s, %s`, async ([b, x, expected]) => {
    const disputed = await ConflictScenario.create(admin, ['B', 'X'])
    await disputed.editProposal(disputed.write('B', 'Other text.'), disputed.move('X', 'B'))
    await disputed.editPublished(disputed.remove('B'), disputed.remove('X'))
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    for (const title of order) await disputed.resolve(title, title === 'B' ? b : x)
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await disputed.listPublishedPages()).toEqual(expected)
  })

  test.for([
    ['ours', 'ours', []],
    ['ours', 'theirs', ['X']],
    ['theirs', 'ours', ['B']],
    ['theirs', 'theirs', ['B', '>X']],
  ] as const)(`pages removed here are decided ${order.join(' before ')}: %s, %s`, async ([b, x, expected]) => {
    const disputed = await ConflictScenario.create(admin, ['B', 'X'])
    await disputed.editProposal(disputed.remove('B'), disputed.remove('X'))
    await disputed.editPublished(disputed.write('B', 'Other text.'), disputed.move('X', 'B'))
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    for (const title of order) await disputed.resolve(title, title === 'B' ? b : x)
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await disputed.listPublishedPages()).toEqual(expected)
  })
}

test.for([
  ['ours', ['B', '>X']],
  ['theirs', []],
] as const)('nested existence conflicts are resolved all at once with %s', async ([side, expected]) => {
  const disputed = await ConflictScenario.create(admin, ['B', 'X'])
  await disputed.editProposal(disputed.write('B', 'Other text.'), disputed.move('X', 'B'))
  await disputed.editPublished(disputed.remove('B'), disputed.remove('X'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  await disputed.resolveAll(side)
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(expected)
})

test('a page whose place conflict is resolved with ours is not moved when its live parent is restored', async () => {
  const disputed = await ConflictScenario.create(admin, ['B', 'M'])
  await disputed.editProposal(disputed.remove('B'), disputed.write('M', 'Other text.'))
  await disputed.editPublished(disputed.write('B', 'Other text.'), disputed.move('M', 'B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  await disputed.resolve('M', 'ours', 'place')
  await disputed.resolve('B', 'theirs')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['M', 'B'])
})

test('reordering a page differently on both sides is a place conflict, and its resolution can be undone', async () => {
  for (const [side, expected] of [
    ['ours', ['B', 'C', 'A', 'D']],
    ['theirs', ['B', 'C', 'D', 'A']],
  ] as const) {
    const disputed = await ConflictScenario.create(admin, ['A', 'B', 'C', 'D'])
    const put = (at: number) => ({ operation: 'update_page', page: disputed.id('A'), at })
    await disputed.editProposal(put(2))
    await disputed.editPublished(put(3))
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    const after = { base: null, ours: disputed.id('C'), theirs: disputed.id('D') }
    const conflict = await disputed.findConflict('A', 'place')
    expect(conflict.after).toEqual(after)
    await disputed.resolve('A', side, 'place')
    expect(await disputed.listProposedPages()).toEqual(expected)
    expect((await disputed.reopen(conflict.id)).after).toEqual(after)
    expect(await disputed.listProposedPages()).toEqual(['B', 'C', 'A', 'D'])
    await disputed.resolve('A', side, 'place')
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await disputed.listPublishedPages()).toEqual(expected)
  }
})

const markdown = (text: string) => ({ document: { markdown: text } })

test('resolving a conflict about one reusable content does not affect another', async () => {
  const disputed = await ConflictScenario.create(admin, [])
  const created = await admin.api.updateSpaceContent({
    params: { spaceId: disputed.spaceId },
    body: {
      changes: [
        { operation: 'insert_reusable_content', title: 'One', ...markdown('One.') },
        { operation: 'insert_reusable_content', title: 'Two', ...markdown('Two.') },
      ],
    },
  })
  const [one = '', two = ''] = created.changes.flatMap((change) =>
    change.object === 'created_reusable_content' ? [change.reusableContent] : [],
  )
  const update = (reusableContent: string, text: string) => ({
    operation: 'update_reusable_content',
    reusableContent,
    ...markdown(text),
  })
  const { id: changeRequestId } = await admin.api.createChangeRequest({
    params: { spaceId: disputed.spaceId },
    body: {},
  })
  const params = { spaceId: disputed.spaceId, changeRequestId }
  const edit = (...changes: object[]) =>
    admin.api.updateChangeRequestContent({ params, query: { compat: 'true' }, body: { changes: changes as never } })
  await edit(update(one, 'One, ours.'), update(two, 'Two, ours.'))
  await disputed.editPublished({ operation: 'delete_reusable_content', reusableContent: one })
  expect((await admin.api.mergeChangeRequest({ params })).result).toBe('conflicts')
  await admin.api.resolveChangeRequestConflicts({ params, body: { side: 'theirs' } })
  expect((await admin.api.mergeChangeRequest({ params })).result).toBe('merge')
  const { reusableContents } = await admin.api.getCurrentRevision({ params: { spaceId: disputed.spaceId } })
  expect(reusableContents.map(({ id }) => id)).toEqual([two])
})
