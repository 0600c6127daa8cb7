import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPage, writePage } from '../support/content.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { type TranslatedSpace, translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const organization = () => ({ organizationId: octavo.admin.organizationId })

const makeTranslation = (): Promise<TranslatedSpace> =>
  translatedSpace(octavo, [insertPage('Secret text.', { title: 'Secret' })])

const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
  const error = (await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as { status?: number } | undefined
  return error?.status ?? 'accepted'
}

/** Calls each operation on a translation; returns the status of each refusal. */
const callAll = async ({ api }: Person, params: { organizationId: string; translationId: string }) => ({
  get: await refusalOf(api.getTranslation({ params })),
  runs: await refusalOf(api.listTranslationRuns({ params, query: {} })),
  findings: await refusalOf(api.listTranslationFindings({ params, query: {} })),
  update: await refusalOf(api.updateTranslation({ params, body: { runAfterMerge: false } })),
  run: await refusalOf(api.runTranslation({ params })),
  cancel: await refusalOf(api.cancelTranslationRun({ params })),
})

const allNotFound = { get: 404, runs: 404, findings: 404, update: 404, run: 404, cancel: 404 }

describe('a translation of a space', () => {
  test('is visible to those who can read the source, and changed by those who may create content there', async () => {
    const { params, sourceId } = await makeTranslation()
    const [reader, editor, creator] = [
      await octavo.member('read', 'Reader'),
      await octavo.member('edit', 'Editor'),
      await octavo.member('create', 'Creator'),
    ]
    const readOnly = { get: 'accepted', runs: 'accepted', findings: 'accepted', update: 403, run: 403, cancel: 403 }
    expect(await callAll(reader, params)).toEqual(readOnly)
    expect(await callAll(editor, params)).toEqual(readOnly)
    expect((await reader.api.getTranslation({ params })).permissions).toEqual({ view: true, edit: false })
    expect((await creator.api.getTranslation({ params })).permissions).toEqual({ view: true, edit: true })
    expect(Object.values(await callAll(creator, params))).toEqual(Array.from({ length: 6 }, () => 'accepted'))
    await octavo.admin.api.getTranslation({ params })

    const body = { language: 'de', source: { space: sourceId, language: 'en' } } as const
    expect(await refusalOf(editor.api.createTranslation({ params: organization(), body }))).toBe(403)
  })

  test('is invisible to members who cannot read the source, to guests and to other organizations', async () => {
    const { params, sourceId } = await makeTranslation()
    const creator = await octavo.member('create', 'Somebody')
    const guest = await octavo.member(null, 'Guest')
    await octavo.admin.api.updateSpaceById({ params: { spaceId: sourceId }, body: { defaultLevel: null } })
    expect(await callAll(creator, params)).toEqual(allNotFound)
    const visible = await creator.api.listTranslations({ params: organization(), query: {} })
    expect(visible.items.map(({ id }) => id)).not.toContain(params.translationId)
    expect(visible.count).toBe(visible.items.length)
    await creator.api.deleteTranslation({ params })
    const body = { language: 'de', source: { space: sourceId, language: 'en' } } as const
    const missing = { language: 'de', source: { space: 'missing', language: 'en' } } as const
    const refusals = await Promise.all(
      [body, missing].map(async (one) =>
        creator.api.createTranslation({ params: organization(), body: one }).catch((error: Error) => error.message),
      ),
    )
    expect(refusals[0]).toBe(refusals[1])
    expect(await callAll(guest, params)).toEqual({
      get: 403,
      runs: 403,
      findings: 403,
      update: 403,
      run: 403,
      cancel: 403,
    })

    const stranger = await octavo.person('Stranger')
    const foreign = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
    expect(await callAll(stranger, params)).toEqual(allNotFound)
    expect(await callAll(stranger, { ...params, organizationId: foreign.id })).toEqual(allNotFound)
    const ofForeign = { organizationId: foreign.id }
    expect(await refusalOf(stranger.api.createTranslation({ params: ofForeign, body }))).toBe(404)
    await stranger.api.deleteTranslation({ params: { ...params, organizationId: foreign.id } })
    await octavo.admin.api.getTranslation({ params })
  })

  test('shows texts of the translated space only to those who can read it', async () => {
    const translated = await makeTranslation()
    const { params } = translated
    const reader = await octavo.member('read', 'Another reader')
    const creator = await octavo.member('create', 'Another creator')
    const spaceId = translated.translation.result?.space ?? ''
    const { pages } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
    await translated.editResult(writePage(pages[0]?.id ?? '', 'Un texte.'))
    await translated.editSource(writePage(pages[0]?.id ?? '', 'Another text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    const { items } = await octavo.admin.api.listTranslationFindings({ params, query: {} })
    await octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    expect(await callAll(reader, params)).toMatchObject({ get: 'accepted', findings: 404 })
    const finding = { params: { ...params, findingId: items[0]?.id ?? '' }, body: { use: 'machine' as const } }
    expect(await refusalOf(creator.api.resolveTranslationFinding(finding))).toBe(404)

    // Somebody who can only read it cannot change it by resolving a finding.
    await octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: 'read' } })
    expect(await refusalOf(creator.api.resolveTranslationFinding(finding))).toBe(403)
    expect((await octavo.admin.api.getTranslation({ params })).openFindings).toBe(1)
  })

  test('runs with the rights of who started it', async () => {
    const own = await translatedSpace(octavo, [insertPage('Some text.', { title: 'Start' })])
    const creator = await octavo.member('create', 'Starter')
    const release = own.engine.hold()
    await own.editSource(insertPage('More text.', { title: 'More' }))
    await creator.api.runTranslation({ params: own.params })
    const { organizationId } = octavo.admin
    await octavo.admin.api.removeMemberFromOrganizationById({ params: { organizationId, userId: creator.id } })
    release()
    const { failure } = await waitForTranslation(octavo.admin, own.params.translationId)
    expect(failure).toBe('The user who started the run can no longer translate the source space')
    expect((await own.run()).failure).toBeUndefined()
  })
})

test('a translation has the permissions of its source', async () => {
  const own = await translatedSpace(octavo, [insertPage('Some text.', { title: 'Start' })])
  const guest = await octavo.member(null, 'Invited guest')
  await octavo.admin.api.inviteToSpace({ params: { spaceId: own.sourceId }, body: { role: 'read', users: [guest.id] } })
  const created = await octavo.admin.api.createTranslation({
    params: organization(),
    body: { language: 'es', source: { space: own.sourceId, language: 'en' } },
  })
  const done = await waitForTranslation(octavo.admin, created.id)
  const spaceId = done.result?.space ?? ''
  expect(await refusalOf(guest.api.getSpaceById({ params: { spaceId } }))).toBe('accepted')
})
