import type { Block, ContentRef, Document } from '../../content/document/nodes.ts'
import { type OutlineEntry, createOutline } from '../../content/document/outline.ts'
import { collectReferences } from '../../content/document/references.ts'
import type { PageObject } from '../../content/revision/objects.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { listOpenApiBlocks, maxShownBlocks } from '../../openapi/blocks.ts'
import { renderChangeMark } from '../../render/changes.ts'
import { findCodeBlocks } from '../../render/code-text.ts'
import { renderBlockByBlock, renderTag } from '../../render/document.ts'
import { findFormulas } from '../../render/formulas.ts'
import { type Html, markup } from '../../render/html.ts'
import { createFormulaRenderer } from '../../render/math.ts'
import { findOpenApiCode, findOpenApiTitle } from '../../render/openapi/blocks.ts'
import { createMarkdownRenderer } from '../../render/openapi/markdown.ts'
import type { TryItSupport } from '../../render/openapi/try-it.ts'
import type { RenderContext } from '../../render/render-context.ts'
import type { PageCover, PageShell } from '../../render/shell/parts.ts'
import { presentLayout } from '../../resources/content/present.ts'
import { formatDate, formatNumber } from '../../render/texts/locales.ts'
import { listEmbedUrls } from '../../domain/embeds/embed-titles.ts'
import type { Embeds } from '../../domain/embeds/embeds.ts'
import { assistantLinks } from './actions.ts'
import { assets } from '../assets.ts'
import { toFeedUrl } from '../machines/feed.ts'
import type { Highlighter } from '../../highlight/highlight.ts'
import { findHighlightedCode } from '../../highlight/store.ts'
import type { FormulaRenderer, RenderedFormulas } from '../formulas/formulas.ts'
import { markChanges } from './previews.ts'
import { ResolvedReferences } from '../references.ts'
import { apiProxyUrlOf } from '../api-proxy.ts'
import { TryItPage } from '../try-it.ts'
import type { PageFrame } from '../page-frame.ts'
import type { SitePage, SpaceView } from '../view.ts'

/** Maximum time to wait for syntax highlighting that is not stored yet, in milliseconds. */
const highlightTimeout = 400

/** Maximum time to wait for formulas, in milliseconds; after it, their source is shown. */
const formulaTimeout = 2000

/** Renderers for the parts of pages that may take long. */
export interface Renderers {
  highlighter: Highlighter
  formulas: FormulaRenderer
  embeds: Pick<Embeds, 'readForPage'>
}

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
  { highlighter, formulas, embeds }: Renderers,
): Promise<PageContent> {
  const { space, site, theme } = frame
  const { entry, page } = sitePage
  const yieldIfDue = createYielder()
  const document = await space.readDocument(page)
  const marked = await markChanges(space, sitePage, document, site.texts)
  await yieldIfDue()
  const covers = [page.cover?.ref, page.cover?.refDark].filter((ref) => ref !== undefined)
  const refs: ContentRef[] = [...collectReferences(marked.document).map(({ ref }) => ref), ...covers]
  const { titleId } = await space.readAnchors(sitePage, document)
  const references = await ResolvedReferences.resolve(space, refs, entry.id)
  await yieldIfDue()
  const openApi = await prepareOpenApi(space, marked.document, site.texts)
  const codes = [...findCodeBlocks(marked.document), ...openApi.codes]
  const stored = codes.length > 0 ? await readHighlightedCode(space, entry.id) : undefined
  const [{ highlighted, isComplete: isHighlighted }, rendered] = await Promise.all([
    highlighter.highlight(codes, highlightTimeout, stored),
    formulas.render(findFormulas(marked.document), formulaTimeout),
  ])
  const { organization_id: organizationId } = space.site.session.site
  const pageEmbeds = await embeds.readForPage(organizationId, listEmbedUrls(marked.document))
  const required: RequiredAssets = { math: false, mermaid: false }
  const tryIt = new TryItPage(theme.assetsHref)
  const renderContext: RenderContext = {
    ...createPageRenderContext(frame, references, rendered, required),
    highlighted,
    findEmbed: pageEmbeds.find,
    hasAnchors: presentLayout(page).anchors,
    changes: marked.changes,
    marksBrokenLinks: space.site.session.identity.visitor.isPreviewing,
    feedHref: returnOnce(space.site.href(toFeedUrl(sitePage.address))),
    openApi: openApi.find,
    showsOpenApiBlock: (block) => openApi.shown.has(block),
    tryIt: (ref) =>
      ref.kind === 'openapi' ? tryIt.supportFor(ref.spec, findProxy(sitePage, space, ref.spec)) : undefined,
  }
  renderContext.renderMarkdown = createMarkdownRenderer(renderContext)
  const portions: Html[] = []
  for (const portion of renderBlockByBlock(marked.document, renderContext)) {
    portions.push(portion)
    await yieldIfDue()
  }
  return {
    document,
    titleId,
    connectOrigins: tryIt.origins,
    html: renderChangeMark(marked.isNew ? 'added' : undefined, markup`${portions}`, site.texts),
    outline: createOutline(marked.document).map((one) => ({ ...one, title: openApi.titles.get(one.id) ?? one.title })),
    hasOperations: openApi.hasOperations,
    cover: toPageCover(page, references),
    tags: (page.tags ?? []).flatMap(({ tag }) => {
      const shown = renderContext.findTag(tag)
      return shown ? [renderTag(shown, renderContext)] : []
    }),
    changes: marked.summary,
    needs: {
      styles: [
        ...(required.math ? [theme.assetsHref + assets.katex.name] : []),
        ...(openApi.hasBlocks ? [theme.assetsHref + assets.openApiStyles.name] : []),
      ],
      scripts: required.mermaid ? [theme.assetsHref + assets.drawMermaid.name] : [],
    },
    isComplete: isHighlighted && rendered.isComplete && pageEmbeds.isComplete && !space.site.isPreview,
  }
}

