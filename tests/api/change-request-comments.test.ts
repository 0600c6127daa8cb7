import { expect, test } from 'vitest'
import { readBlocks, say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import { importFrom } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import { readAllPages } from '../support/lists.ts'
import { refusal } from '../support/refusal.ts'
import type { TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

/** Creates a page in a space and a change request that edits it. */
async function proposal() {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nFirst.\n\nSecond.'))
  const request = await propose(admin, spaceId)
  await request.edit(writePage(page, '# Page\n\nFirst.\n\nSecond.\n\nThird, proposed.'))
  const blocks = await readBlocks(admin, request.params, page)
  return { spaceId, page, request, params: request.params, keys: blocks.map(({ key }) => key) }
}

test('comments of a change request are separate from those of its space', async () => {
  const { admin } = octavo
  const writer = await octavo.member('comment', 'Writer')
  const { spaceId, page, request, params, keys } = await proposal()
  const inSpace = await admin.api.postCommentInSpace({ params: { spaceId }, body: say('On the space') })
  const comment = await writer.api.postCommentInChangeRequest({
    params,
    body: { ...say('On the proposal'), page, node: keys[2] ?? '' },
  })
  const { revision } = await admin.api.getChangeRequestById({ params })
  expect(comment).toMatchObject({
    target: {
      changeRequest: request.id,
      node: { id: keys[2], preview: 'Third, proposed.' },
      page: { id: page, outdated: false },
      space: spaceId,
      revision,
    },
    urls: { location: `${octavo.url}/v1/spaces/${spaceId}/change-requests/${request.id}/comments/${comment.id}` },
  })
  // The block exists only in the change request.
  const live = { ...say('x'), page, node: keys[2] ?? '' }
  expect(await refusal(writer.api.postCommentInSpace({ params: { spaceId }, body: live }))).toBe('404 body.node')
  expect(idsOf(await admin.api.listCommentsInChangeRequest({ params }))).toEqual([comment.id])
  expect(idsOf(await admin.api.listCommentsInSpace({ params: { spaceId } }))).toEqual([inSpace.id])
  const byNumber = { spaceId, changeRequestId: '1', commentId: comment.id }
  expect(await writer.api.getCommentInChangeRequest({ params: byNumber })).toEqual(comment)
  expect(await refusal(admin.api.getCommentInSpace({ params: { spaceId, commentId: comment.id } }))).toBe('404')
  const other = await propose(admin, spaceId)
  const misplaced = { ...other.params, commentId: comment.id }
  expect(await refusal(admin.api.getCommentInChangeRequest({ params: misplaced }))).toBe('404')
  await admin.api.deleteCommentInChangeRequest({ params: misplaced })

  const at = { ...params, commentId: comment.id }
  const reply = await admin.api.postCommentReplyInChangeRequest({
    params: at,
    query: { format: 'document' },
    body: say('Done'),
  })
  expect(reply.body).toHaveProperty('document')
  const atReply = { ...at, commentReplyId: reply.id }
  const edited = await admin.api.updateCommentReplyInChangeRequest({ params: atReply, body: say('Done!') })
  expect(edited.body).toEqual({ markdown: 'Done!\n' })
  expect(await admin.api.getCommentReplyInChangeRequest({ params: atReply })).toEqual(edited)
  const pages = await readAllPages((next) =>
    admin.api.listCommentRepliesInChangeRequest({ params: at, query: { limit: '1', page: next } }),
  )
  expect(pages.map((items) => items.map(({ id }) => id))).toEqual([[reply.id]])
  expect((await admin.api.listCommentersInChangeRequest({ params })).count).toBe(2)
  const contributors = await admin.api.getContributorsByChangeRequestId({ params })
  expect(contributors.items.map(({ user, actionType, count }) => [user.id, actionType, count]).sort()).toEqual(
    [
      [admin.id, 'comment', 1],
      [admin.id, 'edit', 1],
      [writer.id, 'comment', 1],
    ].sort(),
  )

  const counts = async () => [
    (await admin.api.getSpaceById({ params: { spaceId } })).comments,
    (await admin.api.getChangeRequestById({ params })).comments,
  ]
  expect(await counts()).toEqual([1, 1])
  await admin.api.updateCommentInChangeRequest({ params: at, body: { resolved: true } })
  expect(await counts()).toEqual([1, 0])
  expect((await admin.api.listCommentsInChangeRequest({ params, query: { status: 'open' } })).count).toBe(0)
  await admin.api.updateCommentInChangeRequest({ params: at, body: { resolved: false, addedReactions: ['👍'] } })
  expect(await counts()).toEqual([1, 1])
  await admin.api.deleteCommentReplyInChangeRequest({ params: atReply })
  expect(await admin.api.getCommentInChangeRequest({ params: at })).toMatchObject({ replies: 0, repliers: [] })
  await admin.api.deleteCommentInChangeRequest({ params: at })
  expect(await counts()).toEqual([1, 0])
})

test('comments stay readable after a merge and while archived, and can then only be resolved or deleted', async () => {
  const { admin } = octavo
  for (const close of ['merge', 'archive'] as const) {
    const { spaceId, page, request, params, keys } = await proposal()
    const body = { ...say('A question'), page, node: keys[2] ?? '' }
    const comment = await admin.api.postCommentInChangeRequest({ params, body })
    const live = await admin.api.postCommentInSpace({
      params: { spaceId },
      body: { ...say('On live content'), page, node: keys[1] ?? '' },
    })
    const at = { ...params, commentId: comment.id }
    const reply = await admin.api.postCommentReplyInChangeRequest({ params: at, body: say('An answer') })
    if (close === 'merge') expect(await request.merge()).toMatchObject({ result: 'merge' })
    else await admin.api.updateChangeRequestById({ params, body: { status: 'archived' } })
    expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ comments: 1 })
    expect(await admin.api.getCommentInChangeRequest({ params: at })).toMatchObject({
      body: { markdown: 'A question\n' },
      replies: 1,
      target: { page: { outdated: false }, node: { preview: 'Third, proposed.' } },
      permissions: { view: true, edit: false, reply: false, delete: true },
    })
    // A merge keeps the blocks on which others commented in the space.
    const liveTarget = (await admin.api.getCommentInSpace({ params: { spaceId, commentId: live.id } })).target
    expect(liveTarget).toMatchObject({ node: { id: keys[1] }, page: { outdated: false } })

    expect(await refusal(admin.api.postCommentInChangeRequest({ params, body: say('Late') }))).toBe('409')
    expect(await refusal(admin.api.postCommentReplyInChangeRequest({ params: at, body: say('Late') }))).toBe('409')
    expect(await refusal(admin.api.updateCommentInChangeRequest({ params: at, body: say('Late') }))).toBe('409')
    const reaction = { addedReactions: ['👍'] }
    expect(await refusal(admin.api.updateCommentInChangeRequest({ params: at, body: reaction }))).toBe('409')
    const atReply = { ...at, commentReplyId: reply.id }
    expect(await refusal(admin.api.updateCommentReplyInChangeRequest({ params: atReply, body: say('Late') }))).toBe(
      '409',
    )
    const resolved = await admin.api.updateCommentInChangeRequest({ params: at, body: { resolved: true } })
    expect(resolved.status).toBe('resolved')
    expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ comments: 0 })
    await admin.api.deleteCommentInChangeRequest({ params: at })
    expect((await admin.api.listCommentsInChangeRequest({ params })).count).toBe(0)
  }
})

