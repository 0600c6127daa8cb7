import type { ContentRef, Document } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { type References, parseStableDestination, printStableDestination } from '../../content/markdown/references.ts'
import { fileOfPage, relativeFilePath } from '../../content/repository/paths.ts'
import type { PageEntry } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { type LocatedPage, type Tree, findPage, pathOfPage } from '../../content/revision/tree.ts'
import type { VisitorView } from '../../visitors/visitor-view.ts'

/** Returns the id of the home page: the first document at the top level. */
export function findHomePageId(entries: readonly PageEntry[]): string | undefined {
  return entries.find(({ type }) => type === 'document')?.id
}

async function findFilePath(tree: Tree, located: LocatedPage): Promise<string> {
  const isHome = findHomePageId(await readSequence(tree.objects, tree.root.pages)) === located.entry.id
  return fileOfPage(pathOfPage(located), { isHome, hasChildren: located.page.pages.entries.length > 0 })
}

/**
 * Writes references to pages as relative paths of Markdown files that mirror the navigation: `<path>.md`, and
 * `<path>/README.md` for a page with children; `resolveLinks` reads them. References to pages that the visitor cannot
 * see are written with ids, because paths contain titles.
 */
export async function createRelativeReferences(
  tree: Tree,
  from: LocatedPage,
  document: Document,
  visitorView: VisitorView | undefined,
): Promise<References> {
  const files = new Map<string, string>()
  const ownPath = await findFilePath(tree, from)
  for (const { ref } of collectReferences(document)) {
    const page = pageIdOf(ref)
    if (page === undefined || files.has(page)) continue
    const located = await findPage(tree, page)
    // A link in the navigation has no file.
    if (!located || located.entry.type === 'link') continue
    if (visitorView === undefined || (await visitorView.isVisibleWithAncestors(located)))
      files.set(page, relativeFilePath(ownPath, await findFilePath(tree, located)))
  }
  return {
    resolve: (destination) => parseStableDestination(destination) ?? { kind: 'url', url: destination },
    print(ref) {
      const file = files.get(pageIdOf(ref) ?? '')
      if (file === undefined) return printStableDestination(ref)
      return ref.kind === 'anchor' ? `${file}#${ref.anchor}` : file
    },
  }
}

function pageIdOf(ref: ContentRef): string | undefined {
  return (ref.kind === 'page' || ref.kind === 'anchor') && ref.space === undefined ? ref.page : undefined
}
