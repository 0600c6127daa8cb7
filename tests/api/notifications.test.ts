import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notification } from '../../src/contract/notifications.ts'
import { recordNotificationEvent } from '../../src/domain/notifications/record-event.ts'
import { newId } from '../../src/kernel/ids.ts'
import { days, minutes } from '../../src/kernel/time.ts'
import { say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import { openEvents } from '../support/live-events.ts'
import { readMails, waitForMail, waitForMailJobs, toPath } from '../support/mail.ts'
import { type Person, type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-mail-'))
let octavo: TestServer
let ann: Person
let bob: Person
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_MAIL_FOLDER: folder, OCTAVO_MAIL_FROM: 'Docs <docs@example.com>' })
  ann = await octavo.member('edit', 'Ann')
  bob = await octavo.member('review', 'Bob')
})
afterAll(async () => {
  await octavo.stop()
  rmSync(folder, { recursive: true })
})

const mention = ({ id }: Person) => `[@x](/users/${id} "mention")`

/** Waits until all events were delivered, and returns the notifications of a person about a space. */
async function listed({ api }: Person, spaceId: string): Promise<Notification[]> {
  await settled()
  const { items } = await api.listNotifications({ query: { limit: 100 } })
  return items.filter(({ space }) => space.id === spaceId)
}

async function settled(): Promise<void> {
  await waitUntil(async () => {
    const left = await octavo.server.app.database.reader
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'notifications.notify')
      .where('state', 'in', ['queued', 'running'])
      .execute()
    return left.length === 0
  }, 'all are notified')
}

const kinds = (items: readonly Notification[]) => items.map(({ kind }) => kind)

describe('discussions', () => {
  test('mentions, replies and comments of a change request reach those who take part, but not the writer', async () => {
    const spaceId = await emptySpace(octavo.admin)
    const proposal = await propose(ann, spaceId, 'Rewrite')
    const { params } = proposal
    const carl = await octavo.member('comment', 'Carl')

    const comment = await bob.api.postCommentInChangeRequest({ params, body: say(`See this, ${mention(carl)}`) })
    expect(await listed(ann, spaceId)).toEqual([
      expect.objectContaining({
        kind: 'comment',
        space: { id: spaceId, title: 'Space' },
        changeRequest: { id: proposal.id, number: 1, subject: 'Rewrite' },
        comment: comment.id,
        text: 'See this, @Carl',
        by: expect.objectContaining({ displayName: 'Bob' }),
        urls: expect.objectContaining({
          app: `${octavo.url}/app/spaces/${spaceId}/change-requests/1?comment=${comment.id}#comments`,
        }),
      }),
    ])
    expect(kinds(await listed(carl, spaceId))).toEqual(['mention'])
    expect(await listed(bob, spaceId)).toEqual([])

    const replyParams = { ...params, commentId: comment.id }
    const reply = await carl.api.postCommentReplyInChangeRequest({ params: replyParams, body: say('Yes') })
    expect(await listed(bob, spaceId)).toEqual([
      expect.objectContaining({ kind: 'reply', comment: comment.id, reply: reply.id, text: 'Yes' }),
    ])
    expect(kinds(await listed(ann, spaceId))).toEqual(['comment', 'comment'])

    // Only those who are new in an edited text are notified of it.
    const edited = say(`See this, ${mention(carl)} and ${mention(ann)}`)
    await bob.api.updateCommentInChangeRequest({ params: replyParams, body: edited })
    expect(kinds(await listed(ann, spaceId))).toEqual(['mention', 'comment', 'comment'])
    expect(kinds(await listed(carl, spaceId))).toEqual(['mention'])

    await bob.api.deleteCommentInChangeRequest({ params: replyParams })
    for (const person of [ann, bob, carl]) expect(await listed(person, spaceId)).toEqual([])
  })

  test('those who unfollow a change request are notified of mentions only', async () => {
    const spaceId = await emptySpace(octavo.admin)
    const { params, id } = await propose(ann, spaceId)
    const target = { params: { spaceId }, query: { changeRequest: id } }
    expect(await ann.api.getFollow(target)).toEqual({ object: 'follow', following: true })
    await ann.api.updateFollow({ params: { spaceId }, body: { changeRequest: id, following: false } })
    expect((await ann.api.getFollow(target)).following).toBe(false)
    const { id: commentId } = await ann.api.postCommentInChangeRequest({ params, body: say('First') })
    await bob.api.postCommentReplyInChangeRequest({ params: { ...params, commentId }, body: say('Second') })
    expect(await listed(ann, spaceId)).toEqual([])
    await bob.api.postCommentInChangeRequest({ params, body: say(mention(ann)) })
    expect(kinds(await listed(ann, spaceId))).toEqual(['mention'])
  })
})

