import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordLiveEvent } from '../../src/domain/live/record-event.ts'
import { hours, seconds } from '../../src/kernel/time.ts'
import { startServer } from '../../src/server/server.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { testOn } from '../support/engine.ts'
import { upload } from '../support/files.ts'
import { makeGate } from '../support/gate.ts'
import { startImport } from '../support/imports.ts'
import { type EventStreamReader, collectEvents, openEvents } from '../support/live-events.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { makeOrganization } from '../support/organization.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { translatedSpace } from '../support/translations.ts'

let octavo: TestServer
/** Space that everybody in the organization can view. */
let openSpaceId: string
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  openSpaceId = await emptySpace(octavo.admin, 'Open')
})
afterAll(() => octavo.stop())

const pets = { text: JSON.stringify(petSpec()) }

const open = (person: { token: string } = octavo.admin, headers?: Record<string, string>) =>
  openEvents(octavo, person, octavo.admin.organizationId, headers)

/** Returns what a stream receives because of an action. */
const collect = (reader: EventStreamReader, action: () => Promise<unknown>) =>
  collectEvents(reader, { by: octavo.admin, spaceId: openSpaceId }, action)

describe('events', () => {
  test('arrive once for each change of spaces and change requests', async () => {
    const { api, id: by, organizationId: organization } = octavo.admin
    const reader = await open()
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream')
    expect(reader.response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(reader.response.headers.get('x-accel-buffering')).toBe('no')

    let spaceId = ''
    const of = (kind: string, more: object = {}) => ({ kind, data: { organization, space: spaceId, by, ...more } })
    const created = await collect(reader, async () => (spaceId = await emptySpace(octavo.admin, 'Secret title')))
    expect(created).toEqual([of('space')])
    const params = { spaceId }
    expect(await collect(reader, () => api.updateSpaceById({ params, body: { title: 'New title' } }))).toEqual([
      of('space'),
    ])

    const edited = await collect(reader, () => editLive(octavo.admin, spaceId, insertPage('# Page\n\nText')))
    const { revision } = await api.getSpaceById({ params, query: {} })
    expect(edited).toEqual([of('head', { revision })])

    let proposal = await propose(octavo.admin, openSpaceId)
    const opened = await collect(reader, async () => (proposal = await propose(octavo.admin, spaceId)))
    const ofRequest = (kind: string, head: string) => of(kind, { changeRequest: proposal.id, revision: head })
    expect(opened).toEqual([ofRequest('change-request', revision)])
    const changed = await collect(reader, () => proposal.edit(insertPage('# Another')))
    const request = await api.getChangeRequestById({ params: proposal.params })
    expect(changed).toEqual([ofRequest('change-request', request.revision)])
    const renamed = () => api.updateChangeRequestById({ params: proposal.params, body: { subject: 'Subject' } })
    expect(await collect(reader, renamed)).toEqual([ofRequest('change-request', request.revision)])

    const asked = () =>
      api.requestReviewersForChangeRequest({ params: proposal.params, body: { users: [octavo.admin.id] } })
    expect(await collect(reader, asked)).toEqual([ofRequest('change-request', request.revision)])
    const reviewed = () => api.submitChangeRequestReview({ params: proposal.params, body: { status: 'approved' } })
    expect(await collect(reader, reviewed)).toEqual([ofRequest('review', request.revision)])

    const merged = await collect(reader, proposal.merge)
    const { revision: mergedRevision } = await api.getSpaceById({ params, query: {} })
    expect(merged).toEqual([of('head', { revision: mergedRevision }), ofRequest('change-request', request.revision)])
    expect(await collect(reader, () => api.deleteSpaceById({ params }))).toEqual([of('space')])
    expect(await collect(reader, () => api.restoreSpace({ params }))).toEqual([of('space')])
    expect(JSON.stringify(reader.events)).not.toMatch(/title|Subject/)
  })

  test('arrive for comments, replies and reactions', async () => {
    const { api, id: by, organizationId: organization } = octavo.admin
    const [page = ''] = await editLive(octavo.admin, openSpaceId, insertPage('# Page\n\nText'))
    const reader = await open()
    const params = { spaceId: openSpaceId }
    let comment = ''
    const posted = await collect(reader, async () => {
      comment = (await api.postCommentInSpace({ params, body: { body: { markdown: 'Why?' }, page } })).id
    })
    const about = { kind: 'comment', data: { organization, space: openSpaceId, page, comment, by } }
    expect(posted).toEqual([about])
    const at = { ...params, commentId: comment }
    const replied = () => api.postCommentReplyInSpace({ params: at, body: { body: { markdown: 'Because' } } })
    expect(await collect(reader, replied)).toMatchObject([{ kind: 'comment', data: { comment } }])
    const reacted = () => api.updateCommentInSpace({ params: at, body: { addedReactions: ['1f44d'] } })
    expect(await collect(reader, reacted)).toEqual([about])
    const resolved = () => api.updateCommentInSpace({ params: at, body: { resolved: true } })
    expect(await collect(reader, resolved)).toEqual([about])
    // The comment is resolved already.
    expect(await collect(reader, resolved)).toEqual([])
    expect(await collect(reader, () => api.deleteCommentInSpace({ params: at }))).toEqual([about])
  })

  test('arrive for work in the background until it has ended', async () => {
    const { api, organizationId } = octavo.admin
    const reader = await open()
    const jobEvents = (type: string, id: string) =>
      reader.events.filter(({ kind, data }) => kind === 'job' && data.job?.type === type && data.job.id === id)
    const sync = () => collect(reader, async () => undefined)

    const key = await upload(octavo.admin, organizationId, 'page.md', '# Page')
    const run = await startImport(octavo.admin, { type: 'file', files: [key] }, { space: openSpaceId })
    await run.waitForEnd()
    await sync()
    // Waiting, running, and ended; there may be progress in between.
    expect(jobEvents('import', run.id).length).toBeGreaterThanOrEqual(3)

    const spec = await putSpec(octavo.admin, 'live', pets)
    await sync()
    expect(jobEvents('openapi', spec.id).map(({ data }) => data.space)).toEqual([undefined, undefined, undefined])

    const { translation } = await translatedSpace(octavo, [insertPage('# Page\n\nText')])
    await sync()
    expect(jobEvents('translation', translation.id).length).toBeGreaterThanOrEqual(3)

    const body = { url: 'http://127.0.0.1:9/repository.git', ref: 'refs/heads/main' }
    await api.importGitRepository({ params: { spaceId: openSpaceId }, body })
    const { data } = await reader.find(({ data: { job } }) => job?.type === 'git')
    await reader.find(() => jobEvents('git', data.job?.id ?? '').length === 3)
    expect(data).toMatchObject({ organization: organizationId, space: openSpaceId })

    const { url } = await api.getSpacePdf({ params: { spaceId: openSpaceId }, query: {} })
    const [, , hash = ''] = new URL(url).pathname.split('/').slice(1)
    await reader.find(() => jobEvents('pdf', hash).length >= 3)
  })
})

test('changes of sites and collections are sent to those who can see them', async () => {
  const { owner, params, member, collection, space } = await makeOrganization(octavo)
  const { api, id: by } = owner
  const organization = params.organizationId
  const [reader, guest] = [await member('read'), await member(null)]
  const { id: spaceId } = await space('Marker')
  const [shown, hidden] = [await collection('Secret title'), await collection('Hidden')]
  await api.updateCollectionById({ params: { collectionId: hidden.id }, body: { defaultLevel: null } })
  const { id: siteId } = await api.createSite({ params, body: { title: 'Secret title' } })
  const site = { ...params, siteId }
  await api.inviteToSite({ params: site, body: { users: [guest.id], role: 'read' } })
  await api.inviteToSpace({ params: { spaceId }, body: { users: [guest.id], role: 'read' } })
  const change = async () => {
    await api.addSpaceToSite({ params: site, body: { spaceId } })
    await api.changeSiteCustomizationById({ params: site, body: { styling: { theme: 'bold' } } })
    await api.publishSite({ params: site })
    for (const collectionId of [shown.id, hidden.id])
      await api.updateCollectionById({ params: { collectionId }, body: { title: 'New title' } })
  }
  const [ofReader, ofGuest] = [
    await openEvents(octavo, reader, organization),
    await openEvents(octavo, guest, organization),
  ]
  const marker = { by: owner, spaceId }
  const ofSite = { kind: 'site', data: { organization, site: siteId, by } }
  const received = await collectEvents(ofReader, marker, change)
  expect(received).toEqual([
    ofSite,
    ofSite,
    ofSite,
    { kind: 'collection', data: { organization, collection: shown.id, by } },
  ])
  // Afterwards nobody can see the site, so its deletion is not part of the changes above.
  expect(await collectEvents(ofReader, marker, () => api.deleteSiteById({ params: site }))).toEqual([
    { kind: 'site', data: { organization, by } },
  ])
  await ofGuest.find(({ data }) => data.page === ofReader.events.at(-1)?.data.page)
  // The guest cannot see the deleted site any more, nor collections.
  expect(new Set(ofGuest.events.map(({ kind }) => kind))).not.toContain('collection')
  expect(ofGuest.events.filter(({ kind }) => kind === 'site').length).toBeLessThanOrEqual(3)
  expect(JSON.stringify(ofReader.events)).not.toContain('title')
})

describe('access', () => {
  test('members get the events of spaces that they can view, and others none', async () => {
    const { admin } = octavo
    const member = await octavo.member('edit')
    const guest = await octavo.member(null)
    const stranger = await makeOrganization(octavo, 'Others')
    const params = { spaceId: await emptySpace(admin, 'Closed') }
    await admin.api.updateSpaceById({ params, body: { defaultLevel: null } })
    await admin.api.inviteToSpace({ params: { spaceId: openSpaceId }, body: { role: 'read', users: [guest.id] } })
    const [ofMember, ofGuest] = [await open(member), await open(guest)]
    const ofStranger = await openEvents(octavo, stranger.owner, stranger.organization.id)
    const change = async () => {
      await editLive(admin, params.spaceId, insertPage('# Page'))
      await admin.api.updatePresence({ params, body: { editing: true } })
    }
    expect(await collect(ofMember, change)).toEqual([])
    expect(await collect(ofGuest, change)).toEqual([])
    // Specifications are not visible to guests.
    expect(await collect(ofGuest, () => putSpec(admin, 'guests', pets))).toEqual([])

    await admin.api.inviteToSpace({ params, body: { role: 'read', users: [member.id] } })
    expect((await collect(ofMember, change)).map(({ kind }) => kind)).toContain('head')
    await admin.api.removeUserFromSpace({ params: { ...params, userId: member.id } })
    expect(await collect(ofMember, change)).toEqual([])

    const { id: spaceId } = await stranger.space('Theirs')
    await collectEvents(ofStranger, { by: stranger.owner, spaceId }, change)
    expect(ofStranger.events.filter(({ data }) => data.space !== spaceId)).toEqual([])
  })

  test('a stream ends when its token is revoked or the membership ends', async () => {
    const { api, organizationId } = octavo.admin
    const { id: tokenId, token } = await api.createToken({ body: { label: 'Revoked' } })
    const member = await octavo.member('read')
    const [ofToken, ofMember] = [await open({ token }), await open(member)]
    await api.revokeToken({ params: { tokenId } })
    await api.removeMemberFromOrganizationById({ params: { organizationId, userId: member.id } })
    await ofToken.ended
    await ofMember.ended
    expect(ofMember.events.map(({ kind }) => kind)).toEqual(['access'])
  })

  test('a user can open 20 streams at a time', async () => {
    const member = await octavo.member('read')
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(member)))
    const refused = await octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/events`, { token: member.token })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    await streams[0]?.close()
    await open(member)
  })
})

describe('resuming', () => {
  test('a client that connects again receives what it has missed', async () => {
    const reader = await open()
    await collect(reader, () => editLive(octavo.admin, openSpaceId, insertPage('# First')))
    await reader.close()
    await octavo.admin.api.updateSpaceById({ params: { spaceId: openSpaceId }, body: { emoji: '1f44d' } })
    const byHeader = await open(octavo.admin, { 'last-event-id': reader.lastEventId ?? '' })
    const missed = { kind: 'space', data: { space: openSpaceId } }
    await byHeader.find(({ kind }) => kind === 'space')
    expect(byHeader.events).toMatchObject([missed])
    const query = new URLSearchParams({ lastEventId: reader.lastEventId ?? '' }).toString()
    const reply = await octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/events?${query}`, {
      token: octavo.admin.token,
    })
    const chunks = reply.body?.pipeThrough(new TextDecoderStream())
    for await (const chunk of chunks ?? []) if (chunk.includes('event: space')) break
  })

  test.each(['', 'x', 'zzzzzzzzzz-1', '1-1', '-', '0-5:3:', `1-${'9'.repeat(3000)}`])(
    'from %j, which is unknown or too old, starts with a reset',
    async (lastEventId) => {
      const reader = await open(octavo.admin, { 'last-event-id': lastEventId })
      expect(reader.events[0]).toEqual({ kind: 'reset', data: { organization: octavo.admin.organizationId } })
    },
  )

  test('after more than an hour starts with a reset', async () => {
    const { lastEventId = '' } = await open()
    octavo.clock.advance(hours(1))
    const reader = await open(octavo.admin, { 'last-event-id': lastEventId })
    expect(reader.events.map(({ kind }) => kind)).toEqual(['reset'])
  })
})

