import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Change, editLive, emptySpace, readLive } from './content.ts'
import type { Admin } from './server.ts'

/** Creates a space with these changes, and returns shortcuts for tests. */
export async function spaceWith(admin: Admin, ...changes: Change[]) {
  const spaceId = await emptySpace(admin)
  const pages = changes.length > 0 ? await editLive(admin, spaceId, ...changes) : []
  const params = { spaceId }
  return {
    spaceId,
    params,
    /** Ids of the created pages in order. */
    pages,
    page: (index: number) => pages[index] as string,
    edit: (...more: Change[]) => editLive(admin, spaceId, ...more),
    revision: async () => (await admin.api.getSpaceById({ params })).revision,
    read: (id: string) => readLive(admin, spaceId, id),
    /** Returns the paths of all pages in order; titles for links. */
    paths: async () => pathsOf((await admin.api.listPages({ params })).pages),
  }
}

function pathsOf(pages: readonly RevisionPage[]): string[] {
  return pages.flatMap((page) => ('path' in page ? [page.path, ...pathsOf(page.pages)] : [page.title]))
}
