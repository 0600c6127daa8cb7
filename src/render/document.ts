import type {
  Block,
  Code,
  Document,
  Fragment,
  Heading,
  Length,
  ListItem,
  Table,
  Tabs,
  Update,
  Updates,
} from '../content/document/nodes.ts'
import { headingName } from '../content/document/outline.ts'
import { isInvisibleParagraph } from '../content/document/raw-html.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { blockTextAttribute, withBlockKey } from './block-keys.ts'
import { renderChangeMark } from './changes.ts'
import { renderCode } from './code.ts'
import { codeText } from '../content/document/code-text.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { InlineRenderer, hasOnlyIcons, joinClasses, renderEmoji } from './inlines.ts'
import { renderDrawing, renderEmbed, renderFile, renderImage, renderImages } from './media.ts'
import { type OpenApiBlock, readBlockName } from '../openapi/blocks.ts'
import { renderOpenApiBlock } from './openapi/blocks.ts'
import type { LinkTarget, RenderContext, ResolvedTag } from './render-context.ts'
import { renderTableByRow } from './table.ts'
import { fillPlaceholders } from './texts.ts'
import { toneStyle } from './tones.ts'

/** Renders a document that was evaluated for its reader and whose headings have ids. */
export function renderDocument(document: Document, context: RenderContext): Html {
  return renderBlocks(document.nodes, context)
}

/** Renders block by block, and lists and tables in parts, so that the caller can yield to the event loop in between. */
export function* renderBlockByBlock({ nodes }: Document, context: RenderContext): Iterable<Html> {
  const blocks = new BlockRenderer(context)
  for (const block of nodes) yield* blocks.renderInParts(block)
  yield* blocks.notes
}

export function renderBlocks(nodes: readonly Block[], context: RenderContext): Html {
  const blocks = new BlockRenderer(context)
  return markup`${blocks.renderAll(nodes)}${blocks.notes}`
}

const hintIcons = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'triangle-exclamation',
}

/** Number of visible lines of a collapsed prompt. */
const visiblePromptLines = 3

/** Maximum length of a prompt that fits into the URL of an assistant. */
const maxPromptLength = 4000

type List = Extract<Block, { type: 'list-ordered' | 'list-unordered' | 'list-tasks' }>

const divisibleTypes: ReadonlySet<Block['type']> = new Set(['list-ordered', 'list-unordered', 'list-tasks', 'table'])

const isDivisible = (block: Block): block is List | Table => divisibleTypes.has(block.type)

class BlockRenderer {
  readonly #context: RenderContext
  readonly #inlines: InlineRenderer
  /** Tags of updates rendered so far; the first update of each tag gets an id. */
  readonly #seenTags = new Set<string>()

  constructor(context: RenderContext) {
    this.#context = context
    this.#inlines = new InlineRenderer(context, (blocks) => this.renderAll(blocks))
  }

  get notes(): readonly Html[] {
    return this.#inlines.notes
  }

  renderAll(blocks: readonly Block[]): Html {
    const { changes, texts } = this.#context
    return markup`${blocks.map((block) => renderChangeMark(changes?.blocks.get(block.key ?? ''), this.#renderBlock(block), texts))}`
  }

  /** Renders a block; a list item by item, and a table row by row. */
  *renderInParts(block: Block): Iterable<Html> {
    const isMarked = this.#context.changes?.blocks.has(block.key ?? '') === true
    if (isMarked || !isDivisible(block)) {
      yield this.renderAll([block])
      return
    }
    let isFirst = true
    for (const part of block.type === 'table' ? this.#tableParts(block) : this.#listParts(block)) {
      yield isFirst ? withBlockKey(block, part, this.#context) : part
      isFirst = false
    }
  }

  *#listParts(block: List): Iterable<Html> {
    if (block.type === 'list-ordered') {
      const start = block.data?.start
      yield markup`<ol${attributes({ start: start === 1 ? undefined : start })}>`
    } else yield block.type === 'list-tasks' ? markup`<ul class="tasks" role="list">` : markup`<ul>`
    for (const item of block.nodes) yield block.type === 'list-tasks' ? this.#task(item) : this.#item(item)
    yield block.type === 'list-ordered' ? markup`</ol>` : markup`</ul>`
  }

  #tableParts(block: Table): Iterable<Html> {
    return renderTableByRow(block, this.#context, this.#inlines, ({ nodes }) => this.#cell(nodes))
  }

