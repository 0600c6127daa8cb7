import { unlimitedReach } from '../../src/access/sso.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { recordAccountEvent, recordAuditEvent } from '../../src/domain/audit/record-event.ts'
import { days, hours, minutes } from '../../src/kernel/time.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_TRUSTED_PROXIES: '1' })
})
afterAll(() => octavo.stop())

const list = async ({ owner, params }: Pick<TestOrganization, 'owner' | 'params'>, query: object = {}) =>
  (await owner.api.listOrganizationAuditEvents({ params, query })).items

/** Returns the newest event of an organization with its details. */
async function newest({ owner, params }: TestOrganization, query: object = {}) {
  const [event] = await list({ owner, params }, query)
  return owner.api.getOrganizationAuditEvent({ params: { ...params, auditEventId: event?.id ?? '' } })
}

test('an event has its actor, client, target and only the changed fields', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  await owner.api.updateOrganizationById({
    params,
    body: { title: 'Acme Ltd', inviteLinks: true },
    headers: { 'user-agent': 'Browser/1.0', 'x-forwarded-for': '198.51.100.7, 203.0.113.9' },
  })
  const [{ id: tokenId } = { id: '' }] = (await owner.api.listTokens()).items
  expect(await newest(acme)).toMatchObject({
    object: 'audit-event',
    action: 'organization.update',
    actor: { type: 'user', id: owner.id, label: 'Owner' },
    source: 'api',
    target: { type: 'organization', id: params.organizationId, label: 'Acme Ltd' },
    schemaVersion: 1,
    payload: {
      actor: { kind: 'token', email: owner.email, credential: tokenId },
      client: { address: '203.0.113.9', userAgent: 'Browser/1.0' },
      before: { title: 'Acme' },
      after: { title: 'Acme Ltd' },
    },
  })
  const { payload } = await newest(acme)
  expect(Object.keys({ ...payload.before, ...payload.after })).toEqual(['title'])
})

test('a change that changes nothing, and a refused one, are not recorded', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  const reader = await acme.member('read')
  const before = await list(acme)
  await owner.api.updateOrganizationById({ params, body: { title: 'Acme' } })
  await owner.api.removeTeamFromOrganizationById({ params: { ...params, teamId: 'absent' } })
  expect(await refusal(reader.api.updateOrganizationById({ params, body: { title: 'Mine' } }))).toBe('403')
  expect(
    await refusal(owner.api.updateOrganizationById({ params, body: { defaultContent: { type: 'site', site: 'x' } } })),
  ).toBe('400 body.defaultContent')
  // The second member is unknown, so the whole change is undone.
  expect(
    await refusal(owner.api.createOrganizationTeam({ params, body: { title: 'T', members: [reader.id, 'x'] } })),
  ).toBe('404 body.members.1')
  expect(await list(acme)).toEqual(before)
})

test('the replies match the schemas of the public API', async () => {
  const { owner, params } = await makeOrganization(octavo)
  const official = new OfficialSchemas()
  const read = async (operation: string, path: string) => {
    const reply = await octavo.fetch(`/v1/orgs/${params.organizationId}/${path}`, { token: owner.token })
    const body = (await reply.json()) as { items: { id: string; label: string }[] }
    expect(official.problemsOf(operation, reply.status, body)).toEqual([])
    return body
  }
  const { items } = await read('listOrganizationAuditEvents', 'audit-events')
  await read('getOrganizationAuditEvent', `audit-events/${items[0]?.id}`)
  const actions = await read('listOrganizationAuditEventActions', 'audit-event-actions')
  expect(actions.items).toContainEqual({ object: 'audit-event-action', id: 'team.create', label: 'A team was created' })
})

test('events are listed newest first, in pages that lose and repeat nothing', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  for (let index = 0; index < 24; index++) await acme.team(`Team ${index}`)
  const first = await owner.api.listOrganizationAuditEvents({ params })
  expect(first.items).toHaveLength(20)
  expect(first).not.toHaveProperty('count')
  const rest = await owner.api.listOrganizationAuditEvents({ params, query: { page: first.next?.page } })
  const labels = [...first.items, ...rest.items].flatMap(({ action, target }) =>
    action === 'team.create' ? [target.label] : [],
  )
  expect(labels).toEqual(Array.from({ length: 24 }, (_, index) => `Team ${23 - index}`))
  expect(rest.next).toBeUndefined()
  for (const limit of ['0', '101', 'x'])
    expect(await refusal(owner.api.listOrganizationAuditEvents({ params, query: { limit } }))).toBe('400 query.limit')
  expect((await owner.api.listOrganizationAuditEvents({ params, query: { limit: 100 } })).items).toHaveLength(25)
})

