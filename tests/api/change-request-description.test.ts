import { expect, test } from 'vitest'
import { propose } from '../support/content.ts'
import { serverForTest } from '../support/server.ts'

test('the description of a change request is written and read as Markdown', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const { params } = await propose(admin, admin.spaceId)
  expect(await admin.api.getChangeRequestDescription({ params })).toMatchObject({ markdown: '' })
  const markdown = 'Port 80 needs **root**.\n\n* one\n* two'
  await admin.api.setChangeRequestDescription({ params, body: { markdown } })
  expect(await admin.api.getChangeRequestDescription({ params })).toMatchObject({ markdown })
  const { description } = await admin.api.getChangeRequestById({ params })
  expect(description?.nodes.map(({ type }) => type)).toEqual(['paragraph', 'list-unordered'])
  await admin.api.setChangeRequestDescription({ params, body: { markdown: ' ' } })
  expect((await admin.api.getChangeRequestById({ params })).description).toBeUndefined()

  const reader = await octavo.member('read')
  await expect(reader.api.setChangeRequestDescription({ params, body: { markdown: 'No' } })).rejects.toMatchObject({
    status: 403,
  })
  await expect(
    admin.api.setChangeRequestDescription({ params, body: { markdown: 'a'.repeat(20_000) } }),
  ).rejects.toMatchObject({ status: 400 })
  await admin.api.mergeChangeRequest({ params })
  await expect(admin.api.setChangeRequestDescription({ params, body: { markdown: 'Late' } })).rejects.toMatchObject({
    status: 409,
  })
})
