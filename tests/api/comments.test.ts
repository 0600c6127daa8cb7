import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Comment } from '../../src/contract/comment.ts'
import { maxCommentDocument, maxCommentMarkdown, maxReactionEmojis } from '../../src/contract/comments.ts'
import { readBlocks, say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
let writer: Person
let reviewer: Person
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
  writer = await octavo.member('comment', 'Cora')
  reviewer = await octavo.member('review', 'Rita')
})
afterAll(() => octavo.stop())

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
const openCount = async (spaceId: string) => (await admin.api.getSpaceById({ params: { spaceId } })).comments

/** Returns Markdown that mentions a user. */
const mention = ({ id }: Person) => `[@x](/users/${id} "mention")`

async function post(spaceId: string, markdown = 'A comment', more: object = {}, by: Person = writer): Promise<Comment> {
  return by.api.postCommentInSpace({ params: { spaceId }, body: { ...say(markdown), ...more } })
}

describe('a comment on a space', () => {
  test('is posted, read in both formats, edited and deleted', async () => {
    const params = { spaceId: await emptySpace(admin) }
    const posted = await post(params.spaceId, '# Title\n\nPlease **shorten** this.')
    const { revision } = await admin.api.getSpaceById({ params })
    const location = `${octavo.url}/v1/spaces/${params.spaceId}/comments/${posted.id}`
    expect(posted).toEqual({
      object: 'comment',
      id: posted.id,
      postedBy: expect.objectContaining({ id: writer.id, displayName: 'Cora' }),
      postedAt: expect.any(String),
      reactions: [],
      replies: 0,
      repliers: [],
      body: { markdown: '## Title\n\nPlease **shorten** this.\n' },
      target: { space: params.spaceId, revision },
      status: 'open',
      urls: { location },
      permissions: { view: true, edit: true, reply: true, delete: true },
    })
    const at = { ...params, commentId: posted.id }
    expect(await writer.api.getCommentInSpace({ params: at })).toEqual(posted)
    const asDocument = await writer.api.getCommentInSpace({ params: at, query: { format: 'document' } })
    expect(asDocument.body).toMatchObject({ document: { nodes: [{ type: 'heading-1' }, { type: 'paragraph' }] } })
    expect(asDocument.body).not.toHaveProperty('markdown')

    const edited = await writer.api.updateCommentInSpace({ params: at, body: { body: asDocument.body } })
    expect(edited).toEqual({ ...posted, editedAt: expect.any(String) })
    const empty = await writer.api.updateCommentInSpace({ params: at, body: { body: {} } })
    expect(empty.body).toEqual({ markdown: '\n' })
    expect(await openCount(params.spaceId)).toBe(1)
    await writer.api.deleteCommentInSpace({ params: at })
    await writer.api.deleteCommentInSpace({ params: at })
    expect(await refusal(writer.api.getCommentInSpace({ params: at }))).toBe('404')
    expect(await openCount(params.spaceId)).toBe(0)
  })

  test('is resolved and reopened, and the counter of the space follows', async () => {
    const spaceId = await emptySpace(admin)
    const [first, second] = [await post(spaceId), await post(spaceId)]
    const at = { spaceId, commentId: first.id }
    const resolve = (resolved: boolean, by = reviewer) =>
      by.api.updateCommentInSpace({ params: at, body: { resolved } })
    expect(await openCount(spaceId)).toBe(2)
    const resolved = await resolve(true)
    expect(resolved).toMatchObject({
      status: 'resolved',
      resolvedAt: expect.any(String),
      resolvedBy: { id: reviewer.id },
    })
    expect(await openCount(spaceId)).toBe(1)
    // Resolving again changes nothing, whoever does it.
    expect(await resolve(true, writer)).toEqual({ ...resolved, permissions: expect.any(Object) })
    expect(await openCount(spaceId)).toBe(1)

    const list = (query: object = {}) => admin.api.listCommentsInSpace({ params: { spaceId }, query })
    expect(idsOf(await list())).toEqual([second.id, first.id])
    expect(idsOf(await list({ order: 'asc' }))).toEqual([first.id, second.id])
    expect(await list({ status: 'open' })).toMatchObject({ count: 1, items: [{ id: second.id }] })
    expect(await list({ status: 'resolved' })).toMatchObject({ count: 1, items: [{ id: first.id }] })

    const reopened = await resolve(false, writer)
    expect(reopened.status).toBe('open')
    expect(reopened).not.toHaveProperty('resolvedAt')
    expect(reopened).not.toHaveProperty('resolvedBy')
    await resolve(false)
    expect(await openCount(spaceId)).toBe(2)
    await resolve(true)
    await reviewer.api.deleteCommentInSpace({ params: at })
    expect(await openCount(spaceId)).toBe(1)
  })

  test('is listed by page, authors and cursor', async () => {
    const spaceId = await emptySpace(admin)
    const [one = '', two = ''] = await editLive(admin, spaceId, insertPage('# One'), insertPage('# Two'))
    const onOne = await post(spaceId, 'First', { page: one })
    const onTwo = await post(spaceId, 'Second', { page: two }, reviewer)
    const onNone = await post(spaceId, 'Third', {}, admin)
    const list = (query: object) => admin.api.listCommentsInSpace({ params: { spaceId }, query })
    expect(idsOf(await list({ targetPage: one }))).toEqual([onOne.id])
    expect(idsOf(await list({ targetPage: 'unknown' }))).toEqual([])
    expect(idsOf(await list({ authors: writer.id }))).toEqual([onOne.id])
    expect(idsOf(await list({ authors: [writer.id, admin.id] }))).toEqual([onNone.id, onOne.id])
    expect(idsOf(await list({ authors: [writer.id], targetPage: two }))).toEqual([])
    for (const order of ['asc', 'desc'] as const) {
      const pages = await readAllPages((page) => list({ limit: '1', page, order }) as never)
      const ids = [onOne.id, onTwo.id, onNone.id]
      expect(pages.map((items) => items.map((item) => (item as Comment).id))).toEqual(
        (order === 'asc' ? ids : ids.toReversed()).map((id) => [id]),
      )
    }
    const reply = await octavo.fetch(`/v1/spaces/${spaceId}/comments?authors=${writer.id}&authors=${reviewer.id}`, {
      token: admin.token,
    })
    expect(await reply.json()).toMatchObject({ count: 2 })
    expect(await refusal(list({ status: 'closed' }))).toBe('400 query.status')
    expect(await refusal(list({ order: 'up' }))).toBe('400 query.order')
  })

  test('has replies with counts, repliers and their own reactions', async () => {
    const spaceId = await emptySpace(admin)
    const comment = await post(spaceId)
    const at = { spaceId, commentId: comment.id }
    const reply = (by: Person, markdown: string) => by.api.postCommentReplyInSpace({ params: at, body: say(markdown) })
    const first = await reply(reviewer, 'One')
    const second = await reply(writer, 'Two')
    const third = await reply(reviewer, 'Three')
    expect(first).toEqual({
      object: 'comment-reply',
      id: first.id,
      postedBy: expect.objectContaining({ id: reviewer.id }),
      postedAt: expect.any(String),
      reactions: [],
      body: { markdown: 'One\n' },
      urls: { location: `${comment.urls.location}/replies/${first.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    })
    expect(await admin.api.getCommentInSpace({ params: at })).toMatchObject({
      replies: 3,
      repliers: [
        { user: { id: reviewer.id }, count: 2, updatedAt: third.postedAt },
        { user: { id: writer.id }, count: 1, updatedAt: second.postedAt },
      ],
    })
    const list = (query: object = {}) => admin.api.listCommentRepliesInSpace({ params: at, query })
    expect(idsOf(await list())).toEqual([first.id, second.id, third.id])
    const pages = await readAllPages((page) => list({ limit: '2', page }) as never)
    expect(pages.map((items) => items.length)).toEqual([2, 1])
    expect((await list({ format: 'document' })).items[0]?.body).toHaveProperty('document')

    const atFirst = { ...at, commentReplyId: first.id }
    const updated = await reviewer.api.updateCommentReplyInSpace({
      params: atFirst,
      body: { ...say('One!'), addedReactions: ['👍'] },
    })
    expect(updated).toMatchObject({ body: { markdown: 'One!\n' }, reactions: [{ emoji: '👍', count: 1 }] })
    expect(updated.editedAt).toBeDefined()
    expect(await admin.api.getCommentReplyInSpace({ params: atFirst })).toMatchObject({ body: updated.body })

    await reviewer.api.deleteCommentReplyInSpace({ params: atFirst })
    await reviewer.api.deleteCommentReplyInSpace({ params: atFirst })
    expect(await refusal(admin.api.getCommentReplyInSpace({ params: atFirst }))).toBe('404')
    expect(await admin.api.getCommentInSpace({ params: at })).toMatchObject({
      replies: 2,
      repliers: [
        { user: { id: reviewer.id }, count: 1 },
        { user: { id: writer.id }, count: 1 },
      ],
    })
    // A reply is not a comment, and belongs to one comment only.
    const other = await post(spaceId)
    expect(await refusal(admin.api.getCommentInSpace({ params: { spaceId, commentId: second.id } }))).toBe('404')
    const elsewhere = { spaceId, commentId: other.id, commentReplyId: second.id }
    expect(await refusal(admin.api.getCommentReplyInSpace({ params: elsewhere }))).toBe('404')
    await admin.api.deleteCommentReplyInSpace({ params: elsewhere })
    expect((await list()).count).toBe(2)
    expect((await admin.api.listCommentsInSpace({ params: { spaceId } })).count).toBe(2)

    await admin.api.deleteCommentInSpace({ params: at })
    expect(await refusal(admin.api.getCommentReplyInSpace({ params: { ...at, commentReplyId: second.id } }))).toBe(
      '404',
    )
  })

  test('has one reaction for each user and emoji', async () => {
    const spaceId = await emptySpace(admin)
    const { id: commentId } = await post(spaceId)
    const react = (by: Person, body: { addedReactions?: string[]; removedReactions?: string[] }) =>
      by.api.updateCommentInSpace({ params: { spaceId, commentId }, body })
    await react(writer, { addedReactions: ['👍', '👍'] })
    await react(writer, { addedReactions: ['👍'] })
    const { reactions } = await react(reviewer, { addedReactions: ['🎉', '👍'] })
    expect(reactions).toMatchObject([
      { emoji: '👍', count: 2, users: [{ user: { id: writer.id } }, { user: { id: reviewer.id } }] },
      { emoji: '🎉', count: 1, users: [{ user: { id: reviewer.id } }] },
    ])
    expect(reactions[0]?.users[0]?.reactedAt).toBeDefined()
    await react(writer, { removedReactions: ['🎉'] })
    const after = await react(writer, { removedReactions: ['👍', 'never-added'] })
    expect(after.reactions).toMatchObject([
      { emoji: '🎉', count: 1 },
      { emoji: '👍', count: 1, users: [{ user: { id: reviewer.id } }] },
    ])
    expect(after).not.toHaveProperty('editedAt')

    const different = Array.from({ length: maxReactionEmojis - 2 }, (_, index) => `e${index}`)
    await react(writer, { addedReactions: different })
    expect(await refusal(react(writer, { addedReactions: ['one-too-many'] }))).toBe('400 body.addedReactions')
    const many = Array.from({ length: 10_000 }, (_, index) => `x${index}`)
    expect(await refusal(react(writer, { addedReactions: many }))).toBe('400 body.addedReactions')
    expect(await refusal(react(writer, { removedReactions: many }))).toBe('400 body.removedReactions')
    for (const emoji of ['', 'a b', '\n', 'x'.repeat(65)])
      expect(await refusal(react(writer, { addedReactions: [emoji] }))).toBe('400 body.addedReactions.0')
    // Users who react with an emoji that is already used are not limited.
    await react(admin, { addedReactions: ['e0'] })
    expect((await react(admin, {})).reactions).toHaveLength(maxReactionEmojis)
  })
})

test('a reaction of very many users lists the first of them and counts all', async () => {
  const spaceId = await emptySpace(admin)
  const { id: commentId } = await post(spaceId)
  await octavo.server.app.database.transaction(async (db) => {
    const number = sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 10000)`
    await sql`insert into users (id, email, display_name, created_at, updated_at) ${number}
      select 'many' || n, 'many' || n || '@example.com', 'Many', '2026', '2026' from number`.execute(db)
    await sql`insert into comment_reactions (organization_id, comment_id, emoji, user_id, created_at) ${number}
      select ${admin.organizationId}, ${commentId}, '👍', 'many' || n, '2026-01-01T00:00:00.000Z' from number`.execute(
      db,
    )
  })
  const { items } = await admin.api.listCommentsInSpace({ params: { spaceId } })
  expect(items[0]?.reactions).toMatchObject([{ emoji: '👍', count: 10_000 }])
  expect(items[0]?.reactions[0]?.users).toHaveLength(20)
})

describe('the target of a comment', () => {
  const text = '# Page\n\nFirst paragraph.\n\nSecond paragraph.\n\n* item\n'

  async function pageWithComment(markdown = text, index = 1) {
    const spaceId = await emptySpace(admin)
    const [page = ''] = await editLive(admin, spaceId, insertPage(markdown))
    const node = (await readBlocks(admin, { spaceId }, page))[index]?.key ?? ''
    const comment = await post(spaceId, 'About this', { page, node })
    const target = async () =>
      (await admin.api.getCommentInSpace({ params: { spaceId, commentId: comment.id } })).target
    return { spaceId, page, node, comment, target }
  }

  test('is a block with a preview and its page', async () => {
    const { page, node, comment, spaceId } = await pageWithComment()
    expect(comment.target).toMatchObject({
      node: { id: node, preview: 'Second paragraph.' },
      page: { id: page, title: 'Page', path: 'page', outdated: false },
      space: spaceId,
    })
    expect(comment.target.page?.updatedAt).toBeDefined()
    const long = await pageWithComment(`# Page\n\n${'word '.repeat(100)}`, 0)
    const preview = long.comment.target.node?.preview ?? ''
    expect(preview).toMatch(/^word word.*…$/)
    expect(preview.length).toBeLessThanOrEqual(200)
  })

  test('remains when the block is edited or moved, and is outdated when it is deleted', async () => {
    const { page, node, target, spaceId } = await pageWithComment()
    await editLive(admin, spaceId, writePage(page, text.replace('Second paragraph.', 'Second paragraph, edited.')))
    expect(await target()).toMatchObject({ node: { id: node }, page: { outdated: false } })
    await editLive(admin, spaceId, writePage(page, '# Page\n\nNew.\n\nSecond paragraph, edited.\n\nFirst paragraph.\n'))
    expect(await target()).toMatchObject({ page: { outdated: false } })
    await editLive(admin, spaceId, writePage(page, '# Renamed\n\nNew.\n\nFirst paragraph.\n'))
    expect(await target()).toMatchObject({
      node: { id: node, preview: 'Second paragraph.' },
      page: { id: page, title: 'Renamed', outdated: true },
    })
    await editLive(admin, spaceId, { operation: 'delete_page', page })
    expect(await target()).toMatchObject({
      node: { preview: 'Second paragraph.' },
      page: { id: page, title: 'Page', outdated: true },
    })
    expect((await target()).page).not.toHaveProperty('path')
  })

  test('is a page as a whole, which is outdated only when the page is deleted', async () => {
    const spaceId = await emptySpace(admin)
    const [page = '', group = ''] = await editLive(admin, spaceId, insertPage(text), {
      operation: 'insert_group',
      title: 'Group',
    })
    const comment = await post(spaceId, 'About the page', { page })
    const onGroup = await post(spaceId, 'About the group', { page: group })
    expect(onGroup.target.page).toMatchObject({ id: group, title: 'Group', outdated: false })
    expect(await refusal(post(spaceId, 'x', { page: group, node: 'x' }))).toBe('404 body.node')
    await editLive(admin, spaceId, writePage(page, '# Other\n\nOther text.'))
    const at = { spaceId, commentId: comment.id }
    expect((await admin.api.getCommentInSpace({ params: at })).target.page).toMatchObject({ outdated: false })
    await editLive(admin, spaceId, { operation: 'delete_page', page })
    expect((await admin.api.getCommentInSpace({ params: at })).target.page).toMatchObject({ outdated: true })
  })

  test('is a cell of a table, found with or without the key of the table', async () => {
    const table = '# Page\n\n| Name | Size |\n| --- | --- |\n| Ant | small |\n| Whale | large |\n'
    const spaceId = await emptySpace(admin)
    const [page = ''] = await editLive(admin, spaceId, insertPage(table))
    const [block] = await readBlocks(admin, { spaceId }, page)
    const records = Object.keys(block?.data.records ?? {})
    const size = Object.values(block?.data.definition ?? {}).find(({ title }) => title === 'Size')?.id ?? ''
    const tableCell = { record: records[1] ?? '', definition: size }
    const comment = await post(spaceId, 'How large?', { page, node: block?.key, tableCell })
    expect(comment.target).toMatchObject({
      node: { id: block?.key, preview: 'large' },
      tableCell,
      page: { outdated: false },
    })
    expect((await post(spaceId, 'Again', { page, tableCell })).target).toMatchObject({ node: { id: block?.key } })
    const target = async () =>
      (await admin.api.getCommentInSpace({ params: { spaceId, commentId: comment.id } })).target
    await editLive(admin, spaceId, writePage(page, table.replace('large', '30 m')))
    expect(await target()).toMatchObject({ page: { outdated: false } })
    await editLive(admin, spaceId, writePage(page, table.replace('| Whale | large |\n', '')))
    expect(await target()).toMatchObject({ page: { outdated: true }, node: { preview: 'large' } })
    const unknown = { record: 'nothing', definition: size }
    expect(await refusal(post(spaceId, 'x', { page, tableCell: unknown }))).toBe('404 body.tableCell')
    expect(await refusal(post(spaceId, 'x', { page, node: block?.key, tableCell: unknown }))).toBe('404 body.tableCell')
    const proto = { record: '__proto__', definition: 'constructor' }
    expect(await refusal(post(spaceId, 'x', { page, tableCell: proto }))).toBe('404 body.tableCell')
  })

  test('must exist in the content of the same space', async () => {
    const { spaceId, page, node } = await pageWithComment()
    const foreign = await pageWithComment()
    expect(await refusal(post(spaceId, 'x', { page: 'unknown' }))).toBe('404 body.page')
    expect(await refusal(post(spaceId, 'x', { page: foreign.page }))).toBe('404 body.page')
    expect(await refusal(post(spaceId, 'x', { page, node: 'unknown' }))).toBe('404 body.node')
    expect(await refusal(post(spaceId, 'x', { node }))).toBe('400 body.page')
    expect(await refusal(post(spaceId, 'x', { tableCell: { record: 'a', definition: 'b' } }))).toBe('400 body.page')
    expect(await refusal(post(spaceId, 'x', { page, node: 'x'.repeat(600) }))).toBe('400 body.node')
    expect(await refusal(post(spaceId, 'x', { page, tableCell: { record: 'a' } }))).toBe(
      '400 body.tableCell.definition',
    )
    expect(await openCount(spaceId)).toBe(1)
  })

  test('is decided for many comments on many pages in one list', async () => {
    const spaceId = await emptySpace(admin)
    const pages = await editLive(
      admin,
      spaceId,
      ...Array.from({ length: 30 }, (_, n) => insertPage(`# P${n}\n\nText ${n}.`)),
    )
    for (const page of pages) {
      const [block] = await readBlocks(admin, { spaceId }, page)
      await post(spaceId, 'x', { page, node: block?.key })
    }
    await editLive(
      admin,
      spaceId,
      ...pages.slice(0, 25).map((page, n) => writePage(page, n % 2 === 0 ? '' : `Text ${n}. More.`)),
    )
    const { items } = await admin.api.listCommentsInSpace({ params: { spaceId }, query: { order: 'asc' } })
    expect(items.map(({ target }) => target.page?.outdated)).toEqual(pages.map((_, n) => n < 25 && n % 2 === 0))
  })
})

describe('bodies', () => {
  test('over the limits and of another form are refused', async () => {
    const spaceId = await emptySpace(admin)
    const send = (body: unknown) => post(spaceId, '', { body })
    expect(await refusal(send({ markdown: 'x'.repeat(maxCommentMarkdown + 1) }))).toBe('413 body.body.markdown')
    expect(await refusal(send({ markdown: '*a* '.repeat(4000) }))).toBe('413 body.body')
    const paragraph = { object: 'block', type: 'paragraph', nodes: [] }
    const nodes = Array.from({ length: maxCommentDocument / 50 + 1 }, () => paragraph)
    expect(await refusal(send({ document: { object: 'document', data: {}, nodes } }))).toBe('413 body.body')
    expect(
      await refusal(send({ document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'x' }] } })),
    ).toMatch(/^400 body\.body\.document/)
    expect(await refusal(send({ text: 'x' }))).toMatch(/^400 body\.body/)
    expect(await refusal(send({ markdown: 'x', document: { object: 'document', data: {}, nodes: [] } }))).toMatch(
      /^400/,
    )
    expect(await refusal(send('x'))).toBe('400 body.body')
    expect(await refusal(send(undefined))).toBe('400 body.body')
    expect(await openCount(spaceId)).toBe(0)
    await post(spaceId, 'x'.repeat(maxCommentMarkdown))
    const front = await post(spaceId, '---\nlayout: x\n---\n\nText')
    expect(front.body.markdown).toContain('layout: x')
  })
})

