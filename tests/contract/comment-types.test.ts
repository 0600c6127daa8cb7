import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { type Api, api } from '../../src/contract/api.ts'
import { changeRequestComments, spaceComments } from '../../src/contract/comments.ts'
import type { ReplyOf } from '../../src/contract/operation.ts'
import { readBlocks } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Calls all operations on comments with the published client and validates the replies against the schemas of the public API.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

type Official = GitBookAPI['spaces']
type Shared = keyof (typeof spaceComments & typeof changeRequestComments) & keyof Official

/** Replaces enums by their values and treats absent and undefined fields alike. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T as Exclude<Key, 'document'>]: Plain<Exclude<T[Key], undefined>> }
      : T

type OfficialReply<Name extends Shared> = Official[Name] extends (...request: never[]) => Promise<{ data: infer Data }>
  ? Data
  : never

type Differing = {
  [Name in Shared]: [Plain<ReplyOf<Api[Name]>>] extends [Plain<OfficialReply<Name>>] ? never : Name
}[Shared]

test('reply types are assignable to those of the official client', () => {
  // Documents are excluded: the official types list the blocks that may be nested, the schema test below covers them.
  expectTypeOf<Exclude<Differing, `delete${string}`>>().toBeNever()
})

test('all replies about comments match the schemas of the public API', async () => {
  const { admin } = octavo
  const schemas = new OfficialSchemas()
  const called = new Set<string>()
  /** Validates the reply of an operation and returns it. */
  async function check<Data>(name: keyof typeof api, call: Promise<{ data: Data }>): Promise<Data> {
    const { data } = await call
    called.add(name)
    expect([name, schemas.problemsOf(name, 200, data)]).toEqual([name, []])
    return data
  }
  const { spaces } = client
  const spaceId = await emptySpace(admin)
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nText.\n\n| A |\n| --- |\n| b |\n'))
  const [block, table] = await readBlocks(admin, { spaceId }, page)
  const tableCell = {
    record: Object.keys(table?.data.records ?? {})[0] ?? '',
    definition: Object.keys(table?.data.definition ?? {})[0] ?? '',
  }
  const body = { markdown: 'Hello **there**' }
  const resolved = { resolved: true, body, addedReactions: ['1f44d'], removedReactions: ['1f44e'] }

  const { id } = await check(
    'postCommentInSpace',
    spaces.postCommentInSpace(spaceId, { body, page, node: block?.key ?? '' }),
  )
  await check('postCommentInSpace', spaces.postCommentInSpace(spaceId, { body, page, tableCell }))
  const reply = await check('postCommentReplyInSpace', spaces.postCommentReplyInSpace(spaceId, id, { body }))
  await check('updateCommentInSpace', spaces.updateCommentInSpace(spaceId, id, resolved))
  const { body: asDocument } = await check(
    'getCommentInSpace',
    spaces.getCommentInSpace(spaceId, id, { format: 'document' }),
  )
  await check('updateCommentInSpace', spaces.updateCommentInSpace(spaceId, id, { resolved: false, body: asDocument }))
  const list = await check(
    'listCommentsInSpace',
    spaces.listCommentsInSpace(spaceId, {
      status: 'open',
      targetPage: page,
      authors: [admin.id, 'other'],
      order: 'asc',
    }),
  )
  expect(list.items).toHaveLength(2)
  await check('listCommentRepliesInSpace', spaces.listCommentRepliesInSpace(spaceId, id, { format: 'markdown' }))
  await check('getCommentReplyInSpace', spaces.getCommentReplyInSpace(spaceId, id, reply.id))
  await check(
    'updateCommentReplyInSpace',
    spaces.updateCommentReplyInSpace(spaceId, id, reply.id, { body, addedReactions: ['1f389'] }),
  )
  await check('listCommentersInSpace', spaces.listCommentersInSpace(spaceId))
  await spaces.deleteCommentReplyInSpace(spaceId, id, reply.id)
  await spaces.deleteCommentInSpace(spaceId, id)
  await spaces.deleteCommentInSpace(spaceId, id)

  const { id: request } = await propose(admin, spaceId)
  const posted = await check(
    'postCommentInChangeRequest',
    spaces.postCommentInChangeRequest(spaceId, request, { body, page, node: block?.key ?? '' }),
  )
  const answer = await check(
    'postCommentReplyInChangeRequest',
    spaces.postCommentReplyInChangeRequest(spaceId, request, posted.id, { body }, { format: 'document' }),
  )
  await check(
    'updateCommentInChangeRequest',
    spaces.updateCommentInChangeRequest(spaceId, request, posted.id, resolved),
  )
  await check('getCommentInChangeRequest', spaces.getCommentInChangeRequest(spaceId, request, posted.id))
  await check(
    'listCommentsInChangeRequest',
    spaces.listCommentsInChangeRequest(spaceId, request, { status: 'resolved' }),
  )
  await check(
    'listCommentRepliesInChangeRequest',
    spaces.listCommentRepliesInChangeRequest(spaceId, request, posted.id, { limit: 1 }),
  )
  await check(
    'getCommentReplyInChangeRequest',
    spaces.getCommentReplyInChangeRequest(spaceId, request, posted.id, answer.id, { format: 'markdown' }),
  )
  await check(
    'updateCommentReplyInChangeRequest',
    // A reply cannot be resolved; the official type of this body permits the field.
    spaces.updateCommentReplyInChangeRequest(spaceId, request, posted.id, answer.id, resolved),
  )
  await check('listCommentersInChangeRequest', spaces.listCommentersInChangeRequest(spaceId, request))
  await spaces.deleteCommentReplyInChangeRequest(spaceId, request, posted.id, answer.id)
  await spaces.deleteCommentInChangeRequest(spaceId, request, posted.id)

  const names = Object.keys({ ...spaceComments, ...changeRequestComments })
  expect(names.filter((name) => !schemas.operations.has(name))).toEqual([])
  expect(names.filter((name) => !called.has(name) && !name.startsWith('delete'))).toEqual([])
})