test('filters by time, action, actor and target are combined', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  const other = await acme.member('admin', 'Other')
  const early = await acme.team('Early')
  const from = new Date(octavo.clock.now()).toISOString()
  octavo.clock.advance(minutes(1))
  const late = await other.api.createOrganizationTeam({ params, body: { title: 'Late' } })
  await other.api.updateTeamInOrganizationById({ params: { ...params, teamId: early.id }, body: { title: 'Earlier' } })

  const find = async (query: object) =>
    (await list(acme, query)).map(({ action, target }) => `${action} ${target.label}`)
  expect(await find({ from })).toEqual(['team.update Earlier', 'team.create Late'])
  expect(await find({ from: from.replace('Z', '+00:00'), action: 'team.create' })).toEqual(['team.create Late'])
  expect(await find({ to: from, action: 'team.create' })).toEqual(['team.create Early'])
  expect(await find({ actor: other.id, target: early.id })).toEqual(['team.update Earlier'])
  expect(await find({ actor: owner.id, target: late.id })).toEqual([])
  expect(await find({ action: 'unknown' })).toEqual([])
  const [event] = await list(acme, { target: early.id, action: 'team.create' })
  // Both ends of a period are part of it.
  const at = event?.occurredAt
  expect(await find({ from: at, to: at })).toEqual(['team.create Early'])
  expect(await refusal(owner.api.listOrganizationAuditEvents({ params, query: { from: 'yesterday' } }))).toBe(
    '400 query.from',
  )
})

test('only administrators read the log, with a token without scopes', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  const event = { params: { ...params, auditEventId: (await list(acme))[0]?.id ?? '' } }
  const limited = await owner.api.createToken({ body: { label: 'x', scopes: ['organization:read'] } })
  const callers = [await acme.member('create'), { api: createClient({ url: octavo.url, token: limited.token }) }]
  for (const { api } of callers) {
    const attempts = [
      api.listOrganizationAuditEvents({ params }),
      api.getOrganizationAuditEvent(event),
      api.listOrganizationAuditEventActions({ params }),
      api.exportOrganizationAuditEvents({ params, body: { format: 'csv' } }),
      api.updateOrganizationAuditSettings({ params, body: { retentionDays: null } }),
    ]
    expect(await Promise.all(attempts.map(refusal))).toEqual(['403', '403', '403', '403', '403'])
  }
})

test('an event of another organization is not found, neither by its ID nor by a cursor', async () => {
  const [acme, rival] = [await makeOrganization(octavo), await makeOrganization(octavo, 'Rival')]
  await rival.team('Secret')
  const [secret] = await list(rival)
  const auditEventId = secret?.id ?? ''
  expect(await refusal(acme.owner.api.getOrganizationAuditEvent({ params: { ...acme.params, auditEventId } }))).toBe(
    '404',
  )
  const page = Buffer.from(JSON.stringify(['ffffffff-ffff-7fff-bfff-ffffffffffff'])).toString('base64url')
  const found = await list(acme, { page, target: secret?.target.id })
  expect(found).toEqual([])
})

test('events of an account are recorded in the organizations of its user, without the label of a token', async () => {
  const [acme, rival] = [await makeOrganization(octavo), await makeOrganization(octavo, 'Rival')]
  const anna = await acme.member('edit', 'Anna')
  await rival.add(anna, 'read')
  const { id } = await anna.api.createToken({ body: { label: 'Deploy Rival', scopes: ['space:read'] } })
  for (const organization of [acme, rival]) {
    const event = await newest(organization, { target: id })
    expect(event).toMatchObject({
      action: 'token.create',
      payload: { after: { user: anna.id, scopes: ['space:read'] } },
    })
    expect(JSON.stringify(event)).not.toContain('Deploy')
  }
  const loner = await octavo.person('Loner')
  const token = await loner.api.createToken({ body: { label: 'Alone' } })
  const { reader } = octavo.server.app.database
  const rows = await reader.selectFrom('audit_events').selectAll().where('target_id', '=', token.id).execute()
  expect(rows).toMatchObject([{ organization_id: null, actor_id: loner.id }])
})

