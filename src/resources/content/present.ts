import type {
  FileObject,
  ItemEntry,
  PageEntry,
  PageLayout as StoredLayout,
  PageObject,
  ReusableContentObject,
  TagDefinition,
} from '../../content/revision/objects.ts'
import type { PageNode } from '../../content/revision/tree.ts'
import type {
  GitBlob,
  PageLayout,
  PageMetaLinks,
  RevisionFile,
  RevisionPage,
  RevisionReusableContent,
  RevisionSubpage,
  RevisionTag,
  TableOfContentsPage,
} from '../../contract/revision.ts'
import { type LinkContext, documentIdOf, downloadUrlOf } from './signed-links.ts'
import type { GitBlobs } from './git-listing.ts'

const defaultLayout: PageLayout = {
  width: 'default',
  cover: false,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
}

/** Presents a page with its descendants; `parentPath` is the path of its parent, empty at the top level. */
export function presentPage(
  { entry, page, children }: PageNode,
  parentPath: string,
  linkContext: LinkContext,
  gitBlobs: GitBlobs,
): RevisionPage {
  const path = joinPath(parentPath, entry.slug)
  // Groups exist only at the top level, so children are never groups.
  const pages = () => children.map((child) => presentPage(child, path, linkContext, gitBlobs) as RevisionSubpage)
  const base = {
    id: entry.id,
    title: page.title,
    ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    ...(page.condition !== undefined && { condition: page.condition }),
  }
  const hidden = page.hidden !== undefined && { hidden: page.hidden }
  const indexing = {
    ...hidden,
    ...(page.noIndex !== undefined && { noIndex: page.noIndex }),
    ...(page.noRobotsIndex !== undefined && { noRobotsIndex: page.noRobotsIndex }),
  }
  switch (entry.type) {
    case 'document':
      return {
        ...base,
        kind: 'sheet',
        type: 'document',
        urls: { app: linkContext.urls.app(`/spaces/${linkContext.spaceId}/pages/${entry.id}`) },
        slug: entry.slug,
        path,
        ...(page.description !== undefined && { description: page.description }),
        ...presentGitBlob(entry.id, gitBlobs),
        layout: presentLayout(page),
        ...(page.cover && { cover: page.cover }),
        ...(page.variables && { variables: page.variables }),
        ...indexing,
        ...(page.metaLinks && { metaLinks: presentMetaLinks(page) }),
        tags: (page.tags ?? []).map(({ tag, primary }) => ({
          tag: { kind: 'tag' as const, tag },
          ...(primary !== undefined && { primary }),
        })),
        ...(page.document !== undefined && { documentId: documentIdOf(linkContext, page.document) }),
        ...(page.computed && { computed: page.computed, computedSeed: entry.id }),
        pages: pages(),
      }
    case 'group':
      return { ...base, kind: 'group', type: 'group', slug: entry.slug, path, ...indexing, pages: pages() }
    case 'link': {
      const target = page.target ?? { kind: 'url', url: '' }
      const href = target.kind === 'url' && { href: target.url }
      return { ...base, kind: 'link', type: 'link', target, ...href, ...hidden }
    }
    case 'computed':
      return { ...base, type: 'computed', computed: page.computed ?? { type: '', props: {} } }
  }
}

/** Presents a page as a table of contents shows it, without its child pages; `pages` is absent if it has none. */
export function presentTableOfContentsPage(
  { entry, page }: Pick<PageNode, 'entry' | 'page'>,
  parentPath: string,
  hasChildren: boolean,
): TableOfContentsPage {
  const hasPath = entry.type === 'document' || entry.type === 'group'
  return {
    id: entry.id,
    type: entry.type,
    title: page.title,
    ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
    ...(hasPath && { path: joinPath(parentPath, entry.slug) }),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(page.hidden !== undefined && { hidden: page.hidden }),
    ...(hasChildren && { pages: [] }),
  }
}

const joinPath = (parentPath: string, slug: string): string => (parentPath === '' ? slug : `${parentPath}/${slug}`)

/** Presents the layout of a page, with defaults for missing options. */
export function presentLayout({ layout, cover }: PageObject): PageLayout {
  if (!layout && !cover) return defaultLayout
  return { ...defaultLayout, cover: cover !== undefined, ...(layout as StoredLayout & Record<string, never>) }
}

/** Presents the meta links of a page; only references to pages and URLs are valid there. */
export function presentMetaLinks({ metaLinks }: PageObject): PageMetaLinks {
  type Target = NonNullable<PageMetaLinks['canonical']>
  const targets = (refs: readonly { kind: string }[]) =>
    refs.filter(({ kind }) => kind === 'page' || kind === 'url') as Target[]
  const [canonical] = targets(metaLinks?.canonical ? [metaLinks.canonical] : [])
  return {
    ...(canonical && { canonical }),
    ...(metaLinks?.alternates && { alternates: targets(metaLinks.alternates) }),
  }
}

export function presentFile(
  entry: ItemEntry,
  file: FileObject,
  linkContext: LinkContext,
  gitBlobs: GitBlobs,
): RevisionFile {
  return {
    id: entry.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: downloadUrlOf(linkContext, entry, file),
    size: file.size,
    ...(file.dimensions && { dimensions: file.dimensions }),
    ...presentGitBlob(entry.id, gitBlobs),
  }
}

export function presentReusableContent(
  id: string,
  content: ReusableContentObject,
  linkContext: LinkContext,
  gitBlobs: GitBlobs,
): RevisionReusableContent {
  return {
    id,
    title: content.title,
    ...presentGitBlob(id, gitBlobs),
    document: documentIdOf(linkContext, content.document),
    urls: { app: linkContext.urls.app(`/spaces/${linkContext.spaceId}/reusable/${id}`) },
  }
}

function presentGitBlob(id: string, gitBlobs: GitBlobs): { git?: GitBlob } {
  const git = gitBlobs.get(id)
  return git ? { git } : {}
}

export const presentTag = (slug: string, { label, color = 'default', emoji, icon }: TagDefinition): RevisionTag => ({
  slug,
  label,
  color,
  ...(emoji !== undefined && { emoji }),
  ...(icon !== undefined && { icon }),
})

export const presentChangedPage = (entry: PageEntry, page: Pick<PageObject, 'title'>, path: string | undefined) => ({
  id: entry.id,
  type: entry.type,
  title: page.title,
  ...(path !== undefined && { path }),
})
