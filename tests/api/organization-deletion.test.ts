import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tables } from '../../src/schema/tables.ts'
import { findStorageUsage } from '../../src/storage/storage-usage.ts'
import { editLive, insertPage } from '../support/content.ts'
import { addFiles, inlineFile, upload } from '../support/files.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Returns the tables that have rows of an organization. */
async function findTablesWithRows(organizationId: string): Promise<string[]> {
  const { reader, engine } = octavo.server.app.database
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{
          name: keyof Tables
        }>`select tables.name from sqlite_master as tables, pragma_table_info(tables.name) as columns
          where tables.type = 'table' and columns.name = 'organization_id'`
      : sql<{ name: keyof Tables }>`select table_name as name from information_schema.columns
          where column_name = 'organization_id' and table_schema = current_schema()`
  ).execute(reader)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: matching } = await sql`select 1 from ${sql.table(name)}
      where organization_id = ${organizationId} limit 1`.execute(reader)
    if (matching.length > 0) found.push(name)
  }
  return found
}

test('an organization is deleted with everything, and others keep their content', async () => {
  const [acme, other] = [await makeOrganization(octavo, 'Acme'), await makeOrganization(octavo, 'Other')]
  const { owner, params } = acme
  const { organizationId } = params
  const writer = await acme.member('create')
  const parent = await acme.collection('Guides')
  const [space, kept] = [await acme.space('Space', { parent: parent.id }), await other.space('Kept')]
  await acme.team('Writers', [writer])
  await addFiles(owner, space.id, inlineFile('a', 'a'.repeat(100)))
  await addFiles(other.owner, kept.id, inlineFile('a', 'a'.repeat(100)))
  await upload(owner, organizationId, 'b', 'b'.repeat(50))
  await editLive(owner, space.id, insertPage('# Page'))
  await owner.api.deleteSpaceById({ params: { spaceId: (await acme.space('Deleted')).id } })
  const site = await owner.api.createSite({ params, body: { title: 'Docs', spaces: [space.id] } })
  const siteParams = { ...params, siteId: site.id }
  await owner.api.addImageToSite({ params: siteParams, body: { data: btoa('GIF89a') } })
  await owner.api.publishSite({ params: siteParams })
  const invite = await owner.api.createOrganizationInvite({ params, body: { role: 'admin' } })

  const remove = (title = 'Acme') => owner.api.deleteOrganizationById({ params, query: { title } })
  expect(await refusal(remove())).toBe('409')
  await owner.api.unpublishSite({ params: siteParams })
  expect(await refusal(remove('acme'))).toBe('400 query.title')
  expect(await refusal(writer.api.deleteOrganizationById({ params, query: { title: 'Acme' } }))).toBe('403')
  expect((await owner.api.getOrganizationById({ params })).title).toBe('Acme')

  await remove()
  for (const { api } of [owner, writer]) {
    expect(await refusal(api.getOrganizationById({ params }))).toBe('404')
    expect(await refusal(api.getSpaceById({ params: { spaceId: space.id } }))).toBe('404')
    expect((await api.listOrganizationsForAuthenticatedUser({})).items).toEqual([])
  }
  const join = { params: { ...params, inviteId: invite.id } }
  expect(await refusal(other.owner.api.joinOrganizationWithInvite(join))).toBe('404')

  await waitUntil(async () => (await findTablesWithRows(organizationId)).length === 0, 'nothing of it is left')
  const { reader } = octavo.server.app.database
  await waitUntil(
    async () =>
      (await reader.selectFrom('organizations').select('id').where('id', '=', organizationId).execute()).length === 0,
    'the organization is deleted',
  )
  expect(await findStorageUsage(reader, organizationId)).toEqual({ organization: 0, instance: 100 })
  expect(await other.owner.api.getSpaceById({ params: { spaceId: kept.id } })).toMatchObject({ title: 'Kept' })
  const { items } = await other.owner.api.listFiles({ params: { spaceId: kept.id } })
  expect(items).toMatchObject([{ name: 'a', size: 100 }])
})
