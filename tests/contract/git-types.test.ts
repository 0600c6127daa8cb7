import { afterAll, beforeAll, expect, test } from 'vitest'
import { GitProvider } from '../../src/contract/git-sync.ts'
import { emptySpace } from '../support/content.ts'
import { waitForGitOperations, mainBranch } from '../support/git.ts'
import { OfficialSchemas, officialDocument } from '../support/official-schemas.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Validates all replies that describe the repository of a space against the schemas of the public API.

let octavo: TestServer
let schemas: OfficialSchemas
beforeAll(async () => {
  schemas = new OfficialSchemas()
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

/** Connects a space with a repository and returns the schema violations of its replies by operation. */
async function problemsWith(body: { url: string; provider?: 'github' | 'gitlab' }): Promise<Record<string, string[]>> {
  const { api, organizationId } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  await api.updateSpaceGitInfo({ params, body: { ...body, ref: mainBranch } })
  await api.importGitRepository({ params, body: { url: body.url, ref: mainBranch } })
  await waitForGitOperations(octavo.admin, spaceId)
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Site', spaces: [spaceId] } })
  const all = await api.listSpacesInOrganizationById({ params: { organizationId }, query: { limit: 1000 } })
  const replies = {
    getSpaceGitInfo: await api.getSpaceGitInfo({ params }),
    getSpaceById: await api.getSpaceById({ params }),
    listSpacesInOrganizationById: { ...all, items: all.items.filter(({ id }) => id === spaceId) },
    listSiteSpaces: await api.listSiteSpaces({ params: { organizationId, siteId: site.id }, query: {} }),
  }
  expect(replies.getSpaceGitInfo).toMatchObject({ operation: { direction: 'import', state: 'failure' } })
  return Object.fromEntries(
    Object.entries(replies).map(([operation, reply]) => [operation, schemas.problemsOf(operation, 200, reply)]),
  )
}

const unreachable = 'http://127.0.0.1:1/team/docs.git'

test('replies about repositories on GitHub and GitLab match the schemas of the public API', async () => {
  for (const provider of ['github', 'gitlab'] as const) {
    const problems = await problemsWith({ url: unreachable, provider })
    expect(Object.values(problems).flat()).toEqual([])
  }
})

const missing = (place: string): string =>
  `${place}: must have required property 'installationProvider' {"missingProperty":"installationProvider"}`

test('replies about a repository on another host differ from the public API only in the absent provider', async () => {
  // The public API requires `installationProvider`, but has no value for other hosts.
  const problems = await problemsWith({ url: unreachable })
  expect(problems).toEqual({
    getSpaceGitInfo: [missing('/')],
    getSpaceById: [missing('/gitSync')],
    listSpacesInOrganizationById: [missing('/items/0/gitSync')],
    listSiteSpaces: [missing('/items/0/space/gitSync')],
  })
})

test('the providers equal those of the public API', () => {
  const { components } = officialDocument() as unknown as {
    components: { schemas: { GitSyncProvider: { enum: string[] } } }
  }
  expect(GitProvider.options).toEqual(components.schemas.GitSyncProvider.enum)
})
