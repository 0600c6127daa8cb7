import { type Objects, type PageEntry, type PageObject, readObjects } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { TableOfContents } from '../../contract/content.ts'
import type { ContentQuery, RevisionPage, TableOfContentsPage } from '../../contract/revision.ts'
import { JsonStream } from '../../kernel/json-stream.ts'
import { type LinkContext, downloadPeriodAt } from './signed-links.ts'
import { type GitBlobs, type GitListing, emptyListing } from './git-listing.ts'
import { presentFile, presentPage, presentTableOfContentsPage } from './present.ts'
import type { VisitorView } from '../../visitors/visitor-view.ts'

// Replies with the whole content of a revision, streamed because a space can have 100,000 pages.

/** Approximate number of objects in memory at the same time, if the tree allows it. */
const batchSize = 500

/** Returns a cache key of everything that the streamed part of a reply depends on. */
export function contentIdentityOf(
  rootHash: string,
  { spaceId, urls, now }: LinkContext,
  git: GitListing,
  visitorView: VisitorView | undefined,
  { computed, isTableOfContents = false }: TreeQuery,
): string {
  return [
    rootHash,
    spaceId,
    urls.plain(''),
    downloadPeriodAt(now()),
    git.identity,
    visitorView?.identity,
    computed,
    isTableOfContents,
  ].join(' ')
}

/** Query option: `computed: false` includes computed pages as declared, otherwise replaces them by generated pages. */
export type ComputedQuery = Pick<ContentQuery, 'computed'>

/** Query of a tree of pages. */
export interface TreeQuery extends ComputedQuery {
  /** Whether pages have only the fields that a table of contents shows. */
  isTableOfContents?: boolean
}

export async function* writePages(
  { objects, root }: Tree,
  linkContext: LinkContext,
  git: GitListing,
  visitorView: VisitorView | undefined,
  { computed, isTableOfContents = false }: TreeQuery,
): AsyncGenerator<string> {
  const showsComputed = !computed && !visitorView
  const present: WriteContext['present'] = isTableOfContents
    ? presentListedPage
    : (page, parentPath, _, gitBlobs) => presentPage({ ...page, children: [] }, parentPath, linkContext, gitBlobs)
  yield* writeTree({ objects, root }, { objects, git, visitorView, showsComputed, present })
}

const presentListedPage: WriteContext['present'] = (page, parentPath, hasChildren) =>
  presentTableOfContentsPage(page, parentPath, hasChildren)

/** Streams the table of contents of content that belongs to no space, for example of a template. */
export function streamTableOfContents(identity: string, tree: Tree): JsonStream<TableOfContents> {
  const { objects } = tree
  const context = {
    objects,
    git: emptyListing,
    visitorView: undefined,
    showsComputed: true,
    present: presentListedPage,
  }
  return new JsonStream(identity, async function* () {
    yield '{"pages":'
    yield* writeTree(tree, context)
    yield '}'
  })
}

async function* writeTree({ objects, root }: Tree, context: WriteContext): AsyncGenerator<string> {
  const { lists, gitBlobs } = await readPageObjects(context, [await readSequence(objects, root.pages)])
  yield '['
  yield* writePageList(context, lists[0] ?? [], '', gitBlobs)
  yield ']'
}

interface WriteContext {
  objects: Objects
  git: GitListing
  visitorView: VisitorView | undefined
  showsComputed: boolean
  present: (
    page: Page,
    parentPath: string,
    hasChildren: boolean,
    gitBlobs: GitBlobs,
  ) => RevisionPage | TableOfContentsPage
}

interface Page {
  entry: PageEntry
  page: PageObject
}

async function* writePageList(
  context: WriteContext,
  pages: readonly Page[],
  parentPath: string,
  gitBlobs: GitBlobs,
): AsyncGenerator<string> {
  let separator = ''
  for (const batch of batchPages(pages)) {
    const entries = await Promise.all(batch.map(({ page }) => readSequence(context.objects, page.pages)))
    const children = await readPageObjects(context, entries)
    for (const [index, page] of batch.entries()) {
      const childPages = children.lists[index] ?? []
      const presented = context.present(page, parentPath, childPages.length > 0, gitBlobs)
      yield separator
      separator = ','
      if (!('pages' in presented)) {
        yield JSON.stringify(presented)
        continue
      }
      const { pages: _, ...head } = presented
      yield `${JSON.stringify(head).slice(0, -1)},"pages":[`
      if (childPages.length > 0) yield* writePageList(context, childPages, presented.path ?? '', children.gitBlobs)
      yield ']}'
    }
  }
}

/** Splits pages into groups with about `batchSize` pages including children, which are read together. */
function* batchPages(pages: readonly Page[]): Iterable<readonly Page[]> {
  let batch: Page[] = []
  let count = 0
  for (const page of pages) {
    batch.push(page)
    count += 1 + page.page.pages.entries.length
    if (count < batchSize) continue
    yield batch
    batch = []
    count = 0
  }
  if (batch.length > 0) yield batch
}

async function readPageObjects(
  { objects, git, visitorView, showsComputed }: WriteContext,
  lists: readonly (readonly PageEntry[])[],
): Promise<{ lists: Page[][]; gitBlobs: GitBlobs }> {
  const all = lists.flat()
  const hashes = all.map(({ hash }) => hash)
  const found = await readObjects(objects, 'page', hashes, { skipCache: true })
  let index = 0
  return {
    lists: lists.map((entries) =>
      entries
        .map((entry) => ({ entry, page: found[index++] as PageObject }))
        .flatMap(({ entry, page }) => {
          // No pages are generated from specifications yet, and front ends cannot render computed pages as declared.
          if (entry.type === 'computed' && !showsComputed) return []
          if (!visitorView) return [{ entry, page }]
          return visitorView.isVisible(page) ? [{ entry, page: visitorView.withoutCondition(page) }] : []
        }),
    ),
    gitBlobs: await git.findBlobs(documentIds(all)),
  }
}

/** Returns the ids of the pages that can have files. */
export const documentIds = (entries: readonly PageEntry[]): string[] =>
  entries.flatMap(({ id, type }) => (type === 'document' ? [id] : []))

export async function* writeFiles(
  { objects, root }: Tree,
  linkContext: LinkContext,
  git: GitListing,
  visitorView: VisitorView | undefined,
): AsyncGenerator<string> {
  const visibleIds = await visitorView?.findVisibleFileIds()
  const entries = (await readSequence(objects, root.files)).filter(({ id }) => visibleIds?.has(id) ?? true)
  yield '['
  for (let start = 0; start < entries.length; start += batchSize) {
    const batch = entries.slice(start, start + batchSize)
    const hashes = batch.map(({ hash }) => hash)
    const files = await readObjects(objects, 'file', hashes, { skipCache: true })
    const gitBlobs = await git.findBlobs(batch.map(({ id }) => id))
    const texts = batch.flatMap((entry, index) => {
      const file = files[index]
      return file ? [JSON.stringify(presentFile(entry, file, linkContext, gitBlobs))] : []
    })
    yield (start > 0 ? ',' : '') + texts.join(',')
  }
  yield ']'
}
