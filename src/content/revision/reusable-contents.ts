import { createDocument } from '../document/build.ts'
import { insertReusableContents } from '../document/reusable-contents.ts'
import type { Document } from '../document/nodes.ts'
import { collectReferences } from '../document/references.ts'
import { readObjects } from './objects.ts'
import { findInSorted } from './sequence.ts'
import type { Tree } from './tree.ts'

export const emptyDocument = createDocument([])

/** Maximum number of reusable contents that a document may include. */
const maxIncludedContents = 1000

/**
 * Replaces references to reusable contents in a document by their content; also returns the ids of all referenced reusable
 * contents, existing or not.
 */
export async function expandReusableContents(
  tree: Tree,
  document: Document,
  options?: { qualifiesKeys: boolean },
): Promise<{ document: Document; reused: ReadonlySet<string> }> {
  const documentsById = new Map<string, Document>()
  let pending = findReusableContentIds(document)
  const reused = new Set(pending)
  while (pending.length > 0 && documentsById.size < maxIncludedContents) {
    const entries = [...(await findInSorted(tree.objects, tree.root.reusableContents, pending)).values()]
    const contents = await readObjects(
      tree.objects,
      'reusable-content',
      entries.map(({ hash }) => hash),
    )
    const documents = await readObjects(
      tree.objects,
      'document',
      contents.map((content) => content.document),
    )
    entries.forEach(({ id }, index) => documentsById.set(id, documents[index]?.document ?? emptyDocument))
    pending = [...new Set(documents.flatMap((one) => findReusableContentIds(one.document)))].filter(
      (id) => !reused.has(id),
    )
    for (const id of pending) reused.add(id)
  }
  // Most documents include no reusable content and need not be traversed.
  if (documentsById.size === 0) return { document, reused }
  return {
    document: insertReusableContents(
      document,
      (id, space) => (space === undefined ? documentsById.get(id) : undefined),
      options,
    ),
    reused,
  }
}

function findReusableContentIds(document: Document): string[] {
  const ids = collectReferences(document).flatMap(({ ref }) =>
    ref.kind === 'reusable-content' && ref.space === undefined ? [ref.reusableContent] : [],
  )
  return [...new Set(ids)]
}
