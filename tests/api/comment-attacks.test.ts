import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxReactionEmojis } from '../../src/contract/comments.ts'
import { readBlocks, say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('50 comments, replies and reactions at the same time are all stored and counted', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nText'))
  const people = [admin, await octavo.member('comment', 'Ann'), await octavo.member('comment', 'Ben')]
  const by = (index: number) => people[index % people.length] ?? admin
  const mention = `[x](/users/${people[1]?.id} "mention")`
  const params = { spaceId }
  const posted = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      by(index).api.postCommentInSpace({ params, body: { ...say(`${index} ${mention}`), page } }),
    ),
  )
  expect(new Set(posted.map(({ id }) => id)).size).toBe(50)
  const at = { ...params, commentId: posted[0]?.id ?? '' }
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0
        ? by(index).api.postCommentReplyInSpace({ params: at, body: say(`Reply ${mention}`) })
        : by(index).api.updateCommentInSpace({ params: at, body: { addedReactions: ['👍', `e${index % 5}`] } }),
    ),
  )
  const list = await admin.api.listCommentsInSpace({ params, query: { targetPage: page, limit: '1000' } })
  expect([list.count, list.items.length]).toEqual([50, 50])
  expect((await admin.api.getSpaceById({ params })).comments).toBe(50)
  const comment = await admin.api.getCommentInSpace({ params: at })
  expect(comment.replies).toBe(25)
  expect(comment.reactions.find(({ emoji }) => emoji === '👍')?.count).toBe(3)
  expect((await people[1]?.api.listMentionsForAuthenticatedUser())?.count).toBe(75)

  // Half of them are resolved twice at the same time, the others deleted twice.
  await Promise.all(
    posted.flatMap(({ id: commentId }, index) =>
      Array.from({ length: 2 }, () =>
        index % 2 === 0
          ? admin.api.updateCommentInSpace({ params: { ...params, commentId }, body: { resolved: true } })
          : admin.api.deleteCommentInSpace({ params: { ...params, commentId } }),
      ),
    ),
  )
  const counts = async (status: 'all' | 'open' | 'resolved') =>
    (await admin.api.listCommentsInSpace({ params, query: { status, limit: '0' } })).count
  expect([await counts('all'), await counts('open'), await counts('resolved')]).toEqual([25, 0, 25])
  expect((await admin.api.getSpaceById({ params })).comments).toBe(0)
  expect((await people[1]?.api.listMentionsForAuthenticatedUser())?.count).toBe(50)
})

test('different emojis that are added at the same time do not exceed the limit', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const { id: commentId } = await admin.api.postCommentInSpace({ params: { spaceId }, body: say('x') })
  const params = { spaceId, commentId }
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      refusal(admin.api.updateCommentInSpace({ params, body: { addedReactions: [`e${index}`] } })).catch(() => 'added'),
    ),
  )
  expect(results.filter((result) => result === '400 body.addedReactions')).toHaveLength(40 - maxReactionEmojis)
  expect((await admin.api.getCommentInSpace({ params })).reactions).toHaveLength(maxReactionEmojis)
})

test('blocks of other pages, pages of change requests and comments of other places are not found', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const params = { spaceId }
  const [one = '', two = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# One\n\nText 1'),
    insertPage('# Two\n\nText 2'),
  )
  const ofTwo = (await readBlocks(admin, { spaceId }, two))[0]?.key ?? ''
  const post = (body: object) => admin.api.postCommentInSpace({ params, body: { ...say('x'), ...body } })
  expect(await refusal(post({ page: one, node: ofTwo }))).toBe('404 body.node')
  const request = await propose(admin, spaceId)
  const [proposed = ''] = await request.edit(insertPage('# Proposed'))
  expect(await refusal(post({ page: proposed }))).toBe('404 body.page')
  for (const page of ['__proto__', '../pages', '%00', 'a b', '👍'])
    expect(await refusal(post({ page }))).toMatch(/^40[04] body\.page/)
  for (const node of ['__proto__', 'constructor', 'none'])
    expect(await refusal(post({ page: one, node }))).toBe('404 body.node')
  const tableCell = { record: '__proto__', definition: 'constructor' }
  expect(await refusal(post({ page: one, tableCell }))).toBe('404 body.tableCell')

  const [first, second] = [await post({}), await post({})]
  const reply = await admin.api.postCommentReplyInSpace({ params: { ...params, commentId: first.id }, body: say('x') })
  const misplaced = { ...params, commentId: second.id, commentReplyId: reply.id }
  expect(await refusal(admin.api.getCommentReplyInSpace({ params: misplaced }))).toBe('404')
  expect(await refusal(admin.api.updateCommentReplyInSpace({ params: misplaced, body: say('y') }))).toBe('404')
  await admin.api.deleteCommentReplyInSpace({ params: misplaced })
  // A reply is not a comment: it cannot be read, answered or resolved as one.
  const asComment = { ...params, commentId: reply.id }
  expect(await refusal(admin.api.getCommentInSpace({ params: asComment }))).toBe('404')
  expect(await refusal(admin.api.updateCommentInSpace({ params: asComment, body: { resolved: true } }))).toBe('404')
  expect(await refusal(admin.api.postCommentReplyInSpace({ params: asComment, body: say('x') }))).toBe('404')
  await admin.api.deleteCommentInSpace({ params: asComment })
  expect(await admin.api.getCommentInSpace({ params: { ...params, commentId: first.id } })).toMatchObject({
    replies: 1,
  })
  expect((await admin.api.listCommentsInSpace({ params })).count).toBe(2)
})

