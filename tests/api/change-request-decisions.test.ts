import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConflictDecision } from '../../src/contract/change-request.ts'
import { ConflictScenario } from '../support/conflicts.ts'
import { readLive, updatePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
})
afterAll(() => octavo.stop())

/** Creates a page `A` with a block conflict. */
async function sentence(): Promise<ConflictScenario> {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editPublished(disputed.write('A', 'Before.\n\nThe old words.\n\nAfter.'))
  const fresh = await disputed.withNewProposal()
  await fresh.editProposal(fresh.write('A', 'Before.\n\nOur new words.\n\nAfter.'))
  await fresh.editPublished(fresh.write('A', 'Before.\n\nTheir new words.\n\nAfter.'))
  expect((await fresh.proposal.merge()).result).toBe('conflicts')
  return fresh
}

const decide = (disputed: ConflictScenario, conflictId: string, body: ConflictDecision) =>
  admin.api.resolveChangeRequestConflict({ params: { ...disputed.proposal.params, conflictId }, body })

async function textOf(disputed: ConflictScenario, title: string): Promise<string> {
  const params = { ...disputed.proposal.params, pageId: disputed.id(title) }
  const page = await admin.api.getPageInChangeRequestById({ params, query: { format: 'markdown' } })
  return page.type === 'document' ? (page.markdown ?? '').replace(/^# .*\n+/, '').trim() : ''
}

const firstOf = async (disputed: ConflictScenario) => {
  const [first] = await disputed.listOpenConflicts()
  if (!first) throw new Error('There is no conflict')
  return first
}

const said = (pieces: { kind: string; text: string }[] = []) =>
  pieces.map(({ kind, text }) => `${kind === 'added' ? '+' : kind === 'removed' ? '-' : ''}${text.trim()}`)

test('a block conflict contains a word diff for each side', async () => {
  const { words } = await firstOf(await sentence())
  expect(said(words?.ours)).toEqual(expect.arrayContaining(['-The', '+Our', '-old', '+new']))
  expect(said(words?.theirs)).toContain('+Their')
})

test('an existence conflict contains the page, its descendants and an API URL for each side that has the page', async () => {
  const disputed = await ConflictScenario.create(admin, ['B', 'B/C', 'C/D'])
  await disputed.editProposal(disputed.write('B', 'Other text.'))
  await disputed.editPublished(disputed.remove('B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const conflict = await disputed.findConflict('B')
  const below = [
    { id: disputed.id('C'), title: 'C' },
    { id: disputed.id('D'), title: 'D' },
  ]
  expect(conflict).toMatchObject({
    base: { title: 'B', parent: null, pages: below, pageCount: 2 },
    ours: { title: 'B', parent: null, pages: below, pageCount: 2 },
    theirs: null,
  })
  const read = async (side: unknown) => {
    const { location } = (side as { urls: { location: string } }).urls
    const { pathname } = new URL(location)
    const reply = await octavo.fetch(`${pathname}?format=markdown`, { token: admin.token })
    return ((await reply.json()) as { markdown: string }).markdown
  }
  expect(await read(conflict.ours)).toContain('Other text.')
  expect(await read(conflict.base)).toContain('Text of B.')
})

test('open conflicts show the current content of both sides without an update', async () => {
  const disputed = await sentence()
  await disputed.editProposal(disputed.write('A', 'Before.\n\nOur newest words.\n\nAfter.'))
  await disputed.editPublished(disputed.write('A', 'Before.\n\nTheir newest words.\n\nAfter.'))
  const conflict = await firstOf(disputed)
  expect(JSON.stringify(conflict.ours)).toContain('Our newest words.')
  expect(JSON.stringify(conflict.theirs)).toContain('Their newest words.')
  await decide(disputed, conflict.id, { side: 'theirs' })
  expect(await textOf(disputed, 'A')).toContain('Their newest words.')
})

test('a conflict whose sides no longer differ does not prevent the merge', async () => {
  const disputed = await sentence()
  await disputed.editProposal(disputed.write('A', 'Before.\n\nTheir new words.\n\nAfter.'))
  expect(await firstOf(disputed)).toMatchObject({ message: expect.stringContaining('no longer differ') })
  expect((await disputed.proposal.merge()).result).toBe('merge')
})

test('a block conflict can be resolved with custom blocks, and undoing the resolution restores the block', async () => {
  const disputed = await sentence()
  const { id } = await firstOf(disputed)
  expect(await decide(disputed, id, { document: { markdown: 'My words.\n\nAnd more.' } })).toMatchObject({
    status: 'resolved',
    resolution: 'own',
  })
  expect(await textOf(disputed, 'A')).toBe('Before.\n\nMy words.\n\nAnd more.\n\nAfter.')
  await disputed.editProposal(disputed.write('A', 'Before, edited.\n\nMy words.\n\nAnd more.\n\nAfter.'))
  expect(await disputed.reopen(id)).toMatchObject({ id, status: 'open' })
  expect(await textOf(disputed, 'A')).toBe('Before, edited.\n\nOur new words.\n\nAfter.')
  expect(await refusal(disputed.reopen(id))).toBe('409')
  await decide(disputed, id, { document: { markdown: 'Last words.' } })
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect((await readLive(admin, disputed.spaceId, disputed.id('A'))).markdown).toContain('Last words.')
})

test('an existence conflict can be resolved with a custom document if either side deleted the page', async () => {
  for (const isRemovedHere of [true, false]) {
    const disputed = await ConflictScenario.create(admin, ['B'])
    const [edit, remove] = [disputed.write('B', 'Other text.'), disputed.remove('B')]
    await disputed.editProposal(isRemovedHere ? remove : edit)
    await disputed.editPublished(isRemovedHere ? edit : remove)
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    const { id } = await disputed.findConflict('B')
    await decide(disputed, id, { document: { markdown: 'My text.' } })
    expect(await textOf(disputed, 'B')).toBe('My text.')
    await disputed.reopen(id)
    expect(await disputed.listProposedPages()).toEqual(isRemovedHere ? [] : ['B'])
    await decide(disputed, id, { document: { markdown: 'My text.' } })
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect((await readLive(admin, disputed.spaceId, disputed.id('B'))).markdown).toContain('My text.')
  }
})

const variables = (value: unknown) => ({ operation: 'set_variables', variables: { v: value } })

test('field and variable conflicts can be resolved with custom values; invalid values are rejected with 400', async () => {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editProposal(updatePage(disputed.id('A'), { title: 'Ours' }), variables('ours'))
  await disputed.editPublished(updatePage(disputed.id('A'), { title: 'Theirs' }), variables('theirs'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const open = await disputed.listOpenConflicts()
  const title = open.find(({ field }) => field === 'title')?.id ?? ''
  const variable = open.find((one) => one.variable === 'v')?.id ?? ''
  expect(await refusal(decide(disputed, title, { value: '' }))).toBe('400 body.value')
  expect(await refusal(decide(disputed, title, { value: 7 }))).toBe('400 body.value')
  expect(await refusal(decide(disputed, variable, { value: { deep: 1 } }))).toBe('400 body.value')
  expect(await refusal(decide(disputed, variable, { document: { markdown: 'Text' } }))).toBe('400 body.document')
  await decide(disputed, title, { value: 'Mine' })
  await decide(disputed, variable, { value: 'mine' })
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await disputed.listPublishedPages()).toEqual(['Mine'])
  const { variables: live } = await admin.api.getCurrentRevision({ params: { spaceId: disputed.spaceId } })
  expect(live).toEqual({ v: 'mine' })
})

test.for(['theirs', 'base', 'ours'] as const)(
  'undoing a resolution with %s keeps edits made after the resolution',
  async (side) => {
    const disputed = await ConflictScenario.create(admin, ['A'])
    await disputed.editProposal(updatePage(disputed.id('A'), { title: 'Ours' }))
    await disputed.editPublished(updatePage(disputed.id('A'), { title: 'Theirs' }))
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    const { id } = await firstOf(disputed)
    await decide(disputed, id, { side })
    await disputed.editProposal(disputed.write('A', 'Written since.'))
    expect(await disputed.reopen(id)).toMatchObject({ status: 'open', ours: 'Ours', theirs: 'Theirs' })
    expect(await disputed.listProposedPages()).toEqual(['Ours'])
    expect(await textOf(disputed, 'A')).toBe('Written since.')
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
  },
)

test('undoing the removal of a page restores it with its descendants, including pages that had moved up', async () => {
  const disputed = await ConflictScenario.create(admin, ['B', 'B/C'])
  await disputed.editProposal(disputed.write('B', 'Other text.'), disputed.insert('New', 'C'))
  await disputed.editPublished(disputed.remove('B'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const { id } = await disputed.findConflict('B')
  await decide(disputed, id, { side: 'theirs' })
  expect(await disputed.listProposedPages()).toEqual(['New'])
  await disputed.editProposal(disputed.insert('Later', null))
  await disputed.reopen(id)
  expect(await disputed.listProposedPages()).toEqual(['Later', 'B', '>C', '>>New'])
  expect(await textOf(disputed, 'B')).toBe('Other text.')
})

test('undoing the restoration of a page removes it and its descendants but keeps pages inserted later', async () => {
  const disputed = await ConflictScenario.create(admin, ['B', 'B/C'])
  await disputed.editProposal(disputed.remove('B'))
  await disputed.editPublished(disputed.write('B', 'Other text.'))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const { id } = await disputed.findConflict('B')
  await decide(disputed, id, { side: 'theirs' })
  expect(await disputed.listProposedPages()).toEqual(['B', '>C'])
  await disputed.editProposal(disputed.insert('Later', 'C'))
  await disputed.reopen(id)
  expect(await disputed.listProposedPages()).toEqual(['Later'])
})

const many = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n\n')

test('a merged document over the block limit becomes a conflict about the document field', async () => {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editProposal(disputed.write('A', `${many('Ours', 6000)}\n\nText of A.`))
  await disputed.editPublished(disputed.write('A', `Text of A.\n\n${many('Theirs', 6000)}`))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const conflict = await firstOf(disputed)
  expect(conflict).toMatchObject({ type: 'field', field: 'document', message: expect.stringContaining('10000') })
  expect((await textOf(disputed, 'A')).startsWith('Ours 0')).toBe(true)
  await decide(disputed, conflict.id, { side: 'theirs' })
  expect((await textOf(disputed, 'A')).startsWith('Text of A.')).toBe(true)
  expect((await disputed.proposal.merge()).result).toBe('merge')
  await disputed.editPublished(disputed.write('A', 'It can be saved again.'))
})

/** Returns changes that insert nested pages named a1, a2, … */
const chain = (name: string, length: number) =>
  Array.from({ length }, (_, at) => ({
    operation: 'insert_page',
    document: { markdown: `# ${name}${at + 1}` },
    ref: `${name}${at + 1}`,
    into: at === 0 ? null : `${name}${at}`,
  }))

test('a merged tree over the depth limit becomes a place conflict that cannot be resolved with theirs', async () => {
  const disputed = await ConflictScenario.create(admin, [])
  for (const changes of [chain('a', 30), chain('b', 20), chain('c', 10)]) await disputed.editPublished(...changes)
  const fresh = await disputed.withNewProposal()
  await fresh.editProposal(fresh.move('c1', 'b20'))
  await fresh.editPublished(fresh.move('b1', 'a25'))
  expect((await fresh.proposal.merge()).result).toBe('conflicts')
  const conflict = await fresh.findConflict('b1', 'place')
  expect(conflict).toMatchObject({ ours: null, theirs: fresh.id('a25'), message: expect.stringContaining('50') })
  expect(await refusal(decide(fresh, conflict.id, { side: 'theirs' }))).toBe('409')
  await decide(fresh, conflict.id, { side: 'ours' })
  expect((await fresh.proposal.merge()).result).toBe('merge')
})

const location = (path: string) => ({ urls: { location: expect.stringContaining(path) as string } })

test('conflicts about files and reusable contents contain the name or title and an API URL', async () => {
  const disputed = await ConflictScenario.create(admin, [])
  const { spaceId } = disputed
  const base64 = Buffer.from('bytes').toString('base64')
  const { insertedFiles, changes } = await admin.api.updateSpaceContent({
    params: { spaceId },
    body: {
      changes: [
        { operation: 'insert_files', files: [{ name: 'old.txt', contentType: 'text/plain', base64 }] },
        { operation: 'insert_reusable_content', title: 'Old', document: { markdown: 'Text.' } },
      ],
    },
  })
  const file = insertedFiles?.[0]?.id ?? ''
  const reusableContent = changes.flatMap((change) => ('reusableContent' in change ? [change.reusableContent] : []))[0]
  const fresh = await disputed.withNewProposal()
  await fresh.editProposal(
    { operation: 'delete_files', files: [file] },
    { operation: 'delete_reusable_content', reusableContent },
  )
  await fresh.editPublished(
    { operation: 'update_file', file, name: 'new.txt' },
    { operation: 'update_reusable_content', reusableContent, title: 'New' },
  )
  expect((await fresh.proposal.merge()).result).toBe('conflicts')
  const open = await fresh.listOpenConflicts()
  expect(open.find((one) => one.file === file)).toMatchObject({
    base: { name: 'old.txt' },
    ours: null,
    theirs: { name: 'new.txt', downloadURL: expect.any(String) as string, ...location(`/files/${file}`) },
  })
  expect(open.find((one) => one.reusableContent === reusableContent)).toMatchObject({
    base: { title: 'Old' },
    ours: null,
    theirs: { title: 'New', ...location(`/reusable-contents/${reusableContent}`) },
  })
})

test('a dry run of a merge returns the result and the conflicts without changing anything', async () => {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editProposal(updatePage(disputed.id('A'), { title: 'Ours' }))
  const { params } = disputed.proposal
  const dryRun = () => admin.api.mergeChangeRequest({ params, query: { dryRun: 'true' } })
  expect(await dryRun()).toMatchObject({ result: 'merge', conflicts: [], combined: [] })
  await disputed.editPublished(updatePage(disputed.id('A'), { title: 'Theirs' }))
  const before = await admin.api.getChangeRequestById({ params })
  expect(await dryRun()).toMatchObject({
    revision: before.revision,
    result: 'conflicts',
    conflicts: [{ type: 'field', field: 'title', ours: 'Ours', theirs: 'Theirs', status: 'open' }],
  })
  expect(await admin.api.getChangeRequestById({ params })).toEqual(before)
  expect(await disputed.listOpenConflicts()).toEqual([])
  expect(await disputed.listPublishedPages()).toEqual(['Theirs'])
})

const paragraphs = (word: string): string =>
  Array.from({ length: 250 }, (_, index) => `Paragraph ${index} has ${word}.`).join('\n\n')

test('a dry run returns the first 200 conflicts and the total count', async () => {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editPublished(disputed.write('A', paragraphs('nothing')))
  await disputed.proposal.update()
  await disputed.editProposal(disputed.write('A', paragraphs('ours')))
  await disputed.editPublished(disputed.write('A', paragraphs('theirs')))
  const { params } = disputed.proposal
  const reply = await admin.api.mergeChangeRequest({ params, query: { dryRun: 'true' } })
  expect([reply.conflicts?.length, reply.conflictCount]).toEqual([200, 250])
})

/** Creates a page where the two sides change different sentences of one paragraph. */
async function combining(): Promise<ConflictScenario> {
  const disputed = await ConflictScenario.create(admin, ['A'])
  await disputed.editPublished(
    disputed.write('A', 'The first sentence is here. The second sentence is there. The third ends it.'),
  )
  const fresh = await disputed.withNewProposal()
  await fresh.editProposal(
    fresh.write('A', 'The first sentence is ours. The second sentence is there. The third ends it.'),
  )
  await fresh.editPublished(
    fresh.write('A', 'The first sentence is here. The second sentence is there. The third is theirs.'),
  )
  return fresh
}

test('a merge and its dry run return the blocks combined from both sides', async () => {
  const disputed = await combining()
  const { params } = disputed.proposal
  const dryRun = await admin.api.mergeChangeRequest({ params, query: { dryRun: 'true' } })
  expect(dryRun).toMatchObject({ result: 'merge', combined: [{ page: disputed.id('A') }] })
  expect(await admin.api.mergeChangeRequest({ params })).toMatchObject({
    result: 'merge',
    combined: dryRun.combined,
  })
})

test('the changes of a change request mark blocks that an update combined', async () => {
  const disputed = await combining()
  const { params } = disputed.proposal
  const [combined] = (await admin.api.updateChangeRequest({ params })).combined ?? []
  const { changes } = await admin.api.getChangeRequestChanges({ params })
  expect(changes).toMatchObject([{ type: 'page_edited', blocks: [{ block: combined?.block, combined: true }] }])
})

test('a merge that combines blocks needs a new approval when the space requires approved reviews', async () => {
  const disputed = await combining()
  const { spaceId } = disputed
  const { params } = disputed.proposal
  await admin.api.updateSpaceById({
    params: { spaceId },
    body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } },
  })
  const approve = () => admin.api.submitChangeRequestReview({ params, body: { status: 'approved' } })
  await approve()
  const live = await readLive(admin, spaceId, disputed.id('A'))
  expect(await admin.api.mergeChangeRequest({ params })).toMatchObject({
    result: 'conflicts',
    combined: [{ page: disputed.id('A') }],
    message: expect.stringContaining('reviewed again'),
  })
  expect(await readLive(admin, spaceId, disputed.id('A'))).toEqual(live)
  expect(await disputed.listOpenConflicts()).toEqual([])
  expect(await refusal(admin.api.mergeChangeRequest({ params }))).toBe('409')
  await approve()
  expect((await admin.api.mergeChangeRequest({ params })).result).toBe('merge')
  const { markdown } = await readLive(admin, spaceId, disputed.id('A'))
  expect(markdown).toContain('The first sentence is ours.')
  expect(markdown).toContain('The third is theirs.')
})