test('events remain when their actor, target and members are gone', async () => {
  const acme = await makeOrganization(octavo)
  const admin = await acme.member('admin', 'Leaver')
  const { params } = acme
  const space = await admin.api.createSpace({ params, body: { title: 'Doomed' } })
  await admin.api.deleteSpaceById({ params: { spaceId: space.id } })
  await admin.api.removeMemberFromOrganizationById({ params: { ...params, userId: admin.id } })
  await advanceClock(octavo, days(8))
  const events = await list(acme, { target: space.id })
  expect(events.map(({ action, actor, target }) => [action, actor.label, target.label])).toEqual([
    ['space.purge', undefined, 'Doomed'],
    ['space.delete', 'Leaver', 'Doomed'],
    ['space.create', 'Leaver', 'Doomed'],
  ])
  expect(events[0]).toMatchObject({ source: 'script', actor: { type: 'system', id: 'system' } })
})

test('the first start is recorded as a change by the system', async () => {
  const { organizationId, api } = octavo.admin
  const { items } = await api.listOrganizationAuditEvents({ params: { organizationId }, query: { actor: 'system' } })
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['organization.create', 'space.create', 'token.create', 'site.create', 'site.publish']),
  )
})

test('the retention period deletes older events of one organization only', async () => {
  const [acme, keeper] = [await makeOrganization(octavo), await makeOrganization(octavo, 'Keeper')]
  const settings = await acme.owner.api.getOrganizationAuditSettings(acme)
  expect(settings).toEqual({ object: 'audit-settings', retentionDays: null })
  for (const retentionDays of [0, 29, -1, 1.5, 1e9])
    expect(await refusal(acme.owner.api.updateOrganizationAuditSettings({ ...acme, body: { retentionDays } }))).toBe(
      '400 body.retentionDays',
    )
  await acme.owner.api.updateOrganizationAuditSettings({ ...acme, body: { retentionDays: 30 } })
  await advanceClock(octavo, days(29))
  expect(await list(acme)).toHaveLength(2)
  await acme.team('Recent')
  await advanceClock(octavo, days(1) + hours(2))
  expect((await list(acme)).map(({ action }) => action)).toEqual(['team.create'])
  expect((await list(keeper)).map(({ action }) => action)).toEqual(['organization.create'])
})

test('events of sessions and of provisioning have their own sources', async () => {
  const acme = await makeOrganization(octavo)
  const { database, clock } = octavo.server.app
  const user = { id: acme.owner.id, display_name: 'Owner', email: acme.owner.email }
  const stored = { ...user, photo_url: null, is_operator: 0 as const, created_at: '', updated_at: '' }
  const context = {
    now: () => new Date(clock()).toISOString(),
    client: { address: '192.0.2.1', userAgent: undefined },
    principal: { user: stored, tokenId: 'session:s1', scopes: null, reach: unlimitedReach },
  }
  const organizationId = acme.params.organizationId
  await database.transaction(async (db) => {
    const target = { type: 'user' as const, id: user.id }
    await recordAuditEvent({ ...context, db }, { action: 'user.sign-out', organizationId, target })
    const actor = { kind: 'scim' as const, id: 'scim-1', name: 'Directory' }
    await recordAuditEvent({ ...context, db }, { action: 'scim.user-update', organizationId, target, actor })
  })
  const [scim, session] = await list(acme)
  expect(scim).toMatchObject({
    source: 'integration',
    actor: { type: 'integration', id: 'scim-1', label: 'Directory' },
  })
  expect(session).toMatchObject({ source: 'ui', actor: { type: 'user', id: user.id, label: 'Owner' } })
})

