import type { ContentRef, Document, FileRef } from '../../../content/document/nodes.ts'
import { mapReferences, collectReferences } from '../../../content/document/references.ts'
import type { PageMetadata } from '../../../content/markdown/front-matter.ts'
import { isPath, parseStableDestination } from '../../../content/markdown/references.ts'
import { fileOfPage, folderOf, resolvePath, pagePathOf } from '../../../content/repository/paths.ts'
import type { Draft } from '../../../content/revision/draft.ts'
import { decodePercent } from '../../../kernel/decode-percent.ts'
import { findHomePageId } from '../links.ts'

/** Ids of inserted items, by their refs in the list of changes. */
export interface BatchRefs {
  pages: ReadonlyMap<string, string>
  files: ReadonlyMap<string, string>
  reusableContents: ReadonlyMap<string, string>
}

const noRefs: BatchRefs = { pages: new Map(), files: new Map(), reusableContents: new Map() }

/**
 * Replaces paths in a document with references to existing items. Paths follow the navigation, like those written by
 * `createRelativeReferences`. Paths without a target are left unchanged.
 */
export async function resolveLinks(
  draft: Draft,
  document: Document,
  pageId: string | undefined,
  refs: BatchRefs = noRefs,
): Promise<Document> {
  const ownPath = pageId === undefined ? 'README.md' : await findFilePathInDraft(draft, pageId)
  const resolved = new Map<string, ContentRef>()
  for (const destination of new Set(collectReferences(document).flatMap(({ ref }) => destinationOf(ref) ?? []))) {
    const target = await resolveDestination(draft, ownPath, destination, refs)
    if (target) resolved.set(destination, target)
  }
  if (resolved.size === 0) return document
  return mapReferences(document, (ref) => resolved.get(destinationOf(ref) ?? '') ?? ref)
}

/** Replaces paths in the front matter of a page with references, like `resolveLinks`. */
export async function resolveMetadata(
  draft: Draft,
  { cover, metaLinks }: PageMetadata,
  pageId: string,
  refs: BatchRefs,
): Promise<Pick<PageMetadata, 'cover' | 'metaLinks'>> {
  const ownPath = await findFilePathInDraft(draft, pageId)
  const resolveRef = async <Ref extends ContentRef>(ref: Ref): Promise<Ref> => {
    const destination = destinationOf(ref)
    const target = destination === undefined ? undefined : await resolveDestination(draft, ownPath, destination, refs)
    return (target as Ref | undefined) ?? ref
  }
  const resolveFileRef = async (ref: FileRef): Promise<FileRef> => {
    const target: ContentRef = await resolveRef<ContentRef>(ref)
    return target.kind === 'file' ? target : ref
  }
  return {
    ...(cover && {
      cover: {
        ...cover,
        ref: await resolveFileRef(cover.ref),
        ...(cover.refDark && { refDark: await resolveFileRef(cover.refDark) }),
      },
    }),
    ...(metaLinks && {
      metaLinks: {
        ...(metaLinks.canonical && { canonical: await resolveRef(metaLinks.canonical) }),
        ...(metaLinks.alternates && { alternates: await Promise.all(metaLinks.alternates.map(resolveRef)) }),
      },
    }),
  }
}

/** Returns the destination that a reference was parsed from, if it can be a path. */
function destinationOf(ref: ContentRef): string | undefined {
  if (ref.kind === 'url') return isPath(ref.url) ? ref.url : undefined
  // `/pages/about` can be the id of a page or a path.
  if (ref.kind === 'page' && ref.space === undefined) return `/pages/${ref.page}`
  if (ref.kind === 'anchor' && ref.page !== undefined && ref.space === undefined)
    return `/pages/${ref.page}#${ref.anchor}`
  return undefined
}

async function resolveDestination(
  draft: Draft,
  ownPath: string,
  destination: string,
  refs: BatchRefs,
): Promise<ContentRef | undefined> {
  const at = destination.indexOf('#')
  const [path, anchor] = at < 0 ? [destination, undefined] : [destination.slice(0, at), destination.slice(at + 1)]
  const name = /^\.\/(.+)$/.exec(path)?.[1]
  if (name !== undefined) {
    const file = refs.files.get(name)
    if (file !== undefined) return { kind: 'file', file }
    const reusableContent = refs.reusableContents.get(name.replace(/\.md$/, ''))
    if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
    const page = name.endsWith('.md') ? refs.pages.get(name.slice(0, -3)) : undefined
    if (page !== undefined) return pageRef(page, anchor)
  }
  const page = await findLinkedPage(draft, ownPath, decodePercent(path))
  return page === undefined ? undefined : pageRef(page, anchor)
}

const pageRef = (page: string, anchor: string | undefined): ContentRef =>
  anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }

async function findLinkedPage(draft: Draft, ownPath: string, path: string): Promise<string | undefined> {
  if (path === '' || parseStableDestination(path)?.kind === 'file') return undefined
  const fromTop = /^\/pages\/(.*)$/.exec(path)?.[1]
  if (fromTop !== undefined && (await draft.findPage(fromTop))) return fromTop
  const file = fromTop ?? resolvePath(folderOf(ownPath), path)
  if (file === undefined) return undefined
  for (const pagePath of pagePathsOf(file)) {
    const page = await findPageAt(draft, pagePath)
    if (page !== undefined) return page
  }
  return undefined
}

/** Returns the possible page paths of a file: a README is the page of its folder, or a page with the slug `readme`. */
function pagePathsOf(file: string): string[] {
  const plain = file.replace(/\.md$/i, '')
  if (!/(^|\/)readme\.md$/i.test(file)) return [pagePathOf(file)]
  return file.endsWith('README.md') ? [pagePathOf(file), plain] : [plain, pagePathOf(file)]
}

async function findPageAt(draft: Draft, path: string): Promise<string | undefined> {
  const top = await draft.children(null)
  if (path === '') return findHomePageId(top)
  let entries = top
  let found: string | undefined
  for (const slug of path.toLowerCase().split('/')) {
    found = entries.find((entry) => entry.slug.toLowerCase() === slug && entry.type !== 'link')?.id
    if (found === undefined) return undefined
    entries = await draft.children(found)
  }
  return found
}

async function findFilePathInDraft(draft: Draft, pageId: string): Promise<string> {
  return fileOfPage(await draft.pathOf(pageId), {
    isHome: findHomePageId(await draft.children(null)) === pageId,
    hasChildren: (await draft.children(pageId)).length > 0,
  })
}