describe('roles', () => {
  test('decide who may write, edit, resolve and delete, and the permissions in replies', async () => {
    const spaceId = await emptySpace(admin)
    const [reader, other] = [await octavo.member('read', 'Reader'), await octavo.member('comment', 'Other')]
    const comment = await post(spaceId)
    const at = { spaceId, commentId: comment.id }
    const reply = await writer.api.postCommentReplyInSpace({ params: at, body: say('Reply') })
    const atReply = { ...at, commentReplyId: reply.id }
    const permissionsOf = async (by: Person) => (await by.api.getCommentInSpace({ params: at })).permissions
    expect(await permissionsOf(reader)).toEqual({ view: true, edit: false, reply: false, delete: false })
    expect(await permissionsOf(other)).toEqual({ view: true, edit: false, reply: true, delete: false })
    expect(await permissionsOf(writer)).toEqual({ view: true, edit: true, reply: true, delete: true })
    expect(await permissionsOf(reviewer)).toEqual({ view: true, edit: false, reply: true, delete: true })
    const { items } = await other.api.listCommentRepliesInSpace({ params: at })
    expect(items[0]?.permissions).toEqual({ view: true, edit: false, reply: true, delete: false })

    expect(await refusal(post(spaceId, 'x', {}, reader))).toBe('403')
    expect(await refusal(reader.api.postCommentReplyInSpace({ params: at, body: say('x') }))).toBe('403')
    expect(await refusal(reader.api.updateCommentInSpace({ params: at, body: { addedReactions: ['👍'] } }))).toBe('403')
    for (const by of [other, reviewer, admin]) {
      expect(await refusal(by.api.updateCommentInSpace({ params: at, body: say('x') }))).toBe('403')
      expect(await refusal(by.api.updateCommentReplyInSpace({ params: atReply, body: say('x') }))).toBe('403')
    }
    expect(await refusal(other.api.updateCommentInSpace({ params: at, body: { resolved: true } }))).toBe('403')
    expect(await refusal(other.api.deleteCommentInSpace({ params: at }))).toBe('403')
    expect(await refusal(other.api.deleteCommentReplyInSpace({ params: atReply }))).toBe('403')
    await other.api.updateCommentInSpace({ params: at, body: { addedReactions: ['👍'] } })
    await reviewer.api.deleteCommentReplyInSpace({ params: atReply })
    await reviewer.api.deleteCommentInSpace({ params: at })
    expect(await openCount(spaceId)).toBe(0)
  })

  test('another organization cannot see a comment', async () => {
    const spaceId = await emptySpace(admin)
    const { id: commentId } = await post(spaceId)
    const stranger = await makeOrganization(octavo, 'Elsewhere')
    const own = await stranger.space('Own')
    const { api } = stranger.owner
    expect(await refusal(api.getCommentInSpace({ params: { spaceId, commentId } }))).toBe('404')
    expect(await refusal(api.getCommentInSpace({ params: { spaceId: own.id, commentId } }))).toBe('404')
    const body = { resolved: true }
    expect(await refusal(api.updateCommentInSpace({ params: { spaceId: own.id, commentId }, body }))).toBe('404')
    await api.deleteCommentInSpace({ params: { spaceId: own.id, commentId } })
    expect(await openCount(spaceId)).toBe(1)
  })
})

