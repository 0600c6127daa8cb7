import type { Document } from '../../content/document/nodes.ts'
import { type NamedEntry, type PageEntry, readObject, readObjects } from '../../content/revision/objects.ts'
import { countSequence, findInSorted, rangeOfSorted, readSequence } from '../../content/revision/sequence.ts'
import {
  type LocatedPage,
  type PageNode,
  type Tree,
  findPage,
  findPageByPath,
  readPages,
} from '../../content/revision/tree.ts'
import type {
  DocumentQuery,
  GitCommit,
  PageByPath,
  PageMetaLinks,
  PageQuery,
  Revision,
  RevisionFile,
  RevisionPage,
  RevisionReusableContent,
  RevisionSummary,
} from '../../contract/revision.ts'
import type { PageTree } from '../../contract/content.ts'
import type { ListQuery, Page } from '../../contract/shared.ts'
import type { BaseContext, SpaceContext, SpaceReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { JsonStream } from '../../kernel/json-stream.ts'
import { JsonText } from '../../kernel/json-text.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import type { Row } from '../../schema/tables.ts'
import { loadChangeRequestPresenter } from '../../domain/change-requests/change-request-queries.ts'
import type { Content } from '../../domain/revisions/revisions.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import { type Addresses, readDocumentId } from './addresses.ts'
import { prepared, readBody, readDocumentObject, readPageDocument } from './body.ts'
import { cacheText, cachedText, cachingPieces } from './cached-texts.ts'
import { type GitListing, type Metadata, gitListingOf } from './git-places.ts'
import { presentFile, presentMetaLinks, presentPage, presentReusableContent, presentTag } from './present.ts'
import { Sight } from './sight.ts'
import { type Computed, documentIds, identityOf, writeFiles, writePages } from './stream.ts'

// Reads the content of a revision: the head of a space, the head of a change request, or a revision given by its id.

export const addressesIn = ({ urls, signer, now }: BaseContext, spaceId: string): Addresses => ({
  spaceId,
  urls,
  signer,
  now,
})

/** Streams the whole content of a revision. */
export async function readRevision(
  context: SpaceReadContext,
  content: Content,
  query: Metadata & Computed,
): Promise<JsonStream<Revision>> {
  const { tree, revision } = content
  const addresses = addressesIn(context, context.space.id)
  const sight = Sight.of(context, tree)
  const git = gitListingOf(content, query, { inPassing: true })
  const { variables } = tree.root
  const summarize = sight ? () => summaryForVisitors(revision, context) : await summarizer(context, [revision], query)
  const head = JSON.stringify({
    ...summarize(revision),
    tags: Object.entries(tree.root.tags).map(([slug, tag]) => presentTag(slug, tag)),
    ...(Object.keys(variables).length > 0 && { variables }),
  })
  return new JsonStream(`${head} ${identityOf(revision.root_hash, addresses, git, sight, query)}`, async function* () {
    yield `${head.slice(0, -1)},"reusableContents":`
    yield JSON.stringify(sight ? [] : await reusableContentsOf(tree, addresses, git))
    yield ',"files":'
    yield* writeFiles(tree, addresses, git, sight)
    yield ',"pages":'
    yield* writePages(tree, addresses, git, sight, query)
    yield '}'
  })
}

/** Presents a revision for visitors, without its author, commit and change request. */
function summaryForVisitors(row: Row<'revisions'>, { urls, space }: SpaceReadContext): RevisionSummary {
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
export async function summarizer(
  context: SpaceReadContext,
  rows: readonly Row<'revisions'>[],
  { metadata }: Metadata,
): Promise<(row: Row<'revisions'>) => RevisionSummary> {
  const { db, urls, space } = context
  const users = await loadUsers(
    db,
    rows.map((row) => row.created_by),
  )
  const merged = await loadChangeRequestPresenter(
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
        return { ...head, type: 'merge', mergedFrom: merged(row.merged_from_id ?? '') }
      case 'computed':
        return { ...head, type: 'computed', sourceRevision: head.parents[0] ?? row.id }
      default:
        return { ...head, type: row.type }
    }
  }
}

/** Streams all pages of a revision, or returns them from the cache. */
export function readPageTree(
  context: SpaceReadContext,
  content: Content,
  query: Metadata & Computed,
): JsonStream<PageTree> | JsonText<PageTree> {
  const { tree, revision } = content
  const addresses = addressesIn(context, context.space.id)
  const sight = Sight.of(context, tree)
  const git = gitListingOf(content, query, { inPassing: true })
  const identity = identityOf(revision.root_hash, addresses, git, sight, query)
  const pieces = async function* () {
    yield '{"pages":'
    yield* writePages(tree, addresses, git, sight, query)
    yield '}'
  }
  if (sight) return new JsonStream(identity, pieces)
  const key = `pages ${identity}`
  const text = cachedText(key)
  if (text !== undefined) return new JsonText(identity, text)
  return new JsonStream(identity, () => cachingPieces(key, pieces()))
}

export async function getLocated({ tree }: Content, pageId: string, sight?: Sight): Promise<LocatedPage> {
  const located = await findPage(tree, pageId)
  if (!located || (sight && !(await sight.reaches(located)))) throw notFound('page')
  return located
}

export async function readPage(
  context: SpaceReadContext,
  content: Content,
  pageId: string,
  query: PageQuery,
): Promise<JsonText<RevisionPage>> {
  return asText(context, content, ['page', pageId], query, async (sight) =>
    present(context, content, await getLocated(content, pageId, sight), query),
  )
}

export async function readPageByPath(
  context: SpaceReadContext,
  content: Content,
  path: string,
  query: PageQuery,
): Promise<JsonText<PageByPath>> {
  return asText(context, content, ['path', path], query, async (sight) => {
    const located = await findPageByPath(content.tree, path.replace(/^\/+|\/+$/g, ''))
    if (!located || (sight && !(await sight.reaches(located)))) throw notFound('page')
    const page = await present(context, content, located, query)
    if (page.type !== 'document' && page.type !== 'group') throw notFound('page')
    return page
  })
}

/** Returns a page as JSON, cached for callers who see all content. */
async function asText<Shown>(
  context: SpaceReadContext,
  content: Content,
  place: readonly string[],
  query: PageQuery,
  read: (sight: Sight | undefined) => Promise<Shown>,
): Promise<JsonText<Shown>> {
  const sight = Sight.of(context, content.tree)
  const addresses = addressesIn(context, context.space.id)
  const identity = identityOf(content.revision.root_hash, addresses, gitListingOf(content, query), sight, query)
  const key = JSON.stringify([place, query, identity])
  const known = sight ? undefined : cachedText(key)
  if (known !== undefined) return new JsonText(known, known)
  const text = JSON.stringify(await read(sight))
  if (!sight) cacheText(key, text)
  return new JsonText(text, text)
}

async function present(
  context: SpaceReadContext,
  content: Content,
  located: LocatedPage,
  query: PageQuery,
): Promise<RevisionPage> {
  const { tree } = content
  const addresses = addressesIn(context, context.space.id)
  const sight = Sight.of(context, tree)
  const below = await readPages(tree.objects, located.page.pages)
  const seen = sight ? sight.among(below) : below
  const children = query.computed || sight ? withoutComputed(seen) : seen
  const above = located.ancestors.map(({ slug }) => slug).join('/')
  const node = { ...located, page: sight?.shown(located.page) ?? located.page, children }
  const places = await gitListingOf(content, query).placesOf(documentIds(entriesOf(node)))
  const page = presentPage(node, above, addresses, places)
  return page.type === 'document' ? { ...page, ...(await readBody(tree, located, query, sight)) } : page
}

const withoutComputed = (nodes: readonly PageNode[]): PageNode[] =>
  nodes.flatMap((node) =>
    node.entry.type === 'computed' ? [] : [{ ...node, children: withoutComputed(node.children) }],
  )

/** Returns the entries of a page and all its descendants. */
function entriesOf(node: PageNode): PageEntry[] {
  const entries: PageEntry[] = []
  const note = ({ entry, children }: PageNode): void => {
    entries.push(entry)
    children.forEach(note)
  }
  note(node)
  return entries
}

export async function readDocumentOfPage(
  context: SpaceReadContext,
  content: Content,
  pageId: string,
  query: DocumentQuery,
): Promise<Document> {
  const sight = Sight.of(context, content.tree)
  const located = await getLocated(content, pageId, sight)
  if (located.entry.type !== 'document') throw notFound('document')
  return presentDocument(await readPageDocument(content.tree, located, query, sight))
}

export async function readMetaLinks(
  context: SpaceReadContext,
  content: Content,
  pageId: string,
): Promise<PageMetaLinks> {
  return presentMetaLinks((await getLocated(content, pageId, Sight.of(context, content.tree))).page)
}

export async function listFiles(
  context: SpaceReadContext,
  content: Content,
  query: ListQuery & Metadata,
): Promise<Page<RevisionFile>> {
  const { tree } = content
  const after = decodeCursor(query.page, 1)
  const entries = await rangeOfSorted(tree.objects, tree.root.files, after?.[0], query.limit + 1)
  const shown = await filesOf(context, content, entries, query)
  const byId = new Map(shown.map((file) => [file.id, file]))
  return toPage(
    entries,
    query,
    await countSequence(tree.objects, tree.root.files),
    ({ id }) => [id],
    ({ id }) => byId.get(id) as RevisionFile,
  )
}

async function filesOf(
  context: SpaceReadContext,
  content: Content,
  entries: readonly NamedEntry[],
  query: Metadata,
): Promise<RevisionFile[]> {
  const addresses = addressesIn(context, context.space.id)
  const files = await readObjects(
    content.tree.objects,
    'file',
    entries.map(({ hash }) => hash),
  )
  const places = await gitListingOf(content, query).placesOf(entries.map(({ id }) => id))
  return files.map((file, index) => presentFile(entries[index] as NamedEntry, file, addresses, places))
}

export async function readFile(
  context: SpaceReadContext,
  content: Content,
  fileId: string,
  query: Metadata,
): Promise<RevisionFile> {
  const { tree } = content
  const entry = (await findInSorted(tree.objects, tree.root.files, [fileId])).get(fileId)
  const shown = entry && (await Sight.of(context, tree)?.files())
  const isShown = entry && (shown?.has(entry.id) ?? true)
  const [file] = await filesOf(context, content, isShown ? [entry] : [], query)
  if (!file) throw notFound('file')
  return file
}

async function reusableContentsOf(
  tree: Tree,
  addresses: Addresses,
  git: GitListing,
): Promise<RevisionReusableContent[]> {
  const entries = await readSequence(tree.objects, tree.root.reusableContents)
  const contents = await readObjects(
    tree.objects,
    'reusable-content',
    entries.map(({ hash }) => hash),
  )
  const places = await git.placesOf(entries.map(({ id }) => id))
  return contents.map((one, index) => presentReusableContent((entries[index] as NamedEntry).id, one, addresses, places))
}

async function getReusableContent({ tree }: Content, id: string) {
  const entry = (await findInSorted(tree.objects, tree.root.reusableContents, [id])).get(id)
  if (!entry) throw notFound('reusable content')
  return readObject(tree.objects, 'reusable-content', entry.hash)
}

export async function readReusableContent(
  context: SpaceReadContext,
  content: Content,
  id: string,
  query: Metadata,
): Promise<RevisionReusableContent> {
  const reusableContent = await getReusableContent(content, id)
  const places = await gitListingOf(content, query).placesOf([id])
  return presentReusableContent(id, reusableContent, addressesIn(context, context.space.id), places)
}

export async function readDocumentOfReusableContent(
  content: Content,
  id: string,
  query: DocumentQuery,
): Promise<Document> {
  const { document } = await getReusableContent(content, id)
  const stored = await readDocumentObject(content.tree, document)
  return presentDocument(await prepared(content.tree, stored, query))
}

export async function readDocumentById(context: SpaceContext, documentId: string): Promise<Document> {
  const hash = readDocumentId({ spaceId: context.space.id, signer: context.signer }, documentId)
  if (hash === undefined) throw notFound('document')
  const objects = context.openObjects(context.db, context.space.organization_id)
  return presentDocument((await readObject(objects, 'document', hash)).document)
}