  /** Renders any block, with its key if the context has keys. */
  #renderBlock(block: Block): Html {
    return withBlockKey(block, this.#renderContent(block), this.#context)
  }

  #renderContent(block: Block): Html {
    const context = this.#context
    const inlines = this.#inlines
    const caption = (fragments: readonly Fragment[] | undefined) => this.#caption(fragments)
    switch (block.type) {
      case 'paragraph':
        if (isInvisibleParagraph(block)) return inlines.render(block.nodes)
        if (this.#hasOnlyUnknownIcons(block)) return nothing
        return markup`<p${alignmentAttribute(block.data?.align)}>${inlines.render(block.nodes)}</p>`
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return this.#hasOnlyUnknownIcons(block) ? nothing : this.#heading(block)
      case 'list-ordered':
      case 'list-unordered':
      case 'list-tasks':
        return markup`${[...this.#listParts(block)]}`
      case 'list-item':
        return markup`<ul>${this.#item(block)}</ul>`
      case 'divider':
        return markup`<hr>`
      case 'blockquote':
        return markup`<blockquote>${this.renderAll(block.nodes)}</blockquote>`
      case 'hint': {
        const { style, icon } = block.data
        return markup`<aside${attributes({ class: `hint hint-${style}`, role: 'note', 'aria-label': context.texts.hints[style] })}><span class="hint-icon" aria-hidden="true">${this.#icon(icon, hintIcons[style])}</span><div>${this.renderAll(block.nodes)}</div></aside>`
      }
      case 'prompt':
        return this.#prompt(block)
      case 'code':
        return renderCode(block, context, inlines)
      case 'code-line':
        return renderCode({ object: 'block', type: 'code', nodes: [block] }, context, inlines)
      case 'images':
        return renderImages(block, context, caption)
      case 'image':
        return renderImage(block, context, caption)
      case 'file':
        return renderFile(block, context, caption)
      case 'drawing':
        return renderDrawing(block, context)
      case 'embed':
        return renderEmbed(block, context, caption)
      case 'math':
        return markup`<div${attributes({ class: 'math', tabindex: 0, role: 'group', 'aria-label': context.texts.formula })}>${context.renderMath(block.data.formula, true)}</div>`
      case 'expandable':
        return this.#expandable(block)
      case 'tabs':
        return this.#tabs(block)
      case 'tabs-item':
        return this.#tabs({ object: 'block', type: 'tabs', nodes: [block] })
      case 'stepper':
        return markup`<ol class="stepper" role="list">${block.nodes.map((step) => this.#renderBlock(step))}</ol>`
      case 'stepper-step':
        return markup`<li class="step">${this.#stepIcon(block.data?.icon)}<div>${this.renderAll(block.nodes)}</div></li>`
      case 'columns':
        return markup`<div${attributes({ class: joinClasses('columns', block.data?.fullWidth && 'full-width') })}>${block.nodes.map((column) => this.#renderBlock(column))}</div>`
      case 'column':
        return markup`<div${attributes({ class: joinClasses('column', block.data?.verticalAlignment && `vertical-${block.data.verticalAlignment}`), style: columnWidthStyle(block.data?.width) })}>${this.renderAll(block.nodes)}</div>`
      case 'updates':
        return this.#updates(block)
      case 'update':
        return this.#update(block, 'full')
      case 'if': {
        const content = this.renderAll(block.nodes)
        return context.marksConditions ? renderCondition(block.data.expression, content) : content
      }
      case 'table':
        return markup`${[...this.#tableParts(block)]}`
      case 'content-ref':
        return this.#contentRef(block.data.ref)
      case 'reusable-content':
        return markup`<p class="missing">${context.texts.notShown}</p>`
      case 'integration':
        return this.#renderUnsupported(`${block.data.integration}/${block.data.block}`, { url: block.data.url })
      case 'swagger':
      case 'openapi-operation':
      case 'openapi-schemas':
      case 'openapi-webhook':
        return (
          renderOpenApiBlock(block, context, (code) => renderCode(code, context, inlines)) ??
          this.#renderUnsupported(toOpenApiTitle(block), toOpenApiTarget(block))
        )
    }
  }

