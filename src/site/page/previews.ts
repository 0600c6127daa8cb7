import { findRefusal } from '../../publishing/visibility.ts'
import { accessRulesOf } from '../../access/sites.ts'
import { withoutPreview } from '../../visitors/visitor.ts'
import type { Document } from '../../content/document/nodes.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { type DocumentChanges, compareDocuments } from '../../render/changes.ts'
import type { PreviewBanner } from '../../render/shell/parts.ts'
import { type Texts, fillPlaceholders } from '../../render/texts.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { type NavigationEntry, walkNavigation } from './navigation.ts'
import type { PageFrame } from '../page-frame.ts'
import { type SitePage, SiteView, type SpaceView } from '../view.ts'

/** Document with its differences from the published content. */
export interface MarkedDocument {
  document: Document
  changes?: DocumentChanges
  /** Whether the page does not exist in the published content. */
  isNew: boolean
  summary: string | undefined
}

/** Marks the differences between a previewed page and the published one. */
export async function markChanges(
  space: SpaceView,
  { entry, page }: SitePage,
  document: Document,
  texts: Texts,
): Promise<MarkedDocument> {
  if (space.previewPath.length === 0) return { document, isNew: false, summary: undefined }
  const live = await openLiveSpace(space)
  const livePage = (await live?.findPagesById([entry.id]))?.get(entry.id)?.page
  if (!live || !livePage) return { document, isNew: true, summary: texts.addedHere }
  const compared = await compareDocuments(await live.readDocument(livePage), document, createYielder())
  const { added, changed, removed } = compared.counts
  const isRetitled = livePage.title !== page.title || livePage.description !== page.description
  const parts = [
    ...formatCount(texts.addedHere, added),
    ...formatCount(texts.changedHere, changed + (isRetitled ? 1 : 0)),
    ...formatCount(texts.removedHere, removed),
  ]
  const summary = parts.length === 0 ? texts.noChanges : parts.join(' · ')
  return { document: compared.document, changes: compared.changes, isNew: false, summary }
}

const formatCount = (label: string, count: number): string[] => (count === 0 ? [] : [`${label}: ${count}`])

/** Returns the ids of pages in the navigation that do not exist in the published content. */
export async function findNewPageIds(
  space: SpaceView,
  navigation: readonly NavigationEntry[],
): Promise<ReadonlySet<string>> {
  const live = space.previewPath.length === 0 ? undefined : await openLiveSpace(space)
  if (!live) return new Set()
  const ids = Array.from(walkNavigation(navigation), ({ entry }) => entry.id)
  const existing = await findInSorted(live.tree.objects, live.tree.root.parents, ids)
  return new Set(ids.filter((id) => !existing.has(id)))
}

/** Returns the banner of a page that is shown in a preview. */
export async function readPreviewBanner(
  { space, site: { texts } }: PageFrame,
  sitePage?: SitePage,
  summary?: string,
): Promise<PreviewBanner | undefined> {
  const { site } = space
  // A preview of the customization looks like the published page.
  if (!site.session.identity.visitor.isPreviewing || site.session.customization) return undefined
  if (space.previewPath.length === 0) {
    return { message: texts.preview, leaveHref: toEndPreviewHref(site.href(space.urlAt())), summary: undefined }
  }
  const live = await openLiveSpace(space)
  const livePage = sitePage && (await live?.findPagesById([sitePage.entry.id]))?.get(sitePage.entry.id)
  const leaveHref = site.href(livePage?.address ?? live?.urlAt() ?? site.session.siteBase)
  // Without the preview, the visitor may not be able to open the target.
  const isOpen =
    findRefusal(accessRulesOf(site.session.site), withoutPreview(site.session.identity.visitor)) === undefined
  return {
    message: await readPreviewMessage(space, texts),
    leaveHref: isOpen ? toEndPreviewHref(leaveHref) : leaveHref,
    summary,
  }
}

/** Returns a URL that ends the preview. */
const toEndPreviewHref = (href: string): string => `${href}?preview=`

async function readPreviewMessage({ site, item, previewPath }: SpaceView, texts: Texts): Promise<string> {
  const [, kind, name = ''] = previewPath
  if (kind !== 'changes') return texts.previewOfRevision
  const key = { organization_id: site.session.site.organization_id, id: item.spaceId ?? '' }
  const request = await findChangeRequest(site.context.db, key, name)
  return fillPlaceholders(
    texts.previewOfChange,
    [`#${request?.number ?? name}`, request?.subject && `(${request.subject})`].filter(Boolean).join(' '),
  )
}

/** Opens the published content of a previewed space. */
const openLiveSpace = ({ site, item }: SpaceView): Promise<SpaceView | undefined> =>
  new SiteView(site.context, site.session).openItem(item)
