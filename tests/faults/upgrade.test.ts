import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readConfig } from '../../src/server/config.ts'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { generateToken } from '../../src/access/tokens.ts'
import { hashToken } from '../../src/kernel/hash-token.ts'
import { startServer } from '../../src/server/server.ts'
import { gitProvider } from '../../src/storage/migrations/008-git-provider.ts'
import { comments } from '../../src/storage/migrations/011-comments.ts'
import { siteImageUsage } from '../../src/storage/migrations/035-site-image-usage.ts'
import { findStorageUsage } from '../../src/storage/storage-usage.ts'
import { ground } from '../../src/storage/migrations/001-ground.ts'
import type { Db } from '../../src/schema/tables.ts'
import { editLive, insertPage, propose, readLive } from '../support/content.ts'
import { homeForTest, runTransaction, silentLog } from '../support/home.ts'
import { serverEnv } from '../support/process.ts'
import { serverForTest } from '../support/server.ts'

/** The empty root as the first version stored it. */
const formerRoot = {
  hash: '35f15bb4c8074b5255af63c6d2057becf996f509fa0fb3da13b5e9f6b7df15ca',
  body: '{"files":{},"kind":"root","pages":[],"reusableContents":{},"tags":{},"variables":{}}',
}

/** Creates the database of the first version with a space and an administrator. */
async function leaveGround(db: Db) {
  await sql`create table migrations (version integer primary key, name text not null, applied_at text not null)`.execute(
    db,
  )
  for (const statement of ground.split(';\n')) await sql.raw(statement).execute(db)
  const now = timestamp(Date.now())
  await sql`insert into migrations (version, name, applied_at) values (1, 'ground', ${now})`.execute(db)
  await sql`insert into instance (key, value) values ('id', 'x')`.execute(db)
  const [adminId, organizationId, token] = [newId(), newId(), generateToken()]
  await sql`insert into users (id, email, display_name, created_at, updated_at)
    values (${adminId}, 'a@example.com', 'A', ${now}, ${now})`.execute(db)
  await sql`insert into organizations (id, title, type, email_domains, default_role, sso, ai, invite_links, plan, merge_rules,
      member_count, created_at, updated_at)
    values (${organizationId}, 'Organization', 'business', '[]', 'read', 0, 1, 1, 'self-hosted', '{"type":"none"}',
      1, ${now}, ${now})`.execute(db)
  await sql`insert into members (organization_id, user_id, role, disabled, sso, joined_at, name_key, search_text)
    values (${organizationId}, ${adminId}, 'admin', 0, 0, ${now}, 'a', 'a a@example.com')`.execute(db)
  await sql`insert into tokens (id, user_id, label, hash, created_at)
    values (${newId()}, ${adminId}, 'Token', ${hashToken(token)}, ${now})`.execute(db)
  const [spaceId, revisionId] = [newId(), newId()]
  await sql`insert into spaces (organization_id, id, title, emoji, visibility, edit_mode, default_level, resolved_level, position,
      revision_id, merge_rules, comments_open, change_requests, change_requests_open, change_requests_draft, created_at, updated_at)
    values (${organizationId}, ${spaceId}, 'Space', '', 'private', 'live', 'inherit', 'organization', 'a',
      ${revisionId}, '{"type":"inherit"}', 0, 0, 0, 0, ${now}, ${now})`.execute(db)
  await sql`insert into objects (organization_id, hash, body)
    values (${organizationId}, ${formerRoot.hash}, ${formerRoot.body})`.execute(db)
  await sql`insert into revisions (organization_id, id, space_id, parents, root_hash, type, created_by, created_at)
    values (${organizationId}, ${revisionId}, ${spaceId}, '[]', ${formerRoot.hash}, 'edits', ${adminId}, ${now})`.execute(
    db,
  )
  return { token, spaceId }
}

