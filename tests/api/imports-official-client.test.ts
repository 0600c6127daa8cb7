import { GitBookAPI, GitBookAPIError } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptySpace } from '../support/content.ts'
import { readLiveOutline, webPage, withLoopback } from '../support/imports.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

// Uses the published client of the GitBook API.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer(withLoopback)
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

test('the official client starts, follows and lists an import, and cannot cancel it once completed', async () => {
  const { organizationId } = octavo.admin
  const { url } = await serveWebsite({ '/': webPage('Home', '<p>Here</p>') })
  const space = await emptySpace(octavo.admin)
  const { data: started } = await client.org.startImportRun(organizationId, {
    source: { type: 'website', url },
    target: { space },
    site: 'any',
    enhance: false,
  })
  expect(started).toMatchObject({ object: 'import-run', status: 'pending', target: { space } })
  const ended = await waitUntil(async () => {
    const { data } = await client.org.getImportRun(organizationId, started.id)
    return data.status === 'completed' && data
  }, 'the import is done')
  expect(ended.pages).toMatchObject([
    { id: expect.any(String), sourceURL: `${url}/`, type: 'page', status: 'complete' },
  ])
  expect(await readLiveOutline(octavo.admin, space)).toBe('Home')
  const { data: list } = await client.org.listImportRuns(organizationId, { space, status: 'completed', limit: 5 })
  expect(list.items.map(({ id }) => id)).toEqual([started.id])
  const cancelling = client.org.cancelImportRun(organizationId, started.id)
  await expect(cancelling).rejects.toBeInstanceOf(GitBookAPIError)
  await expect(cancelling).rejects.toMatchObject({ code: 400 })
})
