import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Change, editLive, emptySpace, readLive } from './content.ts'
import type { Admin } from './server.ts'

/** A space with these changes made to it, and a name for each thing that tests do to it. */
export async function spaceWith(admin: Admin, ...changes: Change[]) {
  const spaceId = await emptySpace(admin)
  const pages = changes.length > 0 ? await editLive(admin, spaceId, ...changes) : []
  const params = { spaceId }
  return {
    spaceId,
    params,
    /** The ids of the pages that the changes created, in their order. */
    pages,
    page: (index: number) => pages[index] as string,
    edit: (...more: Change[]) => editLive(admin, spaceId, ...more),
    revision: async () => (await admin.api.getSpaceById({ params })).revision,
    read: (id: string) => readLive(admin, spaceId, id),
    /** The paths of all pages, in order; of links their titles. */
    paths: async () => pathsOf((await admin.api.listPages({ params })).pages),
  }
}

function pathsOf(pages: readonly RevisionPage[]): string[] {
  return pages.flatMap((page) => ('path' in page ? [page.path, ...pathsOf(page.pages)] : [page.title]))
}
