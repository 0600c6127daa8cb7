import type {
  Block,
  Code,
  Document,
  Fragment,
  Heading,
  Length,
  ListItem,
  Tabs,
  Update,
  Updates,
} from '../content/document/nodes.ts'
import { headingName } from '../content/document/outline.ts'
import { isUnseenParagraph } from '../content/document/raw-html.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { withMark } from './changes.ts'
import { renderCode } from './code.ts'
import { codeText } from './codes.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { Inlines, areOnlyIcons, classes, emoji } from './inlines.ts'
import { renderDrawing, renderEmbed, renderFile, renderImage, renderImages } from './media.ts'
import type { LinkTarget, Setting, ShownTag } from './setting.ts'
import { renderTable } from './table.ts'
import { fill } from './texts.ts'
import { toneStyle } from './tones.ts'

/** Renders a document that was evaluated for its reader and whose headings have ids. */
export function renderDocument(document: Document, setting: Setting): Html {
  return renderBlocks(document.nodes, setting)
}

/** Renders block by block, so that the caller can yield to the event loop in between. */
export function* renderPortions({ nodes }: Document, setting: Setting): Iterable<Html> {
  const blocks = new Blocks(setting)
  for (const block of nodes) yield blocks.all([block])
  yield* blocks.notes
}