test('the presence of users is listed until they have not reported for 40 seconds', async () => {
  const member = await octavo.member('read', 'Reader')
  const reader = await open()
  const params = { spaceId: await emptySpace(octavo.admin, 'Presence') }
  const { id: changeRequest } = await propose(octavo.admin, params.spaceId)
  const list = async () => (await octavo.admin.api.listPresence({ params })).items
  const arrive = () => member.api.updatePresence({ params, body: { page: 'page1', editing: false } })
  const event = (more: object) => ({
    kind: 'presence',
    data: { organization: octavo.admin.organizationId, space: params.spaceId, by: member.id, ...more },
  })
  // The presence of another test may expire meanwhile.
  const isInSpace = ({ data }: { data: { space?: string } }) => data.space === params.spaceId
  const collectInSpace = async (action: () => Promise<unknown>) => (await collect(reader, action)).filter(isInSpace)
  expect(await collectInSpace(arrive)).toEqual([event({ page: 'page1' })])
  // Reporting the same place again only renews it.
  expect(await collectInSpace(arrive)).toEqual([])
  const enter = () => member.api.updatePresence({ params, body: { page: 'page1', block: 'block1', editing: true } })
  expect(await collectInSpace(enter)).toEqual([event({ page: 'page1' })])
  expect(await list()).toMatchObject([{ user: { id: member.id }, page: 'page1', block: 'block1' }])
  expect(await collectInSpace(enter)).toEqual([])
  const move = () => member.api.updatePresence({ params, body: { changeRequest, editing: true } })
  expect(await collectInSpace(move)).toEqual([event({ changeRequest })])
  const items = await list()
  expect(items[0]).not.toHaveProperty('block')
  expect(items).toMatchObject([
    { object: 'presence', user: { id: member.id, displayName: 'Reader' }, changeRequest, editing: true },
  ])
  await expect(
    member.api.updatePresence({ params: { spaceId: openSpaceId }, body: { changeRequest, editing: true } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    member.api.updatePresence({ params, body: { page: 'Hello, everybody!', editing: true } }),
  ).rejects.toMatchObject({ status: 400 })

  const count = reader.events.filter(isInSpace).length
  octavo.clock.advance(seconds(40))
  expect(await list()).toEqual([])
  await reader.find(() => reader.events.filter(isInSpace).length === count + 1)
  expect(reader.events.findLast(isInSpace)).toEqual(event({ changeRequest }))
})

test('streams end when the server stops', async () => {
  const stopped = await startTestServer()
  const reader = await openEvents(stopped, stopped.admin, stopped.admin.organizationId)
  await stopped.stop()
  await reader.ended
})

// SQLite has one server, and its transactions commit one after the other.
testOn('postgres')('servers on one database receive the events of each other', async () => {
  const { app } = octavo.server
  const other = await startServer({ ...app.config, port: 0 }, { clock: app.clock, log: app.log, checkReplies: true })
  onTestFinished(() => other.stop())
  const reader = await openEvents({ url: other.address ?? '' }, octavo.admin, octavo.admin.organizationId)
  expect(await collect(reader, () => editLive(octavo.admin, openSpaceId, insertPage('# Page')))).toMatchObject([
    { kind: 'head', data: { space: openSpaceId } },
  ])
})

// In SQLite, a transaction waits until the one before it has committed.
testOn('postgres')('an event is received although a later transaction has committed before it', async () => {
  const { admin, server } = octavo
  const reader = await open()
  const recorded = makeGate()
  const committing = makeGate()
  const now = () => new Date(octavo.clock.now()).toISOString()
  const slow = server.app.database.transaction(async (db) => {
    const event = { kind: 'space', organizationId: admin.organizationId, spaceId: openSpaceId } as const
    await recordLiveEvent({ db, now }, event)
    await recordLiveEvent({ db, now }, event)
    recorded.open()
    await committing.passed
  })
  await recorded.passed
  const early = await collect(reader, () => editLive(admin, openSpaceId, insertPage('# Page')))
  expect(early.map(({ kind }) => kind)).toEqual(['head'])
  const late = await collect(reader, async () => {
    committing.open()
    await slow
  })
  expect(late.map(({ kind }) => kind)).toEqual(['space'])
})
