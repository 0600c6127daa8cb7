import type { ListedFile } from '../revision/objects.ts'
import { type PageNode, type Tree, readPageNodes } from '../revision/tree.ts'
import { fileOfPage } from './paths.ts'

/** Returns the files that the pages of never imported or exported content would have, to match the pages by path. */
export async function deriveFilesFromPages({ objects, root }: Tree): Promise<Map<string, ListedFile>> {
  const files = new Map<string, ListedFile>()
  const pages = await readPageNodes(objects, root.pages)
  const home = pages.find(({ entry }) => entry.type === 'document')?.entry.id
  const visit = (nodes: readonly PageNode[], parentPath: string): void => {
    for (const { entry, children } of nodes) {
      const path = parentPath + entry.slug
      if (entry.type === 'document') {
        const file = fileOfPage(path, { isHome: entry.id === home, hasChildren: children.length > 0 })
        files.set(file, { id: file, oid: '', is: 'page', item: entry.id })
      }
      visit(children, `${path}/`)
    }
  }
  visit(pages, '')
  return files
}