describe('authors', () => {
  test('are listed as commenters, and are anonymous when they are no longer members', async () => {
    const acme = await makeOrganization(octavo)
    const { owner, params: organization } = acme
    const [leaver, deleted] = [await acme.member('review', 'Leaver'), await acme.member('comment', 'Deleted')]
    const { id: spaceId } = await acme.space('Space')
    const params = { spaceId }
    const comment = await post(spaceId, 'Bye', {}, leaver)
    const at = { spaceId, commentId: comment.id }
    await deleted.api.postCommentReplyInSpace({ params: at, body: say('Soon gone') })
    await leaver.api.updateCommentInSpace({ params: at, body: { resolved: true, addedReactions: ['👋'] } })
    const commenters = () => owner.api.listCommentersInSpace({ params })
    expect(await commenters()).toMatchObject({ count: 2 })
    expect((await commenters()).items.map(({ user }) => user.displayName).sort()).toEqual(['Deleted', 'Leaver'])
    const pages = await readAllPages((page) => owner.api.listCommentersInSpace({ params, query: { limit: '1', page } }))
    expect(pages.map((items) => items.length)).toEqual([1, 1])

    await owner.api.removeMemberFromOrganizationById({ params: { ...organization, userId: leaver.id } })
    await octavo.server.app.database.transaction(async (db) => {
      await db.deleteFrom('users').where('id', '=', deleted.id).execute()
    })
    const read = await owner.api.getCommentInSpace({ params: at })
    const former = { displayName: 'Former member' }
    expect(read).toMatchObject({
      body: { markdown: 'Bye\n' },
      postedBy: former,
      resolvedBy: former,
      replies: 1,
      repliers: [{ user: former, count: 1 }],
      reactions: [{ emoji: '👋', count: 1, users: [{ user: former }] }],
    })
    expect(JSON.stringify(read)).not.toMatch(/Leaver|Deleted|@example/)
    const replies = await owner.api.listCommentRepliesInSpace({ params: at })
    expect(replies.items).toMatchObject([{ postedBy: former, body: { markdown: 'Soon gone\n' } }])
    expect(await commenters()).toMatchObject({ count: 0, items: [] })
    await acme.add(leaver, 'read')
    expect(await owner.api.getCommentInSpace({ params: at })).toMatchObject({ postedBy: { displayName: 'Leaver' } })
  })
})

