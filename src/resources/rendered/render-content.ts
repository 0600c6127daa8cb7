import type { Block, ContentRef, Document } from '../../content/document/nodes.ts'
import { type OutlineEntry, createOutline } from '../../content/document/outline.ts'
import type { PageObject, Root } from '../../content/revision/objects.ts'
import { listEmbedUrls } from '../../domain/embeds/embed-titles.ts'
import type { Embeds } from '../../domain/embeds/embeds.ts'
import type { LoadedSpecs } from '../../domain/openapi/load-specs.ts'
import type { FormulaRenderer, RenderedFormulas } from '../../formulas/formulas.ts'
import type { Highlighter } from '../../highlight/highlight.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { listOpenApiBlocks, maxShownBlocks } from '../../openapi/blocks.ts'
import { assistantLinks } from '../../render/assistants.ts'
import { type ChangeKind, type DocumentChanges, renderChangeMark } from '../../render/changes.ts'
import { findCodeBlocks } from '../../content/document/code-text.ts'
import { walkBlocks } from '../../content/document/walk.ts'
import { renderBlockByBlock } from '../../render/document.ts'
import { findFormulas } from '../../render/formulas.ts'
import { type Html, markup } from '../../render/html.ts'
import { createFormulaRenderer } from '../../render/math.ts'
import { findOpenApiCode, findOpenApiTitle } from '../../render/openapi/blocks.ts'
import { createMarkdownRenderer } from '../../render/openapi/markdown.ts'
import { RenderedSchemas } from '../../render/openapi/rendered-schemas.ts'
import type { RenderContext } from '../../render/render-context.ts'
import type { PageCover } from '../../render/shell/parts.ts'
import { formatDate, formatNumber } from '../../render/texts/locales.ts'
import { presentLayout } from '../content/present.ts'
import type { ResolvedReferences } from './references.ts'

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

/** URLs of the assets that some contents need besides the styles of all pages. */
export interface ContentAssets {
  katex: string
  openApiStyles: string
  drawMermaid: string
  mermaid: string
}

/** A document to render, with its differences from an earlier version. */
export interface MarkedDocument {
  document: Document
  changes?: DocumentChanges | undefined
  /** Marks the whole document as added or removed. */
  mark?: ChangeKind | undefined
}

/** Data that rendering a document needs besides the document. */
export interface ContentFrame {
  organizationId: string
  texts: RenderContext['texts']
  locale: string
  tags: Root['tags']
  icon: RenderContext['icon']
  assets: ContentAssets
  references: ResolvedReferences
  loadSpecs(refs: readonly ContentRef[]): Promise<Pick<LoadedSpecs, 'find'> & Partial<Pick<LoadedSpecs, 'isWaiting'>>>
  /** Returns the stored highlighted code of the page. */
  readHighlightedCode(): Promise<ReadonlyMap<string, string | null>>
  /** Options that depend on where the content is shown. */
  options: Pick<RenderContext, 'externalLinkTarget'> & Partial<RenderContext>
}

/** A rendered document. */
export interface RenderedContent {
  html: Html
  outline: readonly OutlineEntry[]
  /** Whether OpenAPI operations are shown, which need a wide layout. */
  hasOperations: boolean
  /** URLs of additional styles and scripts. */
  needs: { styles: string[]; scripts: string[] }
  /** Whether all parts are rendered. */
  isComplete: boolean
  context: RenderContext
}

