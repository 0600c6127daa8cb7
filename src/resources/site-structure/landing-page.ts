import type { StoredSiteItem } from '../../access/sites.ts'
import type { Lineage } from '../../content/revision/lineages.ts'
import { type PageEntry, readObject } from '../../content/revision/objects.ts'
import { type Sequence, readSequence } from '../../content/revision/sequence.ts'
import { type Tree, findLineageIds } from '../../content/revision/tree.ts'

/** Returns the page that the URL of a site space itself shows: the chosen page if it still exists, otherwise the first document. */
export async function findLandingPageId(tree: Tree, { row }: StoredSiteItem): Promise<string | undefined> {
  if (row.page_id !== null && (await findLineageIds(tree, row.page_id))) return row.page_id
  return findFirstDocumentId(tree, tree.root.pages)
}

async function findFirstDocumentId(tree: Tree, pages: Sequence<PageEntry>): Promise<string | undefined> {
  for (const { id, type, hash, levels = 0 } of await readSequence(tree.objects, pages)) {
    if (type === 'document') return id
    if (type !== 'group' || levels === 0) continue
    const group = await readObject(tree.objects, 'page', hash)
    const inside = await findFirstDocumentId(tree, group.pages)
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Returns the path of a page below the URL of its site space; empty for the page that this URL itself shows. */
export async function getPathInSiteSpace(tree: Tree, item: StoredSiteItem, lineage: Lineage): Promise<string> {
  if ((await findLandingPageId(tree, item)) === lineage.at(-1)?.entry.id) return ''
  return lineage.map(({ entry }) => entry.slug).join('/')
}