test('another organization sees no comment, commenter, mention, link or template', async () => {
  const [acme, other] = [await makeOrganization(octavo, 'Acme'), await makeOrganization(octavo, 'Other')]
  const { api } = other.owner
  const { id: spaceId } = await acme.space('Space')
  const [pageId = ''] = await editLive(acme.owner, spaceId, insertPage('# Page\n\n[x](https://example.com/secret)'))
  const request = await propose(acme.owner, spaceId)
  const body = say(`[x](/users/${other.owner.id} "mention")`)
  const { id: commentId } = await acme.owner.api.postCommentInChangeRequest({ params: request.params, body })
  await acme.owner.api.postCommentInSpace({ params: { spaceId }, body })
  const template = await acme.owner.api.createTemplateInOrganization({ params: acme.params, body: { space: spaceId } })
  const { id: ownSpace } = await other.space('Own')
  const [ownPage = ''] = await editLive(
    other.owner,
    ownSpace,
    insertPage(`# Own\n\n[x](/spaces/${spaceId}/pages/${pageId})`),
  )

  for (const call of [
    () => api.listCommentsInSpace({ params: { spaceId } }),
    () => api.listCommentersInSpace({ params: { spaceId } }),
    () => api.listCommentsInChangeRequest({ params: request.params }),
    () => api.getCommentInChangeRequest({ params: { ...request.params, commentId } }),
    () => api.listCommentsInChangeRequest({ params: { spaceId: ownSpace, changeRequestId: request.id } }),
    () => api.listSpaceLinks({ params: { spaceId } }),
    () => api.listSpacePageBacklinks({ params: { spaceId, pageId } }),
    () => api.listPageLinksInSpace({ params: { spaceId, pageId } }),
    () => api.listSpacePageBacklinks({ params: { spaceId: ownSpace, pageId } }),
    () => api.getTemplateInOrganization({ params: { ...acme.params, templateId: template.id } }),
    () => api.getTemplateInOrganization({ params: { ...other.params, templateId: template.id } }),
  ])
    expect(await refusal(call())).toBe('404')
  const useTemplate = api.createSpace({ params: other.params, body: { template: { id: template.id } } })
  expect(await refusal(useTemplate)).toBe('404 body.template.id')
  const apply = { params: { spaceId: ownSpace }, body: { id: template.id } }
  expect(await refusal(api.applyTemplateToSpace(apply))).toBe('404 body.id')
  const save = api.createTemplateInOrganization({ params: other.params, body: { space: spaceId } })
  expect(await refusal(save)).toBe('404 body.space')
  expect(await api.listMentionsForAuthenticatedUser()).toEqual({ count: 0, items: [] })

  // A page of another organization looks like one that does not exist, and its owner does not see the link.
  const links = await api.listPageLinksInSpace({ params: { spaceId: ownSpace, pageId: ownPage } })
  expect(links.items).toMatchObject([{ status: 'broken' }])
  expect(JSON.stringify(links)).not.toContain('Page')
  const backlinks = await acme.owner.api.listSpacePageBacklinks({ params: { spaceId, pageId } })
  expect(backlinks).toMatchObject({ count: 0, items: [] })
})

test('a template whose references were deleted is applied with broken links', async () => {
  const { admin } = octavo
  const params = { organizationId: admin.organizationId }
  const spaceId = await emptySpace(admin)
  const elsewhere = await emptySpace(admin)
  const [target = ''] = await editLive(admin, elsewhere, insertPage('# Target'))
  const [gone = ''] = await editLive(admin, spaceId, insertPage('# Gone'))
  const markdown = `# Home\n\n[a](/pages/${gone}) [b](/spaces/${elsewhere}/pages/${target}) [c](/pages/never-existed)`
  await editLive(admin, spaceId, insertPage(markdown))
  await editLive(admin, spaceId, { operation: 'delete_page', page: gone })
  const ref = { kind: 'page' as const, space: elsewhere, page: target }
  const template = await admin.api.createTemplateInOrganization({
    params,
    body: { space: spaceId, contentRefs: [{ name: 'target', ref }] },
  })
  await admin.api.deleteSpaceById({ params: { spaceId: elsewhere } })
  await admin.api.deleteSpaceById({ params: { spaceId } })
  const use = (contentRefs: object) =>
    admin.api.createSpace({ params, body: { template: { id: template.id, params: { contentRefs } } } as never })
  expect(await refusal(use({ missing: ref }))).toBe('400 body.template.params.contentRefs.missing')
  const created = await use({ target: { kind: 'page', page: 'never-existed' } })
  const { pages } = await admin.api.listPages({ params: { spaceId: created.id } })
  const links = await admin.api.listPageLinksInSpace({ params: { spaceId: created.id, pageId: pages[0]?.id ?? '' } })
  expect(links.items.length).toBeGreaterThan(0)
  expect(new Set(links.items.map(({ status }) => status))).toEqual(new Set(['broken']))
})
