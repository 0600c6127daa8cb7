import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSpace } from '../support/official-documents.ts'
import { type PublishedRepository, publishRepositories } from '../support/published-corpus.ts'
import { ownRepositories } from '../support/repositories.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let repositories: PublishedRepository[]
beforeAll(async () => {
  octavo = await startTestServer()
  repositories = await publishRepositories(octavo, ownRepositories)
})
afterAll(() => octavo.stop())

test(
  'all revisions and documents of the repositories match the public schema and can be sent back unchanged',
  { timeout: 120_000 },
  async () => {
    for (const { name, spaces, pages } of repositories) {
      let count = 0
      for (const spaceId of spaces) count += await checkSpace(octavo, spaceId)
      expect(count, name).toBe(pages)
    }
  },
)
