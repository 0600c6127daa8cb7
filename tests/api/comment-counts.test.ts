import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { commentCounts } from '../../src/storage/migrations/015-comment-counts.ts'
import { say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { type Person, serverForTest } from '../support/server.ts'

/** Returns pseudo-random integers below a maximum. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('the counts of all lists follow random changes, and a migration computes the same', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const pages = await editLive(admin, spaceId, insertPage('# One'), insertPage('# Two'))
  const people: Person[] = [admin, await octavo.member('review', 'Rita'), await octavo.member('review', 'Roy')]
  const { params: requestParams } = await propose(admin, spaceId)
  const random = createRandom(7)
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const body = () =>
    say(`Text ${people.flatMap(({ id }) => (random(3) === 0 ? [`[x](/users/${id} "mention")`] : [])).join(' ')}`)

  const scopes = [
    {
      post: (by: Person, target: object) =>
        by.api.postCommentInSpace({ params: { spaceId }, body: { ...body(), ...target } }),
      update: (by: Person, commentId: string, update: object) =>
        by.api.updateCommentInSpace({ params: { spaceId, commentId }, body: update }),
      remove: (by: Person, commentId: string) => by.api.deleteCommentInSpace({ params: { spaceId, commentId } }),
      reply: (by: Person, commentId: string) =>
        by.api.postCommentReplyInSpace({ params: { spaceId, commentId }, body: body() }),
      removeReply: (by: Person, commentId: string, commentReplyId: string) =>
        by.api.deleteCommentReplyInSpace({ params: { spaceId, commentId, commentReplyId } }),
      list: (query: object) => admin.api.listCommentsInSpace({ params: { spaceId }, query }),
      replies: (commentId: string) => admin.api.listCommentRepliesInSpace({ params: { spaceId, commentId } }),
      commenters: () => admin.api.listCommentersInSpace({ params: { spaceId } }),
    },
    {
      post: (by: Person, target: object) =>
        by.api.postCommentInChangeRequest({ params: requestParams, body: { ...body(), ...target } }),
      update: (by: Person, commentId: string, update: object) =>
        by.api.updateCommentInChangeRequest({ params: { ...requestParams, commentId }, body: update }),
      remove: (by: Person, commentId: string) =>
        by.api.deleteCommentInChangeRequest({ params: { ...requestParams, commentId } }),
      reply: (by: Person, commentId: string) =>
        by.api.postCommentReplyInChangeRequest({ params: { ...requestParams, commentId }, body: body() }),
      removeReply: (by: Person, commentId: string, commentReplyId: string) =>
        by.api.deleteCommentReplyInChangeRequest({ params: { ...requestParams, commentId, commentReplyId } }),
      list: (query: object) => admin.api.listCommentsInChangeRequest({ params: requestParams, query }),
      replies: (commentId: string) =>
        admin.api.listCommentRepliesInChangeRequest({ params: { ...requestParams, commentId } }),
      commenters: () => admin.api.listCommentersInChangeRequest({ params: requestParams }),
    },
  ]
  for (const scope of scopes) {
    const comments: { id: string; author: Person; replies: { id: string; author: Person }[] }[] = []
    for (let step = 0; step < 45; step++) {
      const by = pick(people)
      const comment = comments.length === 0 ? undefined : pick(comments)
      switch (comment ? random(8) : 0) {
        case 0:
        case 1:
        case 2:
          comments.push({
            id: (await scope.post(by, random(3) === 0 ? {} : { page: pick(pages) })).id,
            author: by,
            replies: [],
          })
          break
        case 3:
          if (comment) comment.replies.push({ id: (await scope.reply(by, comment.id)).id, author: by })
          break
        case 4:
          if (comment) await scope.update(by, comment.id, { resolved: random(3) > 0 })
          break
        case 5:
          if (comment) await scope.update(comment.author, comment.id, body())
          break
        case 6: {
          const reply = comment?.replies.pop()
          if (comment && reply) await scope.removeReply(by, comment.id, reply.id)
          break
        }
        default:
          if (comment) {
            comments.splice(comments.indexOf(comment), 1)
            await scope.remove(by, comment.id)
          }
      }
    }
    for (const status of ['all', 'open', 'resolved']) {
      for (const targetPage of [undefined, ...pages]) {
        for (const authors of [undefined, [people[2]?.id], [admin.id, people[1]?.id, admin.id]]) {
          const query = { status, ...(targetPage && { targetPage }), ...(authors && { authors }) }
          const items = await readAllPages((page) => scope.list({ ...query, limit: '7', page }) as never)
          expect([query, (await scope.list({ ...query, limit: '0' })).count]).toEqual([query, items.flat().length])
        }
      }
    }
    const listed = (await scope.list({ limit: '1000' })).items
    expect(listed.map(({ id, replies }) => [id, replies]).sort()).toEqual(
      comments.map(({ id, replies }) => [id, replies.length]).sort(),
    )
    const authors = new Set(
      comments.flatMap(({ author, replies }) => [author, ...replies.map((reply) => reply.author)]),
    )
    const commenters = await scope.commenters()
    expect(commenters.items.map(({ id }) => id)).toEqual([...authors].map(({ id }) => id).sort())
    expect(commenters.count).toBe(authors.size)
  }
  for (const { api } of people) {
    const all = await readAllPages((page) => api.listMentionsForAuthenticatedUser({ query: { limit: '7', page } }))
    expect((await api.listMentionsForAuthenticatedUser()).count).toBe(all.flat().length)
  }

  const readCounts = async () => {
    const { reader } = octavo.server.app.database
    const counts = await reader.selectFrom('comment_counts').selectAll().where('count', '!=', 0).execute()
    const mentions = await reader.selectFrom('mention_counts').selectAll().where('count', '!=', 0).execute()
    return [...counts, ...mentions].map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  const before = await readCounts()
  await octavo.server.app.database.transaction(async (db) => {
    for (const table of ['comment_counts', 'mention_counts']) await sql.raw(`drop table ${table}`).execute(db)
    await sql`create index comment_mentions_space on comment_mentions (user_id, organization_id, space_id)`.execute(db)
    for (const statement of commentCounts.split(';\n')) await sql.raw(statement).execute(db)
  })
  expect(await readCounts()).toEqual(before)
})