describe('reviews and merges', () => {
  test('a requested reviewer, the author and followers of what changed are notified', async () => {
    const spaceId = await emptySpace(octavo.admin)
    const [changedId = '', otherId = ''] = await editLive(
      octavo.admin,
      spaceId,
      insertPage('# Changed'),
      insertPage('# Other'),
    )
    const [dora, emil, finn] = [
      await octavo.member('read', 'Dora'),
      await octavo.member('read', 'Emil'),
      await octavo.member('read', 'Finn'),
    ]
    const follow = (person: Person, target: object) =>
      person.api.updateFollow({ params: { spaceId }, body: { following: true, ...target } })
    await follow(dora, {})
    await follow(emil, { targetPage: changedId })
    await follow(finn, { targetPage: otherId })
    await expect(follow(finn, { targetPage: 'missing' })).rejects.toMatchObject({ status: 404 })

    const proposal = await propose(ann, spaceId, 'Better words')
    const { params } = proposal
    await proposal.edit(writePage(changedId, 'New words'))
    await ann.api.requestReviewersForChangeRequest({ params, body: { users: [bob.id] } })
    expect(kinds(await listed(bob, spaceId))).toEqual(['review-request'])
    const review = { status: 'changes-requested', comment: { markdown: `Not yet, ${mention(dora)}` } } as const
    await bob.api.submitChangeRequestReview({ params, body: review })
    await bob.api.submitChangeRequestReview({ params, body: { status: 'approved' } })
    expect((await listed(ann, spaceId)).map((one) => one.review)).toEqual(['approved', 'changes-requested'])
    expect(kinds(await listed(dora, spaceId))).toEqual(['mention'])

    await octavo.admin.api.mergeChangeRequest({ params, query: {} })
    expect(kinds(await listed(ann, spaceId))).toEqual(['merge', 'review', 'review'])
    expect(kinds(await listed(dora, spaceId))).toEqual(['merge', 'mention'])
    expect(kinds(await listed(emil, spaceId))).toEqual(['merge'])
    expect(await listed(finn, spaceId)).toEqual([])
    expect(await listed(octavo.admin, spaceId)).toEqual([])
  })

  test('a failed Git operation is reported to the one who started it and to followers of the space', async () => {
    const spaceId = await emptySpace(octavo.admin)
    await ann.api.updateFollow({ params: { spaceId }, body: { following: true } })
    await octavo.admin.api.importGitRepository({
      params: { spaceId },
      body: { url: 'http://127.0.0.1:9/a.git', ref: 'refs/heads/main' },
    })
    const [failure] = await waitUntil(async () => {
      const items = await listed(ann, spaceId)
      return items.length > 0 && items
    }, 'the failure is reported')
    expect(failure).toMatchObject({ kind: 'git-failure', urls: { app: `${octavo.url}/app/spaces/${spaceId}/git` } })
    expect(failure?.by).toBeUndefined()
    expect(kinds(await listed(octavo.admin, spaceId))).toEqual(['git-failure'])
  })
})

