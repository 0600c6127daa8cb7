import type { Document } from '../../content/document/nodes.ts'
import type { OutlineEntry } from '../../content/document/outline.ts'
import { collectReferences } from '../../content/document/references.ts'
import { findHighlightedCode } from '../../highlight/store.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { renderTag } from '../../render/document.ts'
import type { Html } from '../../render/html.ts'
import type { TryItSupport } from '../../render/openapi/try-it.ts'
import type { PageCover, PageShell } from '../../render/shell/parts.ts'
import { presentLayout } from '../../resources/content/present.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import {
  type ContentFrame,
  type Renderers,
  listCoverRefs,
  renderContent,
  toPageCover,
} from '../../resources/rendered/render-content.ts'
import { apiProxyUrlOf } from '../api-proxy.ts'
import { contentAssetsAt } from '../assets.ts'
import { toFeedUrl } from '../machines/feed.ts'
import type { PageFrame } from '../page-frame.ts'
import { TryItPage } from '../try-it.ts'
import type { SitePage, SpaceView } from '../view.ts'
import { markChanges } from './previews.ts'

/** Rendered content of a page for a visitor. */
export interface PageContent {
  /** Document for the visitor, without change marks. */
  document: Document
  /** Anchor of the title; see `PageAnchors`. */
  titleId: string | undefined
  html: Html
  outline: readonly OutlineEntry[]
  cover: PageCover | undefined
  tags: readonly Html[]
  /** Summary of the changes in a preview. */
  changes: string | undefined
  /** Whether OpenAPI operations are shown, which need a wide layout. */
  hasOperations: boolean
  /** Origins to which the try-it panels of the page send requests. */
  connectOrigins: readonly string[]
  needs: PageShell['needs']
  /** Whether all parts are rendered and it is not a preview, so that the reply can be cached. */
  isComplete: boolean
}

/** Reads and renders the content of a page. */
export async function readPageContent(
  frame: PageFrame,
  sitePage: SitePage,
  renderers: Renderers,
): Promise<PageContent> {
  const { space, site } = frame
  const { entry, page } = sitePage
  const yieldIfDue = createYielder()
  const document = await space.readDocument(page)
  const marked = await markChanges(space, sitePage, document, site.texts)
  await yieldIfDue()
  const refs = [...collectReferences(marked.document).map(({ ref }) => ref), ...listCoverRefs(page)]
  const { titleId } = await space.readAnchors(sitePage, document)
  const references = await ResolvedReferences.resolve(space, refs, entry.id)
  await yieldIfDue()
  const tryIt = new TryItPage(frame.theme.assetsHref)
  const rendered = await renderContent(renderers, createContentFrame(frame, sitePage, references, tryIt), {
    document: marked.document,
    changes: marked.changes,
    mark: marked.isNew ? 'added' : undefined,
  })
  return {
    document,
    titleId,
    connectOrigins: tryIt.origins,
    html: rendered.html,
    outline: rendered.outline,
    hasOperations: rendered.hasOperations,
    cover: toPageCover(page, references),
    tags: (page.tags ?? []).flatMap(({ tag }) => {
      const shown = rendered.context.findTag(tag)
      return shown ? [renderTag(shown, rendered.context)] : []
    }),
    changes: marked.summary,
    needs: rendered.needs,
    isComplete: rendered.isComplete && !space.site.isPreview,
  }
}

function createContentFrame(
  { settings, site, space, theme, locale }: PageFrame,
  sitePage: SitePage,
  references: ResolvedReferences,
  tryIt: TryItPage,
): ContentFrame {
  const { organizationId } = space.site
  const { entry, page } = sitePage
  const options: ContentFrame['options'] = {
    externalLinkTarget: settings.customization.externalLinks.target,
    searchHrefFor: (query) => `${site.searchHref}?q=${encodeURIComponent(query)}`,
    hasAnchors: presentLayout(page).anchors,
    marksBrokenLinks: space.site.session.identity.visitor.isPreviewing,
    feedHref: returnOnce(space.site.href(toFeedUrl(sitePage.address))),
    tryIt: (ref) =>
      ref.kind === 'openapi' ? tryIt.supportFor(ref.spec, findProxy(sitePage, space, ref.spec)) : undefined,
  }
  return {
    organizationId,
    texts: site.texts,
    locale,
    tags: space.tree.root.tags,
    icon: (name) => site.icon(name),
    assets: contentAssetsAt(theme.assetsHref),
    references,
    // A page is cached before its specifications are processed: their versions replace it then.
    loadSpecs: async (specRefs) => ({ find: (await space.loadSpecs(specRefs)).find }),
    readHighlightedCode: () =>
      findHighlightedCode(space.site.context.db, { organizationId, spaceId: space.spaceId }, entry.id),
    options,
  }
}

/** Returns the values that identify an operation at the endpoint that sends requests to APIs, which does not serve previews. */
function findProxy({ entry }: SitePage, { site, item }: SpaceView, spec: string): TryItSupport['proxy'] {
  return site.isPreview ? undefined : { url: site.href(apiProxyUrlOf(site, item)), page: entry.id, spec }
}

function returnOnce(text: string): () => string | undefined {
  let remaining: string | undefined = text
  return () => {
    const current = remaining
    remaining = undefined
    return current
  }
}