  /** Returns the chosen icon; the default icon if none was chosen or it is unknown. */
  #icon(chosen: string | undefined, fallback: string): Html {
    const drawn = chosen === undefined ? nothing : this.#context.icon(chosen)
    return drawn.text === '' ? this.#context.icon(fallback) : drawn
  }

  /** Renders the icon of a step, or its number. */
  #stepIcon(icon: string | undefined): Html {
    const drawn = icon === undefined ? nothing : this.#context.icon(icon)
    return drawn.text === '' ? nothing : markup`<span class="step-icon" aria-hidden="true">${drawn}</span>`
  }

  /** Whether a text renders to nothing because it consists of unknown icons. */
  #hasOnlyUnknownIcons({ nodes }: Pick<Heading, 'nodes'>): boolean {
    return hasOnlyIcons(nodes) && this.#inlines.render(nodes).text.trim() === ''
  }

  /** Renders a heading; `h1` is the title of the page, so headings start at `h2`. */
  #heading(block: Heading): Html {
    const level = Number(block.type.at(-1)) + 1
    const id = block.meta?.id
    const content = this.#inlines.render(block.nodes)
    const anchor =
      id === undefined || this.#context.hasAnchors === false
        ? nothing
        : markup`<a${attributes({ class: 'anchor', href: `#${id}`, 'aria-label': this.#anchorLabel(block) })}></a>`
    const attrs = markup`${attributes({ id })}${alignmentAttribute(block.data?.align)}`
    if (level === 2) return markup`<h2${attrs}>${content}${anchor}</h2>`
    return level === 3 ? markup`<h3${attrs}>${content}${anchor}</h3>` : markup`<h4${attrs}>${content}${anchor}</h4>`
  }

  /** Renders the link to a heading, with the heading in its accessible name. */
  #anchorLabel(heading: Pick<Heading, 'nodes'>): string {
    const { linkToHeading, linkToSection } = this.#context.texts
    const name = headingName(heading)
    return name === '' ? linkToSection : fillPlaceholders(linkToHeading, name)
  }

  #item(item: ListItem): Html {
    const { nodes } = item
    const text = blockTextAttribute(nodes, this.#context)
    return withBlockKey(item, markup`<li${text}>${this.#tight(nodes)}</li>`, this.#context)
  }

  #task(item: ListItem): Html {
    const { data, nodes } = item
    const { texts } = this.#context
    const box = markup`<input type="checkbox" disabled${attributes({ checked: data?.checked === true, 'aria-label': data?.checked ? texts.taskDone : texts.taskOpen })}>`
    const text = blockTextAttribute(nodes, this.#context)
    return withBlockKey(item, markup`<li${text}>${box}<div>${this.#tight(nodes)}</div></li>`, this.#context)
  }

  /** Renders blocks without the margins of a paragraph if there is only one. */
  #tight(nodes: readonly Block[]): Html {
    const [first, ...rest] = nodes
    if (first?.type !== 'paragraph') return this.renderAll(nodes)
    return markup`${this.#inlines.render(first.nodes)}${this.renderAll(rest)}`
  }

  #cell(nodes: readonly Block[]): Html {
    return nodes.length === 1 ? this.#tight(nodes) : this.renderAll(nodes)
  }

  #caption(fragments: readonly Fragment[] | undefined): Html | undefined {
    const nodes = (fragments ?? []).flatMap((fragment) => fragment.nodes)
    return textOfBlocks(nodes, ' ').trim() === '' ? undefined : this.#tight(nodes)
  }

  /** Renders a prompt with buttons that copy it and open it in an assistant. */
  #prompt({ data, nodes }: Extract<Block, { type: 'prompt' }>): Html {
    const { texts } = this.#context
    const display = data?.defaultExpanded ?? 'hidden'
    const body = this.renderAll(display === 'partial' ? nodes.map(withCollapsedCode) : nodes)
    const codes = nodes.filter((block) => block.type === 'code')
    const hasCode = codes.length > 0
    const question = hasCode ? codes.map(codeText).join('\n\n') : textOfBlocks(nodes, '\n\n').trim()
    const opensInAssistants = data?.openInAIProviders === true && question !== '' && question.length <= maxPromptLength
    const assistantLinks = (opensInAssistants ? (this.#context.listAssistantLinks?.(question) ?? []) : []).map(
      ({ name, href }) =>
        markup`<a${attributes({ href, target: '_blank', rel: 'noopener noreferrer' })}>${fillPlaceholders(texts.openIn, name)}<span class="sr-only"> (${texts.external})</span></a>`,
    )
    const head = markup`${this.#icon(data?.icon, 'sparkles')}<span>${data?.description}</span>`
    const text = hasCode ? body : markup`<div class="prompt-text">${body}</div>`
    const content =
      display === 'hidden'
        ? markup`<details><summary>${head}</summary>${text}</details>`
        : markup`<p class="prompt-title">${head}</p>${text}`
    const copyAttributes = attributes({ type: 'button', 'data-copy': hasCode ? '' : question, 'data-scripted': true })
    const copy = question !== '' && markup`<button${copyAttributes}>${texts.copy}</button>`
    const foot = (copy || assistantLinks.length > 0) && markup`<p class="prompt-foot">${copy}${assistantLinks}</p>`
    return markup`<div class="prompt">${content}${foot}</div>`
  }

  #expandable({ data, fragments, meta }: Extract<Block, { type: 'expandable' }>): Html {
    const nodesOfType = (type: string) => fragments.filter((one) => one.type === type).flatMap((one) => one.nodes)
    const titleNodes = nodesOfType('expandable-title')
    return markup`<details class="expandable" ${attributes({ id: meta?.id, open: data.defaultExpanded === true })}><summary${blockTextAttribute(titleNodes, this.#context)}>${this.#tight(titleNodes)}</summary><div>${this.renderAll(nodesOfType('expandable-body'))}</div></details>`
  }

  /** Renders tabs as radio buttons, which work without scripts. */
  #tabs({ data, nodes }: Tabs): Html {
    const name = this.#context.newId('tabs')
    const tabs = nodes.map((tab, index) => {
      const id = tab.meta?.id ?? `${name}-${index}`
      const title = tab.data?.title || String(index + 1)
      const icon = tab.data?.icon
      return markup`<input type="radio" ${attributes({ name, id, checked: index === 0, 'data-tab': title })}><label for="${id}">${icon !== undefined && this.#context.icon(icon)}${title}</label>${this.#tabPanel(tab, title)}`
    })
    return markup`<div${attributes({ class: joinClasses('tabs', data?.fullWidth && 'full-width') })}>${tabs}</div>`
  }

  #tabPanel(tab: Tabs['nodes'][number], title: string): Html {
    const panelAttributes = attributes({ class: 'panel', role: 'group', 'aria-label': title })
    return withBlockKey(tab, markup`<div${panelAttributes}>${this.renderAll(tab.nodes)}</div>`, this.#context)
  }

  #updates({ data, nodes }: Updates): Html {
    const updates = nodes.map((update) =>
      withBlockKey(update, this.#update(update, data?.format ?? 'full'), this.#context),
    )
    const head = markup`${this.#tagFilter(nodes)}${this.#subscribe()}`
    return markup`<div class="updates">${head.text !== '' && markup`<div class="updates-head">${head}</div>`}${updates}</div>`
  }

  /** Renders links that filter updates by tag; without scripts they lead to the newest update with the tag. */
  #tagFilter(updates: readonly Update[]): Html {
    const { texts } = this.#context
    const slugs = new Set(updates.flatMap(tagsOf))
    if (slugs.size < 2) return nothing
    const links = Array.from(slugs, (slug) => {
      const { label } = this.#context.findTag(slug) ?? { label: slug }
      return markup`<li><a${attributes({ href: `#${encodeURIComponent(tagId(slug))}`, 'data-tag': slug })}>${label}</a></li>`
    })
    return markup`<ul${attributes({ class: 'tag-filter', 'aria-label': texts.filterByTag })}><li data-scripted><a href="#" data-tag="" aria-current="true">${texts.allTags}</a></li>${links}</ul>`
  }

  #subscribe(): Html {
    const context = this.#context
    const href = context.feedHref?.()
    if (href === undefined) return nothing
    return markup`<a class="subscribe" href="${href}">${context.icon('rss')}${context.texts.subscribe}</a>`
  }

  #update({ data, nodes }: Update, format: 'full' | 'short' | 'numeric'): Html {
    const date = data?.date ?? ''
    const slugs = tagsOf({ data })
    const tags = slugs.map((slug) => {
      const isFirst = !this.#seenTags.has(slug)
      this.#seenTags.add(slug)
      return renderTag(this.#context.findTag(slug) ?? { label: slug }, this.#context, isFirst ? tagId(slug) : undefined)
    })
    const day =
      date === ''
        ? nothing
        : markup`<time${attributes({ datetime: date })}>${this.#context.formatDate(date, format)}</time>`
    return markup`<article${attributes({ class: 'update', 'data-tags': slugs.join(',') || undefined })}><div class="when">${day}${tags.length > 0 && markup`<span class="tags">${tags}</span>`}</div><div>${this.renderAll(nodes)}</div></article>`
  }

  #contentRef(ref: Parameters<RenderContext['resolveLink']>[0]): Html {
    const target = this.#context.resolveLink(ref)
    if (!target) {
      const title = this.#inlines.renderBrokenTitle()
      return title === nothing ? nothing : markup`<p class="broken-link">${title}</p>`
    }
    const { title, description, isExternal } = target
    const mark =
      target.emoji === undefined
        ? this.#icon(target.icon, isExternal ? 'globe' : 'file-lines')
        : renderEmoji(target.emoji)
    const inside = markup`${mark}<span><strong>${title}</strong>${description !== undefined && markup`<small>${description}</small>`}</span>`
    return this.#card(target, inside)
  }

  /** Renders a link as a card over the whole width. */
  #card(target: LinkTarget, inside: Html, id?: string): Html {
    const { href, isExternal } = target
    const arrow = this.#context.icon(isExternal ? 'arrow-up-right' : 'chevron-right')
    return href === undefined
      ? markup`<p${attributes({ class: 'content-ref', id })}>${inside}</p>`
      : markup`<a${attributes({ class: 'content-ref', id, href, ...this.#inlines.externalAttributes(target) })}>${inside}${arrow}${this.#inlines.renderExternalNote(target)}</a>`
  }

  /** Renders the name or URL of a block that cannot be shown. */
  #renderUnsupported(name: string, { url, id }: { url?: string | undefined; id?: string | undefined }): Html {
    const isHttpUrl = url !== undefined && /^https?:\/\//i.test(url)
    const detail = isHttpUrl ? url : this.#context.texts.notShown
    const inside = markup`${this.#context.icon('puzzle-piece')}<span><strong>${name}</strong><small>${detail}</small></span>`
    return this.#card({ href: isHttpUrl ? url : undefined, title: name, isExternal: true }, inside, id)
  }
}