describe('counters', () => {
  test('are kept by the trash, a transfer and a copy of the space', async () => {
    const [source, target] = [await makeOrganization(octavo, 'Source'), await makeOrganization(octavo, 'Target')]
    const { owner } = source
    await target.add(owner, 'admin')
    const member = await source.member('comment', 'Stays')
    const { id: spaceId } = await source.space('Space')
    const [pageId = ''] = await editLive(owner, spaceId, insertPage('# Page\n\nText'))
    const params = { spaceId }
    const comment = await post(spaceId, `Hello [x](/users/${owner.id} "mention")`, { page: pageId }, member)
    const at = { spaceId, commentId: comment.id }
    await owner.api.postCommentReplyInSpace({ params: at, body: say('Reply') })
    await owner.api.updateCommentInSpace({ params: at, body: { addedReactions: ['👍'] } })
    const proposal = await propose(owner, spaceId)
    await owner.api.postCommentInChangeRequest({ params: proposal.params, body: say('In a change request') })
    const look = async () => ({
      space: (await owner.api.getSpaceById({ params })).comments,
      request: (await owner.api.getChangeRequestById({ params: proposal.params })).comments,
      comments: (await owner.api.listCommentsInSpace({ params })).items.map(
        ({ replies, reactions, target: { page } }) => [replies, reactions.length, page?.outdated],
      ),
      mentions: (await owner.api.listMentionsForAuthenticatedUser()).count,
    })
    const before = { space: 1, request: 1, comments: [[1, 1, false]], mentions: 1 }
    expect(await look()).toEqual(before)

    await owner.api.deleteSpaceById({ params })
    expect(await refusal(owner.api.listCommentsInSpace({ params }))).toBe('404')
    expect((await owner.api.listMentionsForAuthenticatedUser()).count).toBe(0)
    await owner.api.restoreSpace({ params })
    expect(await look()).toEqual(before)

    const copy = await owner.api.duplicateSpace({ params })
    expect(copy.comments).toBe(0)
    expect((await owner.api.listCommentsInSpace({ params: { spaceId: copy.id } })).count).toBe(0)

    await owner.api.transferSpace({ params, body: { organization: target.organization.id } })
    expect(await look()).toEqual(before)
    expect((await owner.api.getCommentInSpace({ params: at })).postedBy.displayName).toBe('Former member')
    await owner.api.deleteCommentInSpace({ params: at })
    expect(await look()).toEqual({ ...before, space: 0, comments: [], mentions: 0 })
  })

  test('are right after concurrent comments', async () => {
    const spaceId = await emptySpace(admin)
    const comments = await Promise.all(Array.from({ length: 12 }, (_, index) => post(spaceId, `${index}`)))
    expect(await openCount(spaceId)).toBe(12)
    const [first] = comments
    const at = { spaceId, commentId: first?.id ?? '' }
    await Promise.all([
      ...Array.from({ length: 5 }, () => writer.api.updateCommentInSpace({ params: at, body: { resolved: true } })),
      ...Array.from({ length: 5 }, () => writer.api.postCommentReplyInSpace({ params: at, body: say('x') })),
      ...comments.slice(6).map(({ id }) => admin.api.deleteCommentInSpace({ params: { spaceId, commentId: id } })),
    ])
    expect(await openCount(spaceId)).toBe(5)
    expect(await admin.api.getCommentInSpace({ params: at })).toMatchObject({ replies: 5, status: 'resolved' })
  })
})

