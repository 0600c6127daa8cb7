import { labelOf } from '../../content/revision/objects.ts'
import type { PageLayout, PagePlace, PageShell } from '../../render/shell/parts.ts'
import { formatDate } from '../../render/texts/locales.ts'
import { presentLayout } from '../../resources/content/present.ts'
import { pageActions } from './actions.ts'
import { markOf } from './chrome.ts'
import { editLinkOf } from './edit-link.ts'
import { headOf } from './head.ts'
import { type NavigationItem, readNavigation, readNeighbours } from './navigation.ts'
import { type Renderers, readContent } from './content.ts'
import { newPagesAmong, previewOf } from './previews.ts'
import type { Settings } from '../settings.ts'
import { sidebarOf } from './sidebar.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import type { PlacedPage, SpaceView } from '../view.ts'

/** Page with its layout. */
interface ReadPage {
  frame: PageFrame
  page: PageShell
  /** Whether all parts are rendered and it is not a preview, so that the reply can be cached. */
  isComplete: boolean
}

/** Reads a page for a visitor. */
export async function readPage(space: SpaceView, placed: PlacedPage, renderers: Renderers): Promise<ReadPage> {
  const { entry, page, lineage } = placed
  const path = lineage.map((step) => step.entry.slug)
  const frame = await readPageFrame(space, path)
  const { site, settings, locale } = frame
  const { git, feedback, pagination } = settings.all
  const { html, document, changes, isComplete, ...content } = await readContent(frame, placed, renderers)
  const open = lineage.map((step) => step.entry.id)
  const navigation = await readNavigation(space, open)
  const preview = await previewOf(frame, placed, changes)
  const neighbours = pagination.enabled ? await readNeighbours(space, navigation, entry.id) : undefined
  const linkOf = (one: NavigationItem | undefined) =>
    one && { title: labelOf(one.page), href: space.site.href(space.addressOf(one.entry.id, one.path)) }
  return {
    frame,
    isComplete,
    page: {
      ...content,
      id: entry.id,
      place: placeOf(frame),
      head: await headOf(frame, placed, { cover: content.cover, document }),
      title: page.title,
      icon: markOf(page, site.icon),
      description: page.description,
      layout: layoutOf(page, settings),
      crumbs: crumbsOf(space, placed, path),
      sidebar: await sidebarOf(frame, navigation, entry.id, await newPagesAmong(space, navigation)),
      content: html,
      previous: linkOf(neighbours?.previous),
      next: linkOf(neighbours?.next),
      updated: { at: page.updatedAt, text: formatDate(page.updatedAt, locale) },
      edit: git.showEditLink ? await editLinkOf(frame, placed) : undefined,
      actions: pageActions(frame, placed),
      // Unpublished content gets feedback in its review.
      hasFeedback: feedback.enabled && !preview,
      preview,
    },
  }
}

function placeOf({ space, settings }: PageFrame): PagePlace {
  const { item, site, revisionId } = space
  return {
    siteSection: site.session.structure.chainOf(item).find(({ kind }) => kind === 'section')?.id,
    siteSpace: item.id,
    space: item.spaceId ?? '',
    revision: revisionId,
    remembers: settings.all.insights.trackingCookie,
  }
}

/** Returns the breadcrumbs of a page; groups have no link. */
function crumbsOf(space: SpaceView, { lineage }: PlacedPage, path: readonly string[]): PageShell['crumbs'] {
  return lineage.slice(0, -1).map(({ entry, page }, index) => {
    const address = space.addressOf(entry.id, path.slice(0, index + 1))
    return { title: labelOf(page), href: entry.type === 'document' ? space.site.href(address) : undefined }
  })
}

function layoutOf(page: PlacedPage['page'], { all }: Settings): PageLayout {
  const { width, pagination, ...parts } = presentLayout(page)
  return { ...parts, pagination: pagination && all.pagination.enabled, isWide: width === 'wide' }
}
