import { documentOf } from '../../content/document/build.ts'
import { dereference } from '../../content/document/dereference.ts'
import { evaluateDocument } from '../../content/document/evaluate.ts'
import type { Document } from '../../content/document/nodes.ts'
import { withAnchors } from '../../content/document/outline.ts'
import { referencesIn } from '../../content/document/references.ts'
import { scopeOf } from '../../content/expression/index.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatim } from '../../content/markdown/references.ts'
import { slugOf } from '../../content/markdown/slug.ts'
import { type Variables, readObject, readObjects } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import type { LocatedPage, Tree } from '../../content/revision/tree.ts'
import type { DocumentQuery, PageQuery } from '../../contract/revision.ts'
import { relativeReferences } from './links.ts'

export const emptyDocument = documentOf([])

export async function readDocumentObject(tree: Tree, hash: string | undefined): Promise<Document> {
  return hash === undefined ? emptyDocument : (await readObject(tree.objects, 'document', hash)).document
}

/** The text of a page in the format that was asked for. */
export async function readBody(
  tree: Tree,
  located: LocatedPage,
  query: PageQuery,
): Promise<{ document?: Document; markdown?: string }> {
  const { page } = located
  if (query.format === undefined) return {}
  const document = await readPageDocument(tree, located, query)
  if (query.format === 'document') return { document: withAnchors(document, slugOf) }
  const references =
    query['format.markdown.refs'] === 'stable' ? verbatim : await relativeReferences(tree, located, document)
  return { markdown: printPage({ title: page.title, document }, references) }
}

/** The document of a page, prepared as the query asks. */
export async function readPageDocument(tree: Tree, { page }: LocatedPage, query: DocumentQuery): Promise<Document> {
  const document = await readDocumentObject(tree, page.document)
  return prepared(tree, document, query, page.variables)
}

/** A document with its references replaced and its expressions evaluated, as far as the query asks for it. */
export async function prepared(
  tree: Tree,
  document: Document,
  { evaluated, dereferenced }: DocumentQuery,
  pageVariables: Variables = {},
): Promise<Document> {
  const whole = dereferenced === false ? document : await withReusableContents(tree, document)
  if (evaluated === false) return whole
  const scope = scopeOf({ spaceVariables: tree.root.variables, pageVariables })
  return evaluateDocument(whole, scope, evaluated === true ? 'all' : evaluated)
}

/** How many reusable contents one document may draw in. */
const maxDrawnIn = 1000

async function withReusableContents(tree: Tree, document: Document): Promise<Document> {
  const known = new Map<string, Document>()
  let waiting = reusableContentsIn(document)
  while (waiting.length > 0 && known.size < maxDrawnIn) {
    const entries = [...(await findInSorted(tree.objects, tree.root.reusableContents, waiting)).values()]
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
    entries.forEach(({ id }, index) => known.set(id, documents[index]?.document ?? emptyDocument))
    const further = documents.flatMap((one) => reusableContentsIn(one.document))
    waiting = [...new Set(further)].filter((id) => !known.has(id))
    if (entries.length === 0) break
  }
  return dereference(document, (id, space) => (space === undefined ? known.get(id) : undefined))
}

function reusableContentsIn(document: Document): string[] {
  const ids = referencesIn(document).flatMap(({ ref }) =>
    ref.kind === 'reusable-content' && ref.space === undefined ? [ref.reusableContent] : [],
  )
  return [...new Set(ids)]
}
