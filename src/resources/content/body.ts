import { evaluateDocument } from '../../content/document/evaluate.ts'
import type { Document } from '../../content/document/nodes.ts'
import { makeExpressionScope } from '../../content/expression/index.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { type Variables, readObject } from '../../content/revision/objects.ts'
import { emptyDocument, expandReusableContents } from '../../content/revision/reusable-contents.ts'
import type { LocatedPage, Tree } from '../../content/revision/tree.ts'
import type { DocumentQuery, PageQuery } from '../../contract/revision.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import { createRelativeReferences } from './links.ts'
import type { VisitorView } from '../../visitors/visitor-view.ts'

export { emptyDocument }

export async function readDocumentObject(tree: Tree, hash: string | undefined): Promise<Document> {
  return hash === undefined ? emptyDocument : (await readObject(tree.objects, 'document', hash)).document
}

/** Returns the text of a page in the requested format. */
export async function readPageBody(
  tree: Tree,
  located: LocatedPage,
  query: PageQuery,
  visitorView: VisitorView | undefined,
): Promise<{ document?: Document; markdown?: string }> {
  const { page } = located
  if (query.format === undefined) return {}
  const document = await readPageDocument(tree, located, query, visitorView)
  if (query.format === 'document') return { document: presentDocument(document) }
  const references =
    query['format.markdown.refs'] === 'stable'
      ? verbatimReferences
      : await createRelativeReferences(tree, located, document, visitorView)
  return { markdown: printPage({ title: page.title, document }, references) }
}

/** Returns the document of a page, dereferenced and evaluated as the query requests. */
export async function readPageDocument(
  tree: Tree,
  { page }: LocatedPage,
  query: DocumentQuery,
  visitorView: VisitorView | undefined,
): Promise<Document> {
  const document = await readDocumentObject(tree, page.document)
  return prepareDocument(tree, document, query, { pageVariables: page.variables, visitorView })
}

/** Inserts reusable contents into a document and evaluates its expressions, if the query requests it. */
export async function prepareDocument(
  tree: Tree,
  document: Document,
  { evaluated, dereferenced }: DocumentQuery,
  { pageVariables, visitorView }: { pageVariables?: Variables | undefined; visitorView?: VisitorView | undefined } = {},
): Promise<Document> {
  const expanded = dereferenced === false ? document : (await expandReusableContents(tree, document)).document
  // For visitors, the document is always evaluated, so that it contains only what they may see.
  if (visitorView) return visitorView.evaluate(expanded, pageVariables)
  if (evaluated === false) return expanded
  const scope = makeExpressionScope({ spaceVariables: tree.root.variables, pageVariables })
  return evaluateDocument(expanded, scope, evaluated === true ? 'all' : evaluated)
}