/** Renders conditional content for readers who see all content. */
const renderCondition = (expression: string, content: Html): Html =>
  markup`<div class="condition"><p class="condition-expression"><code>${expression}</code></p>${content}</div>`

/** Returns the name of a part of an OpenAPI document that cannot be shown. */
function toOpenApiTitle(block: OpenApiBlock): string {
  const { method, name } = readBlockName(block)
  return [method, name].filter(Boolean).join(' ')
}

const toOpenApiTarget = ({ data: { ref }, meta }: OpenApiBlock) => ({
  url: ref.kind === 'url' ? ref.url : undefined,
  id: meta?.id,
})

const tagsOf = ({ data }: Pick<Update, 'data'>): string[] => (data?.tags ?? []).map(({ tag }) => tag)

/** Returns the id of a tag; ids of headings never contain a tilde. */
const tagId = (slug: string): string => `tag~${slug}`

/** Renders a tag of the space. */
export function renderTag({ label, color, emoji: code, icon }: ResolvedTag, context: RenderContext, id?: string): Html {
  const mark = code === undefined ? icon !== undefined && context.icon(icon) : renderEmoji(code)
  return markup`<span${attributes({ class: 'tag', id, style: toneStyle(color) })}>${mark}${label}</span>`
}

const alignmentAttribute = (align: string | undefined): Html =>
  align === undefined || align === 'start' ? nothing : attributes({ class: `text-${align}` })

/** Collapses code at first. */
const withCollapsedCode = (block: Block): Block =>
  block.type === 'code' ? { ...block, data: { ...block.data, ...collapsedCodeData } } : block

const collapsedCodeData: NonNullable<Code['data']> = { expandable: true, collapsedLineCount: visiblePromptLines }

/** Returns the share of the width that a column takes. */
function columnWidthStyle(width: Length | undefined): string | undefined {
  if (width === undefined) return undefined
  const { value, unit } = typeof width === 'number' ? { value: width, unit: '%' } : width
  if (!Number.isFinite(value) || value <= 0) return undefined
  const rounded = Math.round(value * 100) / 100
  if (unit === 'fr') return `flex:${rounded} 1 0`
  return unit === 'px' || unit === '%' ? `flex:0 1 ${rounded}${unit}` : undefined
}
