import { importInto } from '../../src/cli/import-into.ts'
import { openLocalFolder } from '../../src/cli/folder.ts'
import { getUserByIdOrEmail } from '../../src/cli/tokens.ts'
import { storeAsset } from '../../src/resources/content/folder.ts'
import { emptySpace } from './content.ts'
import type { RepositoryFolder } from './repositories.ts'
import { type PublishedSite, publishSpaces } from './published-sites.ts'
import type { TestServer } from './server.ts'

/** Repository that is published as a site. */
export interface PublishedRepository extends PublishedSite {
  name: string
  spaces: string[]
  /** Number of pages. */
  pages: number
}

const silent = { step() {}, report() {}, end() {} }

/** Imports a folder into a space like the command; returns the number of pages. */
async function importFolder({ server: { app }, admin }: TestServer, spaceId: string, path: string): Promise<number> {
  const { database, blobs, clock, queue } = app
  const services = { database, blobs, clock }
  const folder = await openLocalFolder(path, (file, bytes) => storeAsset(services, file, bytes))
  const author = await getUserByIdOrEmail(database.reader, admin.id)
  const importing = {
    services,
    objects: app.openObjects(database.reader, admin.organizationId),
    enqueue: queue.enqueue,
    openObjects: app.openObjects,
    progress: silent,
    yieldIfDue: async () => {},
  }
  const { pages } = await importInto(importing, { folder }, { kind: 'space', spaceId, author })
  return pages
}

/** Publishes repositories as sites; if a repository has several folders, each of them is a section. */
export async function publishRepositories(
  octavo: TestServer,
  allFolders: readonly RepositoryFolder[],
): Promise<PublishedRepository[]> {
  const repositories = new Map<string, RepositoryFolder[]>()
  for (const folder of allFolders) {
    const [name = ''] = folder.name.split('/')
    repositories.set(name, [...(repositories.get(name) ?? []), folder])
  }
  const published: PublishedRepository[] = []
  for (const [name, folders] of repositories) {
    const spaces: string[] = []
    let pages = 0
    for (const folder of folders) {
      const spaceId = await emptySpace(octavo.admin, folder.name.split('/').at(-1))
      pages += await importFolder(octavo, spaceId, folder.path)
      spaces.push(spaceId)
    }
    const site = await publishSpaces(octavo, spaces.slice(0, 1), { title: name })
    for (const spaceId of spaces.slice(1)) {
      await octavo.admin.api.addSectionToSite({ params: site.params, body: { spaceId } })
    }
    published.push({ ...site, name, spaces, pages })
  }
  return published
}