describe('the list', () => {
  test('is filtered, counted and marked as read, and other tabs are told', async () => {
    const gina = await octavo.member('comment', 'Gina')
    const spaceId = await emptySpace(octavo.admin)
    const { organizationId } = octavo.admin
    const events = await openEvents(octavo, gina, organizationId)
    const others = await openEvents(octavo, bob, organizationId)
    const post = (text: string) => ann.api.postCommentInSpace({ params: { spaceId }, body: say(text) })
    for (const word of ['One', 'Two', 'Three']) await post(`${word} ${mention(gina)}`)
    const items = await listed(gina, spaceId)
    expect(items.map(({ text }) => text?.split(' ')[0])).toEqual(['Three', 'Two', 'One'])
    const [newest, middle, oldest] = items
    const arrived = await events.find(({ kind, data }) => kind === 'notification' && data.notification === newest?.id)
    expect(arrived.data).toEqual({ organization: organizationId, space: spaceId, notification: newest?.id })

    const count = async () => (await gina.api.countNotifications()).unread
    expect(await count()).toBe(3)
    const read = await gina.api.updateNotification({
      params: { notificationId: middle?.id ?? '' },
      body: { read: true },
    })
    expect(read.readAt).toBeDefined()
    const own = await events.find(({ kind, data }) => kind === 'notification' && data.notification === undefined)
    expect(own.data).toEqual({ organization: organizationId, by: gina.id })
    expect(await count()).toBe(2)
    const list = async (query: Parameters<typeof gina.api.listNotifications>[0]) =>
      (await gina.api.listNotifications(query)).items.map(({ id }) => id)
    expect(await list({ query: { unread: true } })).toEqual([newest?.id, oldest?.id])
    expect(await list({ query: { kinds: ['reply'] } })).toEqual([])
    const first = await gina.api.listNotifications({ query: { limit: 2 } })
    expect(await list({ query: { page: first.next?.page } })).toEqual([oldest?.id])

    await gina.api.markNotificationsAsRead({ body: { until: oldest?.id } })
    expect(await list({ query: { unread: true } })).toEqual([newest?.id])
    await gina.api.markNotificationsAsRead({ body: {} })
    expect(await count()).toBe(0)
    // Nobody else can mark or see them.
    const foreign = { params: { notificationId: newest?.id ?? '' }, body: { read: false } }
    await expect(bob.api.updateNotification(foreign)).rejects.toMatchObject({ status: 404 })
    expect(others.events.filter(({ kind }) => kind === 'notification')).toEqual([])
  })

  test('leaves out what the user can no longer see', async () => {
    const hans = await octavo.member('comment', 'Hans')
    const spaceId = await emptySpace(octavo.admin)
    await ann.api.postCommentInSpace({ params: { spaceId }, body: say(`Secret, ${mention(hans)}`) })
    const [notification] = await listed(hans, spaceId)
    const setLevel = (defaultLevel: 'inherit' | null) =>
      octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel } })
    await setLevel(null)
    expect(await listed(hans, spaceId)).toEqual([])
    expect((await hans.api.countNotifications()).unread).toBe(0)
    const mark = { params: { notificationId: notification?.id ?? '' }, body: { read: true } }
    await expect(hans.api.updateNotification(mark)).rejects.toMatchObject({ status: 404 })
    await setLevel('inherit')
    expect((await hans.api.countNotifications()).unread).toBe(1)
    await octavo.admin.api.deleteSpaceById({ params: { spaceId } })
    expect(await listed(hans, spaceId)).toEqual([])
  })

  test('contains only the kinds that the user wants', async () => {
    const ida = await octavo.member('comment', 'Ida')
    const spaceId = await emptySpace(octavo.admin)
    const settings = await ida.api.updateNotificationSettings({
      body: { kinds: { mention: { inApp: false, email: 'off' } } },
    })
    expect(settings).toMatchObject({
      emailAvailable: true,
      kinds: { mention: { inApp: false, email: 'off' }, reply: { inApp: true, email: 'digest' } },
    })
    expect(await ida.api.getNotificationSettings()).toEqual(settings)
    await ann.api.postCommentInSpace({ params: { spaceId }, body: say(mention(ida)) })
    expect(await listed(ida, spaceId)).toEqual([])
  })
})