describe('mentions', () => {
  test('of members are listed for them, newest first', async () => {
    const acme = await makeOrganization(octavo)
    const [ada, bob] = [await acme.member('comment', 'Ada'), await acme.member('comment', 'Bob')]
    const { id: spaceId } = await acme.space('Space')
    const comment = await post(spaceId, `${mention(ada)} and ${mention(ada)}, see this`, {}, bob)
    const at = { spaceId, commentId: comment.id }
    const reply = await bob.api.postCommentReplyInSpace({ params: at, body: say(`Also ${mention(ada)}`) })
    const proposal = await propose(acme.owner, spaceId)
    const inRequest = await bob.api.postCommentInChangeRequest({ params: proposal.params, body: say(mention(ada)) })
    const stranger = await octavo.person('Stranger')
    await post(spaceId, `${mention(stranger)} [x](/users/unknown "mention")`, {}, bob)
    const list = (query: object = {}) => ada.api.listMentionsForAuthenticatedUser({ query })
    const listed = await list()
    expect(listed).toMatchObject({
      count: 3,
      items: [
        { comment: inRequest.id, changeRequest: proposal.id, urls: inRequest.urls },
        { comment: comment.id, reply: reply.id, urls: reply.urls },
        {
          object: 'mention',
          organization: acme.organization.id,
          space: spaceId,
          comment: comment.id,
          mentionedBy: { id: bob.id },
          mentionedAt: expect.any(String),
          body: comment.body,
          urls: comment.urls,
        },
      ],
    })
    expect(listed.items[2]).not.toHaveProperty('reply')
    expect(comment.body.markdown).toContain(`/users/${ada.id}`)
    const pages = await readAllPages((page) => list({ limit: '2', page }) as never)
    expect(pages.map((items) => items.length)).toEqual([2, 1])
    expect((await bob.api.listMentionsForAuthenticatedUser()).count).toBe(0)
    expect((await stranger.api.listMentionsForAuthenticatedUser()).count).toBe(0)
    expect((await list({ format: 'document' })).items[0]?.body).toHaveProperty('document')

    await bob.api.updateCommentInSpace({ params: at, body: say(`${mention(bob)} instead`) })
    expect((await list()).items.map((item) => item.reply ?? item.comment)).toEqual([inRequest.id, reply.id])
    expect((await bob.api.listMentionsForAuthenticatedUser()).count).toBe(1)
    await bob.api.deleteCommentInSpace({ params: at })
    expect((await list()).count).toBe(1)
    expect((await bob.api.listMentionsForAuthenticatedUser()).count).toBe(0)

    // A member who can no longer see the space does not see its mentions.
    await acme.owner.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    expect(await list()).toEqual({ count: 0, items: [] })
    await acme.owner.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: 'read' } })
    expect((await list()).count).toBe(1)
    await acme.owner.api.removeMemberFromOrganizationById({ params: { ...acme.params, userId: ada.id } })
    expect((await list()).count).toBe(0)

    const many = Array.from({ length: 101 }, (_, index) => `[x](/users/u${index} "mention")`).join(' ')
    expect(await refusal(post(spaceId, many, {}, acme.owner))).toBe('400 body.body')
  })
})