test('a database of the first version is migrated, and its spaces can be edited', async () => {
  const env = await homeForTest()
  const { token, spaceId } = await runTransaction(env, leaveGround)
  const server = await startServer(readConfig(serverEnv(env)), { log: silentLog, checkReplies: true })
  onTestFinished(() => server.stop())
  const api = createClient({ url: server.address ?? '', token })
  expect(await api.getCurrentRevision({ params: { spaceId } })).toMatchObject({ pages: [], files: [] })
  const [page = ''] = await editLive({ api }, spaceId, insertPage('# Page\n\nText'))
  expect(await readLive({ api }, spaceId, page)).toMatchObject({ title: 'Page', markdown: '# Page\n\nText\n' })
})

test('the migration removes a stored Git provider that the contract does not have', async () => {
  const octavo = await serverForTest()
  const { api, spaceId } = octavo.admin
  const params = { spaceId }
  await api.updateSpaceGitInfo({ params, body: { url: 'https://git.example/docs.git', ref: 'refs/heads/main' } })
  const { gitSync } = await api.getSpaceById({ params })
  const { installationId, ...rest } = gitSync ?? {}
  const former = JSON.stringify({ installationId, installationProvider: 'git', ...rest })
  await octavo.server.app.database.transaction(async (db) => {
    await db.updateTable('spaces').set({ git_sync: former }).where('id', '=', spaceId).execute()
    await sql.raw(gitProvider).execute(db)
  })
  expect((await api.getSpaceById({ params })).gitSync).toEqual(gitSync)
})

test('the migration moves the comments of reviews to the comments of their change requests', async () => {
  const octavo = await serverForTest()
  const { api, spaceId, id } = octavo.admin
  const { params } = await propose(octavo.admin, spaceId)
  const body = { status: 'approved' as const, comment: { markdown: 'Fine' } }
  const review = await api.submitChangeRequestReview({ params, body })
  await api.submitChangeRequestReview({ params, body: { status: 'approved' } })
  await octavo.server.app.database.transaction(async (db) => {
    await sql`alter table change_request_reviews add column comment text`.execute(db)
    await sql`update change_request_reviews set comment = (
      select body from comments where comments.review_id = change_request_reviews.id)`.execute(db)
    for (const table of ['comment_mentions', 'comment_reactions', 'comments'])
      await sql.raw(`drop table ${table}`).execute(db)
    await sql`update change_requests set comments_open = 0`.execute(db)
    for (const statement of comments.split(';\n')) await sql.raw(statement).execute(db)
  })
  expect(await api.getChangeRequestById({ params })).toMatchObject({ comments: 1 })
  const { items } = await api.listCommentsInChangeRequest({ params })
  expect(items).toMatchObject([
    { body: { markdown: 'Fine\n' }, postedBy: { id }, postedAt: review.createdAt, target: { review: review.id } },
  ])
  const read = await api.getChangeRequestReviewById({ params: { ...params, reviewId: review.id } })
  expect(read.comment).toEqual(items[0])
})

test('the migration charges organizations for images of sites that were stored before', async () => {
  const octavo = await serverForTest()
  const { api, organizationId } = octavo.admin
  const { database } = octavo.server.app
  const readUsage = () => findStorageUsage(database.reader, organizationId)
  const before = await readUsage()
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Docs', spaces: [] } })
  const data = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  await api.addImageToSite({ params: { organizationId, siteId: site.id }, body: { data } })
  const charged = await readUsage()
  expect(charged.organization).toBeGreaterThan(before.organization)
  await database.transaction(async (db) => {
    for (const [owner, bytes] of [
      [organizationId, before.organization],
      ['', before.instance],
    ] as const)
      await db.updateTable('storage_usage').set({ bytes }).where('owner', '=', owner).execute()
    for (const statement of siteImageUsage.split(';\n')) await sql.raw(statement).execute(db)
  })
  expect(await readUsage()).toEqual(charged)
})