test('thousands of followers are notified once each, and only the event is written with the change', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const { organizationId } = octavo.admin
  const { database, clock } = octavo.server.app
  const ids = Array.from({ length: 1201 }, newId)
  const now = new Date(clock()).toISOString()
  await database.transaction(async (db) => {
    for (let start = 0; start < ids.length; start += 400) {
      const part = ids.slice(start, start + 400)
      await db
        .insertInto('users')
        .values(
          part.map((id) => ({ id, email: id, display_name: id, photo_url: null, created_at: now, updated_at: now })),
        )
        .execute()
      const target = {
        organization_id: organizationId,
        space_id: spaceId,
        target: 'space',
        target_id: spaceId,
      } as const
      await db
        .insertInto('follows')
        .values(part.map((id) => ({ ...target, user_id: id, is_following: 1 as const, created_at: now })))
        .execute()
    }
  })
  await database.transaction((db) =>
    recordNotificationEvent(
      { db, now: () => now, newId, enqueue: octavo.server.app.queue.enqueue },
      { organization_id: organizationId, space_id: spaceId, cause: 'git-failure', details: { error: 'Broken' } },
    ),
  )
  await settled()
  const rows = await database.reader
    .selectFrom('notifications')
    .select('user_id')
    .where('space_id', '=', spaceId)
    .execute()
  expect(rows.map((row) => row.user_id).sort()).toEqual(ids.sort())
})

describe('mail', () => {
  test('unread notifications are mailed once, together, and one request unsubscribes', async () => {
    const jana = await octavo.member('comment', 'Jana')
    const spaceId = await emptySpace(octavo.admin, 'Guides')
    const hidden = await emptySpace(octavo.admin, 'Hidden')
    const post = (id: string, text: string) =>
      ann.api.postCommentInSpace({ params: { spaceId: id }, body: say(`${text} ${mention(jana)}`) })
    const comment = await post(spaceId, 'First <b>words</b>')
    await post(spaceId, 'Second')
    await post(hidden, 'Concealed')
    await post(spaceId, 'Already seen')
    const [seen] = await listed(jana, spaceId)
    await jana.api.updateNotification({ params: { notificationId: seen?.id ?? '' }, body: { read: true } })
    await octavo.admin.api.updateSpaceById({ params: { spaceId: hidden }, body: { defaultLevel: null } })

    await advanceClock(octavo, minutes(16))
    // The first message is about the membership.
    const mail = await waitForMail(folder, jana.email, 2)
    expect(mail.headers).toContain('Subject: 2 new notifications')
    expect(mail.text).toContain('Ann mentioned you in Guides')
    expect(mail.text).toContain('Second')
    expect(mail.text).not.toMatch(/Concealed|Already seen/)
    expect(mail.html).toContain('First')
    expect(mail.html).not.toContain('<b>words')
    expect(mail.links).toContain(`${octavo.url}/app/spaces/${spaceId}/comments/${comment.id}`)
    await advanceClock(octavo, minutes(16))
    await waitForMailJobs(octavo)
    expect(readMails(folder, jana.email)).toHaveLength(2)

    const [, unsubscribe = ''] = /^List-Unsubscribe: <(.*)>$/m.exec(mail.headers.replaceAll('\r', '')) ?? []
    expect(mail.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const path = toPath(unsubscribe)
    const page = await octavo.fetch(path)
    expect(await page.text()).toContain('<button type="submit">Unsubscribe</button>')
    const emails = async () => {
      const settings = await jana.api.getNotificationSettings()
      return new Set(Object.values(settings.kinds).map(({ email }) => email))
    }
    expect(await emails()).toEqual(new Set(['digest', 'off']))
    const forged = path.replace(jana.id, ann.id)
    expect((await octavo.fetch(forged, { method: 'POST' })).status).toBe(404)
    const done = await octavo.fetch(path, { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') })
    expect(done.status).toBe(200)
    expect(await emails()).toEqual(new Set(['off']))
    await post(spaceId, 'Third')
    await settled()
    await advanceClock(octavo, minutes(31))
    await waitForMailJobs(octavo)
    expect(readMails(folder, jana.email)).toHaveLength(2)
  })

  test('notifications are deleted after 90 days', async () => {
    const spaceId = await emptySpace(octavo.admin)
    await ann.api.postCommentInSpace({ params: { spaceId }, body: say(mention(bob)) })
    expect(await listed(bob, spaceId)).toHaveLength(1)
    await advanceClock(octavo, days(91))
    const rows = await octavo.server.app.database.reader.selectFrom('notification_events').select('id').execute()
    expect(rows).toEqual([])
  })
})