export function renderBlocks(nodes: readonly Block[], setting: Setting): Html {
  const blocks = new Blocks(setting)
  return markup`${blocks.all(nodes)}${blocks.notes}`
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

class Blocks {
  readonly #setting: Setting
  readonly #inlines: Inlines
  /** Tags of updates rendered so far; the first update of each tag gets an id. */
  readonly #taggedBefore = new Set<string>()

  constructor(setting: Setting) {
    this.#setting = setting
    this.#inlines = new Inlines(setting, (blocks) => this.all(blocks))
  }

  get notes(): readonly Html[] {
    return this.#inlines.notes
  }

  all(blocks: readonly Block[]): Html {
    const { changes, texts } = this.#setting
    return markup`${blocks.map((block) => withMark(changes?.blocks.get(block.key ?? ''), this.#one(block), texts))}`
  }

  /** Renders any block. */
  #one(block: Block): Html {
    const setting = this.#setting
    const inlines = this.#inlines
    const caption = (fragments: readonly Fragment[] | undefined) => this.#caption(fragments)
    switch (block.type) {
      case 'paragraph':
        if (isUnseenParagraph(block)) return inlines.render(block.nodes)
        if (this.#hasOnlyUnknownIcons(block)) return nothing
        return markup`<p${aligned(block.data?.align)}>${inlines.render(block.nodes)}</p>`
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return this.#hasOnlyUnknownIcons(block) ? nothing : this.#heading(block)
      case 'list-ordered':
        return markup`<ol${attributes({ start: block.data?.start === 1 ? undefined : block.data?.start })}>${block.nodes.map((item) => this.#item(item))}</ol>`
      case 'list-unordered':
        return markup`<ul>${block.nodes.map((item) => this.#item(item))}</ul>`
      case 'list-tasks':
        return markup`<ul class="tasks" role="list">${block.nodes.map((item) => this.#task(item))}</ul>`
      case 'list-item':
        return markup`<ul>${this.#item(block)}</ul>`
      case 'divider':
        return markup`<hr>`
      case 'blockquote':
        return markup`<blockquote>${this.all(block.nodes)}</blockquote>`
      case 'hint': {
        const { style, icon } = block.data
        return markup`<aside${attributes({ class: `hint hint-${style}`, role: 'note', 'aria-label': setting.texts.hints[style] })}><span class="hint-icon" aria-hidden="true">${this.#icon(icon, hintIcons[style])}</span><div>${this.all(block.nodes)}</div></aside>`
      }
      case 'prompt':
        return this.#prompt(block)
      case 'code':
        return renderCode(block, setting, inlines)
      case 'code-line':
        return renderCode({ object: 'block', type: 'code', nodes: [block] }, setting, inlines)
      case 'images':
        return renderImages(block, setting, caption)
      case 'image':
        return renderImage(block, setting, caption)
      case 'file':
        return renderFile(block, setting, caption)
      case 'drawing':
        return renderDrawing(block, setting)
      case 'embed':
        return renderEmbed(block, setting, caption)
      case 'math':
        return markup`<div${attributes({ class: 'math', tabindex: 0, role: 'group', 'aria-label': setting.texts.formula })}>${setting.math(block.data.formula, true)}</div>`
      case 'expandable':
        return this.#expandable(block)
      case 'tabs':
        return this.#tabs(block)
      case 'tabs-item':
        return this.#tabs({ object: 'block', type: 'tabs', nodes: [block] })
      case 'stepper':
        return markup`<ol class="stepper" role="list">${block.nodes.map((step) => this.#one(step))}</ol>`
      case 'stepper-step':
        return markup`<li class="step">${this.#stepIcon(block.data?.icon)}<div>${this.all(block.nodes)}</div></li>`
      case 'columns':
        return markup`<div${attributes({ class: classes('columns', block.data?.fullWidth && 'full-width') })}>${block.nodes.map((column) => this.#one(column))}</div>`
      case 'column':
        return markup`<div${attributes({ class: classes('column', block.data?.verticalAlignment && `vertical-${block.data.verticalAlignment}`), style: shareOf(block.data?.width) })}>${this.all(block.nodes)}</div>`
      case 'updates':
        return this.#updates(block)
      case 'update':
        return this.#update(block, 'full')
      case 'if':
        return this.all(block.nodes)
      case 'table':
        return renderTable(block, setting, inlines, ({ nodes }) => this.#cell(nodes))
      case 'content-ref':
        return this.#contentRef(block.data.ref)
      case 'reusable-content':
        return markup`<p class="missing">${setting.texts.notShown}</p>`
      case 'integration':
        return this.#unknown(`${block.data.integration}/${block.data.block}`, { url: block.data.url })
      case 'swagger': {
        const { method, path, ref } = block.data
        const url = ref.kind === 'url' ? ref.url : undefined
        return this.#unknown([method?.toUpperCase(), path].filter(Boolean).join(' '), { url, id: block.meta?.id })
      }
      case 'openapi-operation':
        return this.#unknown(`${block.data.method.toUpperCase()} ${block.data.path}`, { id: block.meta?.id })
      case 'openapi-schemas': {
        const { title, schemas } = block.data
        return this.#unknown([title, schemas.join(', ')].filter(Boolean).join(': '), { id: block.meta?.id })
      }
      case 'openapi-webhook':
        return this.#unknown(`${block.data.method.toUpperCase()} ${block.data.name}`, { id: block.meta?.id })
    }
  }

  /** Returns the chosen icon; the default icon if none was chosen or it is unknown. */
  #icon(chosen: string | undefined, usual: string): Html {
    const drawn = chosen === undefined ? nothing : this.#setting.icon(chosen)
    return drawn.text === '' ? this.#setting.icon(usual) : drawn
  }

  /** Renders the icon of a step, or its number. */
  #stepIcon(icon: string | undefined): Html {
    const drawn = icon === undefined ? nothing : this.#setting.icon(icon)
    return drawn.text === '' ? nothing : markup`<span class="step-icon" aria-hidden="true">${drawn}</span>`
  }

  /** Whether a text renders to nothing because it consists of unknown icons. */
  #hasOnlyUnknownIcons({ nodes }: Pick<Heading, 'nodes'>): boolean {
    return areOnlyIcons(nodes) && this.#inlines.render(nodes).text.trim() === ''
  }

  /** Renders a heading; `h1` is the title of the page, so headings start at `h2`. */
  #heading(block: Heading): Html {
    const level = Number(block.type.at(-1)) + 1
    const id = block.meta?.id
    const content = this.#inlines.render(block.nodes)
    const anchor =
      id === undefined || this.#setting.hasAnchors === false
        ? nothing
        : markup`<a${attributes({ class: 'anchor', href: `#${id}`, 'aria-label': this.#anchorName(block) })}></a>`
    const attrs = markup`${attributes({ id })}${aligned(block.data?.align)}`
    if (level === 2) return markup`<h2${attrs}>${content}${anchor}</h2>`
    return level === 3 ? markup`<h3${attrs}>${content}${anchor}</h3>` : markup`<h4${attrs}>${content}${anchor}</h4>`
  }

  /** Renders the link to a heading, with the heading in its accessible name. */
  #anchorName(heading: Pick<Heading, 'nodes'>): string {
    const { linkToHeading, linkToSection } = this.#setting.texts
    const name = headingName(heading)
    return name === '' ? linkToSection : fill(linkToHeading, name)
  }

  #item({ nodes }: ListItem): Html {
    return markup`<li>${this.#tight(nodes)}</li>`
  }

  #task({ data, nodes }: ListItem): Html {
    const { texts } = this.#setting
    const box = markup`<input type="checkbox" disabled${attributes({ checked: data?.checked === true, 'aria-label': data?.checked ? texts.taskDone : texts.taskOpen })}>`
    return markup`<li>${box}<div>${this.#tight(nodes)}</div></li>`
  }

  /** Renders blocks without the margins of a paragraph if there is only one. */
  #tight(nodes: readonly Block[]): Html {
    const [first, ...rest] = nodes
    if (first?.type !== 'paragraph') return this.all(nodes)
    return markup`${this.#inlines.render(first.nodes)}${this.all(rest)}`
  }

  #cell(nodes: readonly Block[]): Html {
    return nodes.length === 1 ? this.#tight(nodes) : this.all(nodes)
  }

  #caption(fragments: readonly Fragment[] | undefined): Html | undefined {
    const nodes = (fragments ?? []).flatMap((fragment) => fragment.nodes)
    return textOfBlocks(nodes, ' ').trim() === '' ? undefined : this.#tight(nodes)
  }

  /** Renders a prompt with buttons that copy it and open it in an assistant. */
  #prompt({ data, nodes }: Extract<Block, { type: 'prompt' }>): Html {
    const { texts } = this.#setting
    const shown = data?.defaultExpanded ?? 'hidden'
    const body = this.all(shown === 'partial' ? nodes.map(collapsed) : nodes)
    const codes = nodes.filter((block) => block.type === 'code')
    const hasCode = codes.length > 0
    const question = hasCode ? codes.map(codeText).join('\n\n') : textOfBlocks(nodes, '\n\n').trim()
    const isAsked = data?.openInAIProviders === true && question !== '' && question.length <= maxPromptLength
    const asking = (isAsked ? (this.#setting.assistants?.(question) ?? []) : []).map(
      ({ name, href }) =>
        markup`<a${attributes({ href, target: '_blank', rel: 'noopener noreferrer' })}>${fill(texts.openIn, name)}<span class="sr-only"> (${texts.external})</span></a>`,
    )
    const head = markup`${this.#icon(data?.icon, 'sparkles')}<span>${data?.description}</span>`
    const text = hasCode ? body : markup`<div class="prompt-text">${body}</div>`
    const whole =
      shown === 'hidden'
        ? markup`<details><summary>${head}</summary>${text}</details>`
        : markup`<p class="prompt-title">${head}</p>${text}`
    const copied = attributes({ type: 'button', 'data-copy': hasCode ? '' : question, 'data-scripted': true })
    const copy = question !== '' && markup`<button${copied}>${texts.copy}</button>`
    const foot = (copy || asking.length > 0) && markup`<p class="prompt-foot">${copy}${asking}</p>`
    return markup`<div class="prompt">${whole}${foot}</div>`
  }

  #expandable({ data, fragments, meta }: Extract<Block, { type: 'expandable' }>): Html {
    const part = (type: string) => fragments.filter((one) => one.type === type).flatMap((one) => one.nodes)
    return markup`<details class="expandable" ${attributes({ id: meta?.id, open: data.defaultExpanded === true })}><summary>${this.#tight(part('expandable-title'))}</summary><div>${this.all(part('expandable-body'))}</div></details>`
  }

  /** Renders tabs as radio buttons, which work without scripts. */
  #tabs({ data, nodes }: Tabs): Html {
    const name = this.#setting.newId('tabs')
    const tabs = nodes.map((tab, index) => {
      const id = tab.meta?.id ?? `${name}-${index}`
      const title = tab.data?.title || String(index + 1)
      const icon = tab.data?.icon
      return markup`<input type="radio" ${attributes({ name, id, checked: index === 0, 'data-tab': title })}><label for="${id}">${icon !== undefined && this.#setting.icon(icon)}${title}</label><div${attributes({ class: 'panel', role: 'group', 'aria-label': title })}>${this.all(tab.nodes)}</div>`
    })
    return markup`<div${attributes({ class: classes('tabs', data?.fullWidth && 'full-width') })}>${tabs}</div>`
  }

  #updates({ data, nodes }: Updates): Html {
    const updates = nodes.map((update) => this.#update(update, data?.format ?? 'full'))
    const head = markup`${this.#tagFilter(nodes)}${this.#subscribe()}`
    return markup`<div class="updates">${head.text !== '' && markup`<div class="updates-head">${head}</div>`}${updates}</div>`
  }

  /** Renders links that filter updates by tag; without scripts they lead to the newest update with the tag. */
  #tagFilter(updates: readonly Update[]): Html {
    const { texts } = this.#setting
    const slugs = new Set(updates.flatMap(tagsOf))
    if (slugs.size < 2) return nothing
    const links = Array.from(slugs, (slug) => {
      const { label } = this.#setting.tag(slug) ?? { label: slug }
      return markup`<li><a${attributes({ href: `#${encodeURIComponent(tagId(slug))}`, 'data-tag': slug })}>${label}</a></li>`
    })
    return markup`<ul${attributes({ class: 'tag-filter', 'aria-label': texts.filterByTag })}><li data-scripted><a href="#" data-tag="" aria-current="true">${texts.allTags}</a></li>${links}</ul>`
  }

  #subscribe(): Html {
    const setting = this.#setting
    const href = setting.feedHref?.()
    if (href === undefined) return nothing
    return markup`<a class="subscribe" href="${href}">${setting.icon('rss')}${setting.texts.subscribe}</a>`
  }

  #update({ data, nodes }: Update, format: 'full' | 'short' | 'numeric'): Html {
    const date = data?.date ?? ''
    const slugs = tagsOf({ data })
    const tags = slugs.map((slug) => {
      const isFirst = !this.#taggedBefore.has(slug)
      this.#taggedBefore.add(slug)
      return renderTag(this.#setting.tag(slug) ?? { label: slug }, this.#setting, isFirst ? tagId(slug) : undefined)
    })
    const day =
      date === '' ? nothing : markup`<time${attributes({ datetime: date })}>${this.#setting.date(date, format)}</time>`
    return markup`<article${attributes({ class: 'update', 'data-tags': slugs.join(',') || undefined })}><div class="when">${day}${tags.length > 0 && markup`<span class="tags">${tags}</span>`}</div><div>${this.all(nodes)}</div></article>`
  }

  #contentRef(ref: Parameters<Setting['linkTo']>[0]): Html {
    const target = this.#setting.linkTo(ref)
    if (!target) {
      const title = this.#inlines.brokenTitle()
      return title === nothing ? nothing : markup`<p class="broken-link">${title}</p>`
    }
    const { title, description, isExternal } = target
    const mark =
      target.emoji === undefined ? this.#icon(target.icon, isExternal ? 'globe' : 'file-lines') : emoji(target.emoji)
    const inside = markup`${mark}<span><strong>${title}</strong>${description !== undefined && markup`<small>${description}</small>`}</span>`
    return this.#card(target, inside)
  }

  /** Renders a link as a card over the whole width. */
  #card(target: LinkTarget, inside: Html, id?: string): Html {
    const { href, isExternal } = target
    const arrow = this.#setting.icon(isExternal ? 'arrow-up-right' : 'chevron-right')
    return href === undefined
      ? markup`<p${attributes({ class: 'content-ref', id })}>${inside}</p>`
      : markup`<a${attributes({ class: 'content-ref', id, href, ...this.#inlines.external(target) })}>${inside}${arrow}${this.#inlines.externalNote(target)}</a>`
  }

  /** Renders the name or URL of a block that cannot be shown. */
  #unknown(name: string, { url, id }: { url?: string | undefined; id?: string | undefined }): Html {
    const isAddress = url !== undefined && /^https?:\/\//i.test(url)
    const about = isAddress ? url : this.#setting.texts.notShown
    const inside = markup`${this.#setting.icon('puzzle-piece')}<span><strong>${name}</strong><small>${about}</small></span>`
    return this.#card({ href: isAddress ? url : undefined, title: name, isExternal: true }, inside, id)
  }
}