test('failed sign-ins of unknown accounts are kept for a while, and only the operator sees them', async () => {
  const { database, clock } = octavo.server.app
  const now = () => new Date(clock()).toISOString()
  await database.transaction((db) =>
    recordAccountEvent({ db, now, client: { address: '192.0.2.1', userAgent: 'x'.repeat(9999) } }, 'nobody', {
      action: 'user.sign-in-failed',
      target: { type: 'user', id: 'nobody', title: 'n@example.com' },
    }),
  )
  const find = () => database.reader.selectFrom('audit_events').selectAll().where('target_id', '=', 'nobody').execute()
  expect(await find()).toMatchObject([
    { organization_id: null, actor_kind: 'anonymous', client_address: '192.0.2.1', user_agent: 'x'.repeat(300) },
  ])
  await advanceClock(octavo, days(91))
  expect(await find()).toEqual([])
})

/** Exports events and returns the file. */
async function exportEvents(owner: Person, params: { organizationId: string }, body: { format: 'csv' | 'jsonl' }) {
  const { url } = await owner.api.exportOrganizationAuditEvents({ params, body })
  const reply = await fetch(url)
  return { url, reply, text: await reply.text() }
}

test('an export contains all matching events, and is itself recorded', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  // More than one page of rows.
  const { id } = await acme.team('Many')
  const { database, clock } = octavo.server.app
  const [row] = await database.reader.selectFrom('audit_events').selectAll().where('target_id', '=', id).execute()
  const copies = Array.from({ length: 2100 }, (_, index) => ({
    ...(row as NonNullable<typeof row>),
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  }))
  await database.transaction(async (db) => {
    for (let start = 0; start < copies.length; start += 100)
      await db
        .insertInto('audit_events')
        .values(copies.slice(start, start + 100))
        .execute()
  })
  const { reply, text } = await exportEvents(owner, params, { format: 'jsonl' })
  expect(reply.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="audit-events.jsonl"')
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; id: string })
  expect(events.map(({ action }) => action).slice(0, 3)).toEqual(['audit.export', 'team.create', 'organization.create'])
  expect(new Set(events.map((event) => event.id)).size).toBe(2103)
  expect(events[1]).toEqual(
    await owner.api.getOrganizationAuditEvent({ params: { ...params, auditEventId: row?.id ?? '' } }),
  )
  const filtered = { format: 'csv' as const, action: 'team.create', from: new Date(clock() - hours(1)).toISOString() }
  const lines = (await exportEvents(owner, params, filtered)).text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^id,created_at,organization_id,action,/)
})

test('formulas in CSV cells are neutralized, and quotes and line breaks are quoted', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  for (const title of ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', 'a,"b"\nc']) await acme.team(title)
  const { text, reply } = await exportEvents(owner, params, { format: 'csv' })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  for (const cell of [`"'=HYPERLINK(""http://x"")"`, `,'+1,`, `,'-1,`, `,'@SUM(A1),`, `"a,""b""\nc"`])
    expect(text).toContain(cell)
  expect(text).not.toMatch(/(?:^|,)"?[=+\-@]/m)
})

test('the address of an export cannot be changed, used for another organization, or used after ten minutes', async () => {
  const [acme, rival] = [await makeOrganization(octavo), await makeOrganization(octavo, 'Rival')]
  const { url } = await exportEvents(acme.owner, acme.params, { format: 'csv' })
  const other = Buffer.from(JSON.stringify({ format: 'jsonl' })).toString('base64url')
  const [, key = ''] = /audit-exports\/\w+\/([\w-]+)\//.exec(url) ?? []
  const forged = [
    url.replace(acme.params.organizationId, rival.params.organizationId),
    url.replace(key, other),
    url.replace(/signature=.*/, 'signature='),
    url.replace(/expires=\d+/, 'expires=9999999999999'),
    url.replace(/\?.*/, ''),
  ]
  expect(await Promise.all(forged.map(async (address) => (await fetch(address)).status))).toEqual([
    404, 404, 404, 404, 404,
  ])
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  octavo.clock.advance(minutes(11))
  expect((await fetch(url)).status).toBe(404)
})

test('long values and titles are truncated', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  await owner.api.updateOrganizationById({
    params,
    body: { emailDomains: Array.from({ length: 100 }, (_, index) => `${'d'.repeat(60)}${index}.example`) },
    headers: { 'user-agent': 'U'.repeat(5000) },
  })
  const { payload } = await newest(acme)
  expect(payload.client?.userAgent).toHaveLength(300)
  expect(payload.after?.['emailDomains']).toMatch(/^\["d+0\.example".*…$/)
  expect(JSON.stringify(payload).length).toBeLessThan(2000)
})