/** Returns what identifies an operation at the endpoint that sends requests to APIs, which does not serve previews. */
function findProxy({ entry }: SitePage, { site, item }: SpaceView, spec: string): TryItSupport['proxy'] {
  return site.isPreview ? undefined : { url: site.href(apiProxyUrlOf(site, item)), page: entry.id, spec }
}

/** What the OpenAPI blocks of a page need for rendering. */
interface PageOpenApi {
  find: NonNullable<RenderContext['openApi']>
  /** Blocks that are shown in full. */
  shown: ReadonlySet<Block>
  codes: { code: string; syntax: string | undefined }[]
  /** Titles of operations by the anchor of their block. */
  titles: ReadonlyMap<string, string>
  hasBlocks: boolean
  hasOperations: boolean
}

/** Loads the specifications of a page, and finds the code of samples, which is highlighted before the page is rendered. */
async function prepareOpenApi(
  space: SpaceView,
  document: Document,
  texts: RenderContext['texts'],
): Promise<PageOpenApi> {
  const blocks = listOpenApiBlocks(document)
  const { find } = await space.loadSpecs(blocks.map(({ data }) => data.ref))
  const yieldIfDue = createYielder()
  const codes: PageOpenApi['codes'] = []
  const titles = new Map<string, string>()
  let hasOperations = false
  const shown = blocks.slice(0, maxShownBlocks)
  for (const block of shown) {
    codes.push(...findOpenApiCode(block, { openApi: find, texts }))
    const title = findOpenApiTitle(block, { openApi: find })
    if (title !== undefined) {
      hasOperations = true
      if (block.meta?.id !== undefined) titles.set(block.meta.id, title)
    }
    await yieldIfDue()
  }
  return { find, shown: new Set(shown), codes, titles, hasBlocks: blocks.length > 0, hasOperations }
}

function readHighlightedCode({ site, item }: SpaceView, pageId: string): Promise<Map<string, string | null>> {
  const key = { organizationId: site.session.site.organization_id, spaceId: item.spaceId ?? '' }
  return findHighlightedCode(site.context.db, key, pageId)
}

function toPageCover(page: PageObject, references: ResolvedReferences): PageCover | undefined {
  const { cover } = page
  const light = cover?.ref && references.file(cover.ref)
  if (!light) return undefined
  const dark = cover.refDark && references.file(cover.refDark)
  const { textColor, textColorDark = textColor } = cover
  const { coverSize, coverMask } = presentLayout(page)
  return {
    light: light.url,
    dark: dark?.url,
    size: coverSize,
    isFading: coverMask === 'radial',
    text: textColor && textColorDark && { light: textColor, dark: textColorDark },
    y: cover.yPos,
    height: cover.height,
  }
}

function returnOnce(text: string): () => string | undefined {
  let remaining: string | undefined = text
  return () => {
    const current = remaining
    remaining = undefined
    return current
  }
}

/** Assets that rendering found to be required. */
interface RequiredAssets {
  math: boolean
  mermaid: boolean
}

/** Returns the rendering context of documents. */
function createPageRenderContext(
  { settings, site, space, theme, locale }: PageFrame,
  references: ResolvedReferences,
  { rendered }: RenderedFormulas,
  required: RequiredAssets,
): Omit<RenderContext, 'highlighted'> {
  let count = 0
  let pictures = 0
  const showFormula = createFormulaRenderer(rendered)
  const { tags } = space.tree.root
  return {
    texts: site.texts,
    resolveLink: (ref) => references.linkTo(ref),
    resolveFile: (ref) => references.file(ref),
    isFirstPicture: () => pictures++ === 0,
    findTag: (slug) => (Object.hasOwn(tags, slug) ? tags[slug] : undefined),
    icon: (name) => site.icon(name),
    formatDate: (text, format) => formatDate(text, locale, format),
    formatNumber: (value) => formatNumber(value, locale),
    searchHrefFor: (query) => `${site.searchHref}?q=${encodeURIComponent(query)}`,
    listAssistantLinks: assistantLinks,
    externalLinkTarget: settings.customization.externalLinks.target,
    renderMath(formula, isBlock) {
      required.math = true
      return showFormula(formula, isBlock)
    },
    mermaidScript() {
      required.mermaid = true
      return theme.assetsHref + assets.mermaid.name
    },
    // Ids generated from titles never contain `~`.
    newId: (prefix) => `${prefix}~${++count}`,
  }
}