test('the comment of a review is a comment of the change request and can be answered', async () => {
  const { admin } = octavo
  const reviewer = await octavo.member('review', 'Reviewer')
  const { params } = await proposal()
  const review = await reviewer.api.submitChangeRequestReview({
    params,
    body: { status: 'changes-requested', comment: { markdown: 'Too long' } },
  })
  const id = review.comment?.id ?? ''
  const at = { ...params, commentId: id }
  expect(review.comment).toMatchObject({ target: { review: review.id }, permissions: { reply: true, edit: true } })
  expect(await reviewer.api.getCommentInChangeRequest({ params: at })).toEqual(review.comment)
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ comments: 1 })
  await admin.api.postCommentReplyInChangeRequest({ params: at, body: say('Shortened') })
  await admin.api.updateCommentInChangeRequest({ params: at, body: { resolved: true } })
  const read = () => reviewer.api.getChangeRequestReviewById({ params: { ...params, reviewId: review.id } })
  expect((await read()).comment).toMatchObject({ id, replies: 1, status: 'resolved', resolvedBy: { id: admin.id } })
  const { items } = await admin.api.getReviewsByChangeRequestId({ params, query: { format: 'document' } })
  expect(items[0]?.comment?.body).toHaveProperty('document')
  await reviewer.api.deleteCommentInChangeRequest({ params: at })
  expect(await read()).not.toHaveProperty('comment')
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ comments: 0 })
})

test('a comment stays on its block through Git imports and updates of a change request', async () => {
  const { admin } = octavo
  const repository = server.newRepository({ 'README.md': '# Home\n\nFirst.\n\nSecond paragraph of the page.\n' })
  const spaceId = await emptySpace(admin)
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
  const { id: page } = await admin.api.getPageByPath({ params: { spaceId, pagePath: 'readme' }, query: {} })
  const node = (await readBlocks(admin, { spaceId }, page))[1]?.key ?? ''
  const about = { ...say('x'), page, node }
  const inSpace = await admin.api.postCommentInSpace({ params: { spaceId }, body: about })
  const request = await propose(admin, spaceId)
  const inRequest = await admin.api.postCommentInChangeRequest({ params: request.params, body: about })
  const outdated = async () => [
    (await admin.api.getCommentInSpace({ params: { spaceId, commentId: inSpace.id } })).target.page?.outdated,
    (await admin.api.getCommentInChangeRequest({ params: { ...request.params, commentId: inRequest.id } })).target.page
      ?.outdated,
  ]
  for (const text of [
    'Added.\n\nFirst.\n\nSecond paragraph of the page, edited.',
    'Added.\n\nSecond paragraph of the page, edited.\n\nFirst.',
  ]) {
    repository.commit({ 'README.md': `# Home\n\n${text}\n` })
    expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
    expect(await request.update()).toMatchObject({ result: 'update' })
    expect(await outdated()).toEqual([false, false])
  }
  repository.commit({ 'README.md': '# Home\n\nAdded.\n\nFirst.\n' })
  await importFrom(admin, spaceId, repository)
  expect(await outdated()).toEqual([true, false])
  expect(await request.update()).toMatchObject({ result: 'update' })
  expect(await outdated()).toEqual([true, true])
})