/** Renders a document; waits a limited time for highlighted code and formulas. */
export async function renderContent(
  { highlighter, formulas, embeds }: Renderers,
  frame: ContentFrame,
  { document, changes, mark }: MarkedDocument,
): Promise<RenderedContent> {
  const { texts, assets } = frame
  const yieldIfDue = createYielder()
  const openApi = await prepareOpenApi(frame, document)
  const codes = [...findCodeBlocks(walkBlocks(document)), ...openApi.codes]
  const stored = codes.length > 0 ? await frame.readHighlightedCode() : undefined
  const [{ highlighted, isComplete: isHighlighted }, rendered] = await Promise.all([
    highlighter.highlight(codes, highlightTimeout, stored),
    formulas.render(findFormulas(document), formulaTimeout),
  ])
  const pageEmbeds = await embeds.readForPage(frame.organizationId, listEmbedUrls(document))
  const required: RequiredAssets = { math: false, mermaid: false }
  const context: RenderContext = {
    ...createRenderContext(frame, rendered, required),
    highlighted,
    findEmbed: pageEmbeds.find,
    changes,
    openApi: openApi.find,
    showsOpenApiBlock: (block) => openApi.shown.has(block),
    ...frame.options,
  }
  context.renderMarkdown = createMarkdownRenderer(context)
  const portions: Html[] = []
  for (const portion of renderBlockByBlock(document, context)) {
    portions.push(portion)
    await yieldIfDue()
  }
  return {
    html: renderChangeMark(mark, markup`${portions}`, texts),
    outline: createOutline(document).map((one) => ({ ...one, title: openApi.titles.get(one.id) ?? one.title })),
    hasOperations: openApi.hasOperations,
    needs: {
      styles: [...(required.math ? [assets.katex] : []), ...(openApi.hasBlocks ? [assets.openApiStyles] : [])],
      scripts: required.mermaid ? [assets.drawMermaid] : [],
    },
    isComplete: isHighlighted && rendered.isComplete && pageEmbeds.isComplete && !openApi.isWaiting,
    context,
  }
}

/** Data for the OpenAPI blocks of a page. */
interface PageOpenApi {
  find: NonNullable<RenderContext['openApi']>
  /** Blocks that are shown in full. */
  shown: ReadonlySet<Block>
  codes: { code: string; syntax: string | undefined }[]
  /** Titles of operations by the anchor of their block. */
  titles: ReadonlyMap<string, string>
  hasBlocks: boolean
  hasOperations: boolean
  /** Whether a specification is still being processed. */
  isWaiting: boolean
}

/** Loads the specifications of a page, and finds the code of samples, which is highlighted before the page is rendered. */
async function prepareOpenApi(frame: ContentFrame, document: Document): Promise<PageOpenApi> {
  const { texts } = frame
  const blocks = listOpenApiBlocks(document)
  const { find, isWaiting = false } = await frame.loadSpecs(blocks.map(({ data }) => data.ref))
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
  return { find, shown: new Set(shown), codes, titles, hasBlocks: blocks.length > 0, hasOperations, isWaiting }
}

/** Returns the cover of a page; undefined if it has none that can be shown. */
export function toPageCover(page: PageObject, references: ResolvedReferences): PageCover | undefined {
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

/** Returns the files of the cover of a page. */
export const listCoverRefs = ({ cover }: PageObject): ContentRef[] =>
  [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

/** Assets that rendering found to be required. */
interface RequiredAssets {
  math: boolean
  mermaid: boolean
}

/** Returns the rendering context of a document. */
function createRenderContext(
  { texts, locale, tags, icon, assets, references }: ContentFrame,
  { rendered }: RenderedFormulas,
  required: RequiredAssets,
): Omit<RenderContext, 'highlighted' | 'externalLinkTarget'> {
  let count = 0
  let pictures = 0
  const showFormula = createFormulaRenderer(rendered)
  return {
    texts,
    resolveLink: (ref) => references.linkTo(ref),
    resolveFile: (ref) => references.file(ref),
    isFirstPicture: () => pictures++ === 0,
    findTag: (slug) => (Object.hasOwn(tags, slug) ? tags[slug] : undefined),
    icon,
    formatDate: (text, format) => formatDate(text, locale, format),
    formatNumber: (value) => formatNumber(value, locale),
    listAssistantLinks: assistantLinks,
    renderMath(formula, isBlock) {
      required.math = true
      return showFormula(formula, isBlock)
    },
    mermaidScript() {
      required.mermaid = true
      return assets.mermaid
    },
    renderedSchemas: new RenderedSchemas(),
    // Ids generated from titles never contain `~`.
    newId: (prefix) => `${prefix}~${++count}`,
  }
}