const tagsOf = ({ data }: Pick<Update, 'data'>): string[] => (data?.tags ?? []).map(({ tag }) => tag)

/** Returns the id of a tag; ids of headings never contain a tilde. */
const tagId = (slug: string): string => `tag~${slug}`

/** Renders a tag of the space. */
export function renderTag({ label, color, emoji: code, icon }: ShownTag, setting: Setting, id?: string): Html {
  const mark = code === undefined ? icon !== undefined && setting.icon(icon) : emoji(code)
  return markup`<span${attributes({ class: 'tag', id, style: toneStyle(color) })}>${mark}${label}</span>`
}

const aligned = (align: string | undefined): Html =>
  align === undefined || align === 'start' ? nothing : attributes({ class: `text-${align}` })

/** Collapses code at first. */
const collapsed = (block: Block): Block =>
  block.type === 'code' ? { ...block, data: { ...block.data, ...partial } } : block

const partial: NonNullable<Code['data']> = { expandable: true, collapsedLineCount: visiblePromptLines }

/** Returns the share of the width that a column takes. */
function shareOf(width: Length | undefined): string | undefined {
  if (width === undefined) return undefined
  const { value, unit } = typeof width === 'number' ? { value: width, unit: '%' } : width
  if (!Number.isFinite(value) || value <= 0) return undefined
  const rounded = Math.round(value * 100) / 100
  if (unit === 'fr') return `flex:${rounded} 1 0`
  return unit === 'px' || unit === '%' ? `flex:0 1 ${rounded}${unit}` : undefined
}
