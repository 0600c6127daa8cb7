import type { Document } from '../../content/document/nodes.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import {
  type ItemEntry,
  MissingObjectError,
  type PageEntry,
  readObject,
  readObjects,
} from '../../content/revision/objects.ts'
import { countSequence, findInSorted, readSortedRange, readSequence } from '../../content/revision/sequence.ts'
import {
  type LocatedPage,
  type PageNode,
  type Tree,
  findPage,
  findPageByPath,
  readPageNodes,
} from '../../content/revision/tree.ts'
import type {
  DocumentQuery,
  GitCommit,
  PageByPath,
  PageMetaLinks,
  PageQuery,
  ReusableContentQuery,
  Revision,
  RevisionFile,
  RevisionPage,
  RevisionReusableContent,
  RevisionSummary,
} from '../../contract/revision.ts'
import type { PageTree, TableOfContents } from '../../contract/content.ts'
import type { ListQuery, Paginated } from '../../contract/shared.ts'
import type { BaseContext, SpaceContext, SpaceReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { JsonStream } from '../../kernel/json-stream.ts'
import { JsonText } from '../../kernel/json-text.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { loadChangeRequestPresenter } from '../../domain/change-requests/change-request-queries.ts'
import type { RevisionContent } from '../../domain/revisions/revisions.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import { type LinkContext, readDocumentId } from './signed-links.ts'
import { prepareDocument, readPageBody, readDocumentObject, readPageDocument } from './body.ts'
import { cacheText, getCachedText, cachePieces } from './cached-texts.ts'
import { type GitListing, type MetadataQuery, openGitListing } from './git-listing.ts'
import { presentFile, presentMetaLinks, presentPage, presentReusableContent, presentTag } from './present.ts'
import { VisitorView } from '../../visitors/visitor-view.ts'
import { type ComputedQuery, type TreeQuery, documentIds, contentIdentityOf, writeFiles, writePages } from './stream.ts'

// Reads the content of a revision: the head of a space, the head of a change request, or a revision given by its id.

export const toLinkContext = ({ urls, signer, now }: BaseContext, spaceId: string): LinkContext => ({
  spaceId,
  urls,
  signer,
  now,
})

/** Streams the whole content of a revision. */
export async function readRevision(
  context: SpaceReadContext,
  content: RevisionContent,
  query: MetadataQuery & ComputedQuery,
): Promise<JsonStream<Revision>> {
  const { tree, revision } = content
  const linkContext = toLinkContext(context, context.space.id)
  const visitorView = VisitorView.of(context, tree)
  const git = openGitListing(content, query, { skipCache: true })
  const { variables } = tree.root
  const summarize = visitorView
    ? () => presentSummaryForVisitor(revision, context)
    : await loadRevisionPresenter(context, [revision], query)
  const head = JSON.stringify({
    ...summarize(revision),
    tags: Object.entries(tree.root.tags).map(([slug, tag]) => presentTag(slug, tag)),
    ...(Object.keys(variables).length > 0 && { variables }),
  })
  return new JsonStream(
    `${head} ${contentIdentityOf(content.rootHash, linkContext, git, visitorView, query)}`,
    async function* () {
      yield `${head.slice(0, -1)},"reusableContents":`
      yield JSON.stringify(visitorView ? [] : await readReusableContents(tree, linkContext, git))
      yield ',"files":'
      yield* writeFiles(tree, linkContext, git, visitorView)
      yield ',"pages":'
      yield* writePages(tree, linkContext, git, visitorView, query)
      yield '}'
    },
  )
}

/** Presents a revision for visitors, without its author, commit and change request. */
function presentSummaryForVisitor(row: Row<'revisions'>, { urls, space }: SpaceReadContext): RevisionSummary {
  return {
    object: 'revision',
    id: row.id,
    parents: JSON.parse(row.parents) as string[],
    createdAt: row.created_at,
    type: 'edits',
    urls: { app: urls.app(`/spaces/${space.id}/revisions/${row.id}`) },
  }
}

/** Returns a presenter for these revisions, without their content. */
export async function loadRevisionPresenter(
  context: SpaceReadContext,
  rows: readonly Row<'revisions'>[],
  { metadata }: MetadataQuery,
): Promise<(row: Row<'revisions'>) => RevisionSummary> {
  const { db, urls, space } = context
  const users = await loadUsers(
    db,
    rows.map((row) => row.created_by),
  )
  const presentMergedFrom = await loadChangeRequestPresenter(
    context,
    rows.flatMap((row) => row.merged_from_id ?? []),
  )
  return (row) => {
    const head = {
      object: 'revision' as const,
      id: row.id,
      parents: JSON.parse(row.parents) as string[],
      createdAt: row.created_at,
      ...(row.created_by !== null && { createdBy: presentUser(users.get(row.created_by), urls) }),
      ...(metadata && row.git !== null && { git: JSON.parse(row.git) as GitCommit }),
      urls: { app: urls.app(`/spaces/${space.id}/revisions/${row.id}`) },
    }
    switch (row.type) {
      case 'merge':
        return { ...head, type: 'merge', mergedFrom: presentMergedFrom(row.merged_from_id ?? '') }
      case 'computed':
        return { ...head, type: 'computed', sourceRevision: head.parents[0] ?? row.id }
      default:
        return { ...head, type: row.type }
    }
  }
}

/** Streams all pages of a revision, or returns them from the cache. */
export const readPageTree = (
  context: SpaceReadContext,
  content: RevisionContent,
  query: MetadataQuery & ComputedQuery,
): JsonStream<PageTree> | JsonText<PageTree> => streamPages(context, content, query)

/** Streams all pages of a revision as a table of contents shows them, or returns them from the cache. */
export const readTableOfContents = (
  context: SpaceReadContext,
  content: RevisionContent,
  { computed }: ComputedQuery,
): JsonStream<TableOfContents> | JsonText<TableOfContents> =>
  streamPages(context, content, { computed, metadata: false, isTableOfContents: true })

function streamPages<Reply>(
  context: SpaceReadContext,
  content: RevisionContent,
  query: MetadataQuery & TreeQuery,
): JsonStream<Reply> | JsonText<Reply> {
  const { tree } = content
  const linkContext = toLinkContext(context, context.space.id)
  const visitorView = VisitorView.of(context, tree)
  const git = openGitListing(content, query, { skipCache: true })
  const identity = contentIdentityOf(content.rootHash, linkContext, git, visitorView, query)
  const pieces = async function* () {
    yield '{"pages":'
    yield* writePages(tree, linkContext, git, visitorView, query)
    yield '}'
  }
  if (visitorView) return new JsonStream(identity, pieces)
  const key = `pages ${identity}`
  const text = getCachedText(key)
  if (text !== undefined) return new JsonText(identity, text)
  return new JsonStream(identity, () => cachePieces(key, pieces()))
}

export async function getLocatedPage(
  { tree }: RevisionContent,
  pageId: string,
  visitorView?: VisitorView,
): Promise<LocatedPage> {
  const located = await findPage(tree, pageId)
  if (!located || (visitorView && !(await visitorView.isVisibleWithAncestors(located)))) throw notFound('page')
  return located
}

export async function readPage(
  context: SpaceReadContext,
  content: RevisionContent,
  pageId: string,
  query: PageQuery,
): Promise<JsonText<RevisionPage>> {
  return readAsJsonText(context, content, ['page', pageId], query, async (visitorView) =>
    presentLocatedPage(context, content, await getLocatedPage(content, pageId, visitorView), query),
  )
}

export async function readPageByPath(
  context: SpaceReadContext,
  content: RevisionContent,
  path: string,
  query: PageQuery,
): Promise<JsonText<PageByPath>> {
  return readAsJsonText(context, content, ['path', path], query, async (visitorView) => {
    const located = await findPageByPath(content.tree, path.replace(/^\/+|\/+$/g, ''))
    if (!located || (visitorView && !(await visitorView.isVisibleWithAncestors(located)))) throw notFound('page')
    const page = await presentLocatedPage(context, content, located, query)
    if (page.type !== 'document' && page.type !== 'group') throw notFound('page')
    return page
  })
}

/** Returns a page as JSON, cached for callers who see all content. */
async function readAsJsonText<Value>(
  context: SpaceReadContext,
  content: RevisionContent,
  keyParts: readonly string[],
  query: PageQuery,
  read: (visitorView: VisitorView | undefined) => Promise<Value>,
): Promise<JsonText<Value>> {
  const visitorView = VisitorView.of(context, content.tree)
  const linkContext = toLinkContext(context, context.space.id)
  const identity = contentIdentityOf(content.rootHash, linkContext, openGitListing(content, query), visitorView, query)
  const key = JSON.stringify([keyParts, query, identity])
  const cached = visitorView ? undefined : getCachedText(key)
  if (cached !== undefined) return new JsonText(cached, cached)
  const text = JSON.stringify(await read(visitorView))
  if (!visitorView) cacheText(key, text)
  return new JsonText(text, text)
}

async function presentLocatedPage(
  context: SpaceReadContext,
  content: RevisionContent,
  located: LocatedPage,
  query: PageQuery,
): Promise<RevisionPage> {
  const { tree } = content
  const linkContext = toLinkContext(context, context.space.id)
  const visitorView = VisitorView.of(context, tree)
  const descendants = await readPageNodes(tree.objects, located.page.pages)
  const visible = visitorView ? visitorView.filterPages(descendants) : descendants
  const children = query.computed || visitorView ? withoutComputed(visible) : visible
  const parentPath = located.ancestors.map(({ slug }) => slug).join('/')
  const node = { ...located, page: visitorView?.withoutCondition(located.page) ?? located.page, children }
  const gitBlobs = await openGitListing(content, query).findBlobs(documentIds(collectEntries(node)))
  const page = presentPage(node, parentPath, linkContext, gitBlobs)
  return page.type === 'document' ? { ...page, ...(await readPageBody(tree, located, query, visitorView)) } : page
}

const withoutComputed = (nodes: readonly PageNode[]): PageNode[] =>
  nodes.flatMap((node) =>
    node.entry.type === 'computed' ? [] : [{ ...node, children: withoutComputed(node.children) }],
  )

/** Returns the entries of a page and all its descendants. */
function collectEntries(node: PageNode): PageEntry[] {
  const entries: PageEntry[] = []
  const visit = ({ entry, children }: PageNode): void => {
    entries.push(entry)
    children.forEach(visit)
  }
  visit(node)
  return entries
}

export async function readDocumentOfPage(
  context: SpaceReadContext,
  content: RevisionContent,
  pageId: string,
  query: DocumentQuery,
): Promise<Document> {
  const visitorView = VisitorView.of(context, content.tree)
  const located = await getLocatedPage(content, pageId, visitorView)
  if (located.entry.type !== 'document') throw notFound('document')
  return presentDocument(await readPageDocument(content.tree, located, query, visitorView))
}

export async function readMetaLinks(
  context: SpaceReadContext,
  content: RevisionContent,
  pageId: string,
): Promise<PageMetaLinks> {
  return presentMetaLinks((await getLocatedPage(content, pageId, VisitorView.of(context, content.tree))).page)
}

export async function listFiles(
  context: SpaceReadContext,
  content: RevisionContent,
  query: ListQuery & MetadataQuery,
): Promise<Paginated<RevisionFile>> {
  const { tree } = content
  const after = decodeCursor(query.page, 1)
  const entries = await readSortedRange(tree.objects, tree.root.files, after?.[0], query.limit + 1)
  const shown = await readFiles(context, content, entries, query)
  const byId = new Map(shown.map((file) => [file.id, file]))
  return toPage(
    entries,
    query,
    await countSequence(tree.objects, tree.root.files),
    ({ id }) => [id],
    ({ id }) => byId.get(id) as RevisionFile,
  )
}

async function readFiles(
  context: SpaceReadContext,
  content: RevisionContent,
  entries: readonly ItemEntry[],
  query: MetadataQuery,
): Promise<RevisionFile[]> {
  const linkContext = toLinkContext(context, context.space.id)
  const files = await readObjects(
    content.tree.objects,
    'file',
    entries.map(({ hash }) => hash),
  )
  const gitBlobs = await openGitListing(content, query).findBlobs(entries.map(({ id }) => id))
  return files.map((file, index) => presentFile(entries[index] as ItemEntry, file, linkContext, gitBlobs))
}

export async function readFile(
  context: SpaceReadContext,
  content: RevisionContent,
  fileId: string,
  query: MetadataQuery,
): Promise<RevisionFile> {
  const { tree } = content
  const entry = (await findInSorted(tree.objects, tree.root.files, [fileId])).get(fileId)
  const shown = entry && (await VisitorView.of(context, tree)?.findVisibleFileIds())
  const isShown = entry && (shown?.has(entry.id) ?? true)
  const [file] = await readFiles(context, content, isShown ? [entry] : [], query)
  if (!file) throw notFound('file')
  return file
}

const readReusableContents = async (tree: Tree, linkContext: LinkContext, git: GitListing) =>
  presentReusableContents(tree, await readSequence(tree.objects, tree.root.reusableContents), linkContext, git)

/** Presents some of the reusable contents of a tree. */
export async function presentReusableContents(
  tree: Tree,
  entries: readonly ItemEntry[],
  linkContext: LinkContext,
  git: GitListing,
): Promise<RevisionReusableContent[]> {
  const contents = await readObjects(
    tree.objects,
    'reusable-content',
    entries.map(({ hash }) => hash),
  )
  const gitBlobs = await git.findBlobs(entries.map(({ id }) => id))
  return contents.map((one, index) =>
    presentReusableContent((entries[index] as ItemEntry).id, one, linkContext, gitBlobs),
  )
}

export async function getReusableContent({ tree }: RevisionContent, id: string) {
  const entry = (await findInSorted(tree.objects, tree.root.reusableContents, [id])).get(id)
  if (!entry) throw notFound('reusable content')
  return readObject(tree.objects, 'reusable-content', entry.hash)
}

export async function readReusableContent(
  context: SpaceReadContext,
  content: RevisionContent,
  id: string,
  query: ReusableContentQuery,
): Promise<RevisionReusableContent> {
  const reusableContent = await getReusableContent(content, id)
  const gitBlobs = await openGitListing(content, query).findBlobs([id])
  const presented = presentReusableContent(id, reusableContent, toLinkContext(context, context.space.id), gitBlobs)
  if (query.format === undefined) return presented
  const document = await readDocumentObject(content.tree, reusableContent.document)
  return { ...presented, markdown: printPage({ title: reusableContent.title, document }, verbatimReferences) }
}

export async function readDocumentOfReusableContent(
  content: RevisionContent,
  id: string,
  query: DocumentQuery,
): Promise<Document> {
  const { document } = await getReusableContent(content, id)
  const stored = await readDocumentObject(content.tree, document)
  return presentDocument(await prepareDocument(content.tree, stored, query))
}

export async function readDocumentById(context: SpaceContext, documentId: string): Promise<Document> {
  const hash = readDocumentId({ spaceId: context.space.id, signer: context.signer }, documentId)
  if (hash === undefined) throw notFound('document')
  const objects = context.openObjects(context.db, context.space.organization_id)
  try {
    return presentDocument((await readObject(objects, 'document', hash)).document)
  } catch (error) {
    // Documents of generated pages are removed when they are generated again.
    throw error instanceof MissingObjectError ? notFound('document') : error
  }
}
