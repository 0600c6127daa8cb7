import {
  ChangeRequestOrderBy,
  ChangeRequestReviewStatus,
  ChangeRequestStatus,
  GitBookAPI,
  type JSONDocument,
} from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, updatePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// These tests use the published GitBook client to verify API compatibility.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

const description = {
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Why', marks: [] }] }],
    },
  ],
} as unknown as JSONDocument

test('the official client creates, edits, reviews and merges a change request', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nWords.'), {
    operation: 'insert_reusable_content',
    title: 'Part',
    document: { markdown: 'Shared.' },
  })
  const { spaces, orgs } = client

  const { data: created } = await spaces.createChangeRequest(spaceId, { subject: 'Client' })
  expect(created).toMatchObject({ object: 'change-request', number: 1, status: ChangeRequestStatus.Draft })
  const { id } = created
  expect((await spaces.getChangeRequestById(spaceId, '1')).data).toEqual(created)
  await expect(spaces.getChangeRequestById(spaceId, '2')).rejects.toMatchObject({ code: 404 })

  const { data: described } = await spaces.updateChangeRequestById(spaceId, id, {
    description,
    status: 'open',
    links: [{ ref: { kind: 'url', url: 'https://tickets.example/7' }, title: 'Ticket' }],
  })
  expect(described).toMatchObject({ status: 'open', links: [{ title: 'Ticket' }], description: { object: 'document' } })

  const { data: edited } = await spaces.updateChangeRequestContent(
    spaceId,
    id,
    {
      changes: [
        { operation: 'update_page', page: pageId, document: { markdown: 'Other words.' } },
        { operation: 'insert_page', document: { markdown: '# Added\n\nNew.' } },
        {
          operation: 'insert_files',
          files: [{ name: 'a.txt', contentType: 'text/plain', base64: btoa('bytes') }],
        },
      ],
    },
    { compat: false },
  )
  expect(edited).toMatchObject({ changeRequest: { id }, changes: expect.any(Array) })
  const { data: compatible } = await spaces.updateChangeRequestContent(spaceId, id, {
    changes: [{ operation: 'update_page', page: pageId, title: 'Renamed' }],
  })
  expect(compatible).toMatchObject({ object: 'change-request', id })

  const { data: revision } = await spaces.getRevisionOfChangeRequestById(spaceId, id, { metadata: false })
  const { data: tree } = await spaces.listPagesInChangeRequest(spaceId, id)
  expect(tree.pages.map((page) => page.title)).toEqual(['Renamed', 'Added'])
  const { data: page } = await spaces.getPageInChangeRequestById(spaceId, id, pageId, { format: 'markdown' })
  expect(page).toMatchObject({ title: 'Renamed', markdown: expect.stringContaining('Other words.') })
  const { data: byPath } = await spaces.getPageInChangeRequestByPath(spaceId, id, 'added')
  expect(byPath).toMatchObject({ title: 'Added' })
  expect((await spaces.listChangeRequestPageMetaLinks(spaceId, id, pageId)).data).toEqual({})
  const { data: files } = await spaces.listFilesInChangeRequestById(spaceId, id)
  const file = files.items[0]
  expect(file).toMatchObject({ name: 'a.txt' })
  expect((await spaces.getFileInChangeRequestById(spaceId, id, file?.id ?? '')).data).toEqual(file)
  const part = revision.reusableContents[0]?.id ?? ''
  expect((await spaces.getReusableContentInChangeRequestById(spaceId, id, part)).data).toMatchObject({ title: 'Part' })
  const { data: changes } = await spaces.getChangeRequestChanges(spaceId, id, { limit: 2 })
  expect([changes.changes.length, changes.more]).toEqual([2, 1])

  const reviewer = await octavo.member('review', 'Reviewer')
  const { data: asked } = await spaces.requestReviewersForChangeRequest(spaceId, id, { users: [reviewer.id, admin.id] })
  expect(asked.users).toMatchObject([{ kind: 'user' }, { kind: 'user' }])
  await spaces.removeRequestedReviewerFromChangeRequest(spaceId, id, admin.id)
  const { data: waiting } = await spaces.getRequestedReviewersByChangeRequestId(spaceId, id)
  expect(waiting.items).toMatchObject([{ kind: 'user', user: { id: reviewer.id }, requestedBy: { id: admin.id } }])
  const asReviewer = new GitBookAPI({ endpoint: octavo.url, authToken: reviewer.token })
  const { data: review } = await asReviewer.spaces.submitChangeRequestReview(spaceId, id, {
    status: ChangeRequestReviewStatus.Approved,
    comment: { markdown: 'Fine' },
  })
  expect(review).toMatchObject({ status: 'approved', outdated: false, requestedBy: { id: admin.id } })
  const { data: read } = await asReviewer.spaces.getChangeRequestReviewById(spaceId, id, review.id, {
    format: 'markdown',
  })
  expect(read).toEqual(review)
  const { data: reviews } = await spaces.getReviewsByChangeRequestId(spaceId, id, { outdated: false })
  expect(reviews.items.map((item) => item.id)).toEqual([review.id])
  const { data: contributors } = await spaces.getContributorsByChangeRequestId(spaceId, id)
  expect(contributors.items).toMatchObject([{ user: { id: admin.id }, count: 2, actionType: 'edit' }])

  const inSpace = await spaces.listChangeRequestsForSpace(spaceId, {
    status: ChangeRequestStatus.Open,
    creator: admin.id,
    contributor: admin.id,
    orderBy: ChangeRequestOrderBy.CreatedAt,
    limit: 1,
  })
  expect(inSpace.data.items.map((item) => item.id)).toEqual([id])
  const inAll = await orgs.listChangeRequestsForOrganization(admin.organizationId, {
    status: [ChangeRequestStatus.Open, ChangeRequestStatus.Draft],
    space: spaceId,
  })
  expect(inAll.data.items.map((item) => item.id)).toEqual([id])

  await editLive(admin, spaceId, updatePage(pageId, { description: 'Live' }))
  expect((await spaces.getChangeRequestById(spaceId, id)).data.outdated).toBe(true)
  const { data: updated } = await spaces.updateChangeRequest(spaceId, id)
  expect(updated.result).toBe('update')
  const { data: merged } = await spaces.mergeChangeRequest(spaceId, id)
  expect(merged.result).toBe('merge')
  const { data: ended } = await spaces.getChangeRequestById(spaceId, id)
  expect(ended).toMatchObject({ status: 'merged', revisionMerged: merged.revision, mergedBy: { id: admin.id } })
  const { data: live } = await spaces.getPageById(spaceId, pageId, { format: 'markdown' })
  expect(live).toMatchObject({ title: 'Renamed', description: 'Live' })
  await expect(spaces.mergeChangeRequest(spaceId, id)).rejects.toMatchObject({ code: 409 })
})

test('the official client receives conflicts as the result of a merge or an update', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# Page'))
  const { data: request } = await client.spaces.createChangeRequest(spaceId, {})
  await client.spaces.updateChangeRequestContent(spaceId, request.id, {
    changes: [{ operation: 'update_page', page: pageId, title: 'Ours' }],
  })
  await editLive(admin, spaceId, updatePage(pageId, { title: 'Theirs' }))
  expect((await client.spaces.mergeChangeRequest(spaceId, request.id)).data.result).toBe('conflicts')
  expect((await client.spaces.updateChangeRequest(spaceId, request.id)).data.result).toBe('conflicts')
})
