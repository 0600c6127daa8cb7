import { navigationTitleOf } from '../../content/revision/objects.ts'
import type { PageLayout, PageTracking, PageShell } from '../../render/shell/parts.ts'
import { formatDate } from '../../render/texts/locales.ts'
import { presentLayout } from '../../resources/content/present.ts'
import { createPageActions } from './actions.ts'
import { renderEmojiOrIcon } from './site-shell.ts'
import { findEditLink } from './edit-link.ts'
import { readPageHead } from './head.ts'
import { type NavigationItem, readSiteNavigation, readNeighbours } from './navigation.ts'
import type { Renderers } from '../../resources/rendered/render-content.ts'
import { readPageContent } from './content.ts'
import { findNewPageIds, readPreviewBanner } from './previews.ts'
import type { EffectiveSettings } from '../settings.ts'
import { createSidebar } from './sidebar.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import type { SitePage, SpaceView } from '../view.ts'

/** Page with its layout. */
interface FramedPage {
  frame: PageFrame
  page: PageShell
  /** Origins to which the try-it panels of the page send requests. */
  connectOrigins: readonly string[]
  /** Whether all parts are rendered and it is not a preview, so that the reply can be cached. */
  isComplete: boolean
}

/** Reads a page for a visitor. */
export async function readFramedPage(space: SpaceView, sitePage: SitePage, renderers: Renderers): Promise<FramedPage> {
  const { entry, page, lineage } = sitePage
  const path = lineage.map((step) => step.entry.slug)
  const frame = await readPageFrame(space, path)
  const { site, settings, locale } = frame
  const { git, feedback, pagination } = settings.customization
  const { html, document, changes, hasOperations, connectOrigins, isComplete, ...content } = await readPageContent(
    frame,
    sitePage,
    renderers,
  )
  const openIds = lineage.map((step) => step.entry.id)
  const navigation = await readSiteNavigation(space, openIds)
  const preview = await readPreviewBanner(frame, sitePage, changes)
  const neighbours = pagination.enabled ? await readNeighbours(space, navigation, entry.id) : undefined
  const toLink = (one: NavigationItem | undefined) =>
    one && { title: navigationTitleOf(one.page), href: space.site.href(space.urlOf(one.entry.id, one.path)) }
  return {
    frame,
    isComplete,
    connectOrigins,
    page: {
      ...content,
      id: entry.id,
      tracking: toPageTracking(frame),
      head: await readPageHead(frame, sitePage, { cover: content.cover, document }),
      title: page.title,
      icon: renderEmojiOrIcon(page, site.icon),
      description: page.description,
      layout: toPageLayout(page, settings, hasOperations),
      crumbs: createBreadcrumbs(space, sitePage, path),
      sidebar: await createSidebar(frame, navigation, entry.id, await findNewPageIds(space, navigation)),
      content: html,
      previous: toLink(neighbours?.previous),
      next: toLink(neighbours?.next),
      updated: { at: page.updatedAt, text: formatDate(page.updatedAt, locale) },
      edit: git.showEditLink ? await findEditLink(frame, sitePage) : undefined,
      actions: createPageActions(frame, sitePage),
      // Unpublished content gets feedback in its review.
      hasFeedback: feedback.enabled && !preview,
      preview,
    },
  }
}

function toPageTracking({ space, settings }: PageFrame): PageTracking {
  const { item, site, revisionId } = space
  return {
    siteSection: site.session.structure.ancestorsAndSelf(item).find(({ kind }) => kind === 'section')?.id,
    siteSpace: item.id,
    space: item.spaceId ?? '',
    revision: revisionId,
    canStoreVisitorId: settings.customization.insights.trackingCookie,
  }
}

/** Returns the breadcrumbs of a page; groups have no link. */
function createBreadcrumbs(space: SpaceView, { lineage }: SitePage, path: readonly string[]): PageShell['crumbs'] {
  return lineage.slice(0, -1).map(({ entry, page }, index) => {
    const address = space.urlOf(entry.id, path.slice(0, index + 1))
    return { title: navigationTitleOf(page), href: entry.type === 'document' ? space.site.href(address) : undefined }
  })
}

function toPageLayout(
  page: SitePage['page'],
  { customization }: EffectiveSettings,
  hasOperations: boolean,
): PageLayout {
  const { width, pagination, ...parts } = presentLayout(page)
  return {
    ...parts,
    pagination: pagination && customization.pagination.enabled,
    isWide: width === 'wide' || hasOperations,
  }
}
