import type { Block, Document, Fragment, ListItem, Tabs, Update } from '../content/document/nodes.ts'
import { emojiCharacters, textOfBlocks } from '../content/document/text.ts'
import { renderCode } from './code.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { Inlines, classes } from './inlines.ts'
import { renderDrawing, renderEmbed, renderFile, renderImage, renderImages } from './media.ts'
import type { Setting, ShownTag } from './setting.ts'
import { renderTable } from './table.ts'

/** A document as it is read; it was evaluated for its reader, and its headings have anchors. */
export function renderDocument(document: Document, setting: Setting): Html {
  return renderBlocks(document.nodes, setting)
}

export function renderBlocks(blocks: readonly Block[], setting: Setting): Html {
  return new Blocks(setting).all(blocks)
}

const hintIcons = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'triangle-exclamation',
}

class Blocks {
  readonly #setting: Setting
  readonly #inlines: Inlines

  constructor(setting: Setting) {
    this.#setting = setting
    this.#inlines = new Inlines(setting, renderBlocks)
  }

  all(blocks: readonly Block[]): Html {
    return markup`${blocks.map((block) => this.#one(block))}`
  }

  /** Every kind of block, none of which is ever dropped. */
  #one(block: Block): Html {
    const setting = this.#setting
    const inlines = this.#inlines
    const caption = (fragments: readonly Fragment[] | undefined) => this.#caption(fragments)
    switch (block.type) {
      case 'paragraph':
        return markup`<p${aligned(block.data?.align)}>${inlines.render(block.nodes)}</p>`
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return this.#heading(block)
      case 'list-ordered':
        return markup`<ol${attributes({ start: block.data?.start === 1 ? undefined : block.data?.start })}>${block.nodes.map((item) => this.#item(item))}</ol>`
      case 'list-unordered':
        return markup`<ul>${block.nodes.map((item) => this.#item(item))}</ul>`
      case 'list-tasks':
        return markup`<ul class="tasks">${block.nodes.map((item) => this.#task(item))}</ul>`
      case 'list-item':
        return markup`<ul>${this.#item(block)}</ul>`
      case 'divider':
        return markup`<hr>`
      case 'blockquote':
        return markup`<blockquote>${this.all(block.nodes)}</blockquote>`
      case 'hint': {
        const { style, icon } = block.data
        return markup`<aside${attributes({ class: `hint hint-${style}`, 'aria-label': setting.texts.hints[style] })}><span class="hint-icon" aria-hidden="true">${setting.icon(icon ?? hintIcons[style])}</span><div>${this.all(block.nodes)}</div></aside>`
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
        return markup`<div class="math" tabindex="0">${setting.math(block.data.formula, true)}</div>`
      case 'expandable':
        return this.#expandable(block)
      case 'tabs':
        return this.#tabs(block)
      case 'tabs-item':
        return this.#tabs({ object: 'block', type: 'tabs', nodes: [block] })
      case 'stepper':
        return markup`<ol class="stepper">${block.nodes.map((step) => this.#one(step))}</ol>`
      case 'stepper-step':
        return markup`<li class="step">${block.data?.icon !== undefined && markup`<span class="step-icon" aria-hidden="true">${setting.icon(block.data.icon)}</span>`}<div>${this.all(block.nodes)}</div></li>`
      case 'columns':
        return markup`<div${attributes({ class: classes('columns', block.data?.fullWidth && 'full-width') })}>${block.nodes.map((column) => this.#one(column))}</div>`
      case 'column':
        return markup`<div${attributes({ class: classes('column', block.data?.verticalAlignment && `vertical-${block.data.verticalAlignment}`), style: widthOf(block.data?.width) })}>${this.all(block.nodes)}</div>`
      case 'updates':
        return markup`<div class="updates">${block.nodes.map((update) => this.#update(update, block.data?.format ?? 'full'))}</div>`
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
        return this.#unknown(`${block.data.integration}/${block.data.block}`, block.data.url)
      case 'swagger':
        return this.#unknown([block.data.method?.toUpperCase(), block.data.path].filter(Boolean).join(' '))
      case 'openapi-operation':
        return this.#unknown(`${block.data.method.toUpperCase()} ${block.data.path}`)
      case 'openapi-schemas':
        return this.#unknown(block.data.schemas.join(', '))
      case 'openapi-webhook':
        return this.#unknown(`${block.data.method.toUpperCase()} ${block.data.name}`)
    }
  }

  /** The title of the page is the first level, so headings begin with the second. */
  #heading(block: Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }>): Html {
    const level = Number(block.type.at(-1)) + 1
    const id = block.meta?.id
    const content = this.#inlines.render(block.nodes)
    const anchor =
      id === undefined
        ? nothing
        : markup`<a${attributes({ class: 'anchor', href: `#${id}`, 'aria-label': this.#setting.texts.linkToSection })}></a>`
    const attrs = markup`${attributes({ id })}${aligned(block.data?.align)}`
    if (level === 2) return markup`<h2${attrs}>${content}${anchor}</h2>`
    return level === 3 ? markup`<h3${attrs}>${content}${anchor}</h3>` : markup`<h4${attrs}>${content}${anchor}</h4>`
  }

  #item({ nodes }: ListItem): Html {
    return markup`<li>${this.#tight(nodes)}</li>`
  }

  #task({ data, nodes }: ListItem): Html {
    const { texts } = this.#setting
    const box = markup`<input type="checkbox" disabled${attributes({ checked: data?.checked === true, 'aria-label': data?.checked ? texts.taskDone : texts.taskOpen })}>`
    return markup`<li>${box}<div>${this.#tight(nodes)}</div></li>`
  }

  /** A single paragraph stands without the space around paragraphs. */
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

  #prompt({ data, nodes }: Extract<Block, { type: 'prompt' }>): Html {
    const { texts } = this.#setting
    const isOpen = data?.defaultExpanded === 'full'
    const assistant = data?.openInAIProviders
      ? markup`<button type="button" data-assistant hidden>${texts.useInAssistant}</button>`
      : nothing
    return markup`<details class="prompt" ${attributes({ open: isOpen })}><summary>${this.#setting.icon(data?.icon ?? 'sparkles')}<span>${data?.description ?? ''}</span>${assistant}</summary>${this.all(nodes)}</details>`
  }

  #expandable({ data, fragments, meta }: Extract<Block, { type: 'expandable' }>): Html {
    const part = (type: string) => fragments.filter((one) => one.type === type).flatMap((one) => one.nodes)
    return markup`<details class="expandable" ${attributes({ id: meta?.id, open: data.defaultExpanded === true })}><summary>${this.#tight(part('expandable-title'))}</summary><div>${this.all(part('expandable-body'))}</div></details>`
  }

  /** Tabs that can be chosen without a script, as they are radio buttons. */
  #tabs({ data, nodes }: Tabs): Html {
    const name = this.#setting.newId('tabs')
    const tabs = nodes.map((tab, index) => {
      const id = tab.meta?.id ?? `${name}-${index}`
      const title = tab.data?.title ?? ''
      const icon = tab.data?.icon
      return markup`<input type="radio" ${attributes({ name, id, checked: index === 0, 'data-tab': title })}><label for="${id}">${icon !== undefined && this.#setting.icon(icon)}${title}</label><div class="panel">${this.all(tab.nodes)}</div>`
    })
    return markup`<div${attributes({ class: classes('tabs', data?.fullWidth && 'full-width'), style: `--tabs:${nodes.length}` })}>${tabs}</div>`
  }

  #update({ data, nodes }: Update, format: 'full' | 'short' | 'numeric'): Html {
    const date = data?.date ?? ''
    const tags = (data?.tags ?? []).flatMap(({ tag }) => {
      const shown = this.#setting.tag(tag)
      return shown ? [renderTag(shown, this.#setting)] : []
    })
    return markup`<article class="update"><div class="when"><time${attributes({ datetime: date })}>${this.#setting.date(date, format)}</time>${tags}</div><div>${this.all(nodes)}</div></article>`
  }

  #contentRef(ref: Parameters<Setting['linkTo']>[0]): Html {
    const target = this.#setting.linkTo(ref)
    if (!target) return markup`<p class="broken-link">${this.#setting.texts.brokenLink}</p>`
    const { href, title, description } = target
    return markup`<a class="content-ref" ${attributes({ href, ...this.#inlines.external(target) })}>${this.#setting.icon(target.icon ?? 'file-lines')}<span><strong>${title}</strong>${description !== undefined && markup`<small>${description}</small>`}</span></a>`
  }

  /** What cannot be shown here says what it is. */
  #unknown(name: string, url?: string): Html {
    const isAddress = url !== undefined && /^https?:\/\//.test(url)
    return markup`<p class="unknown">${isAddress ? markup`<a${attributes({ href: url, rel: 'noreferrer' })}>${name}</a>` : markup`<code>${name}</code>`}</p>`
  }
}

/** A tag of a space. */
export function renderTag({ label, color, emoji, icon }: ShownTag, setting: Setting): Html {
  const mark = emoji === undefined ? icon !== undefined && setting.icon(icon) : emojiCharacters(emoji)
  const isNamed = color !== undefined && /^[a-z]+$/.test(color)
  return markup`<span${attributes({ class: classes('tag', isNamed && `option-${color}`) })}>${mark}${label}</span>`
}

const aligned = (align: string | undefined): Html =>
  align === undefined || align === 'start' ? nothing : attributes({ class: `text-${align}` })

function widthOf(width: number | { unit: string; value: number } | undefined): string | undefined {
  if (width === undefined) return undefined
  const { value, unit } = typeof width === 'number' ? { value: width, unit: '%' } : width
  return /^(px|%|fr)$/.test(unit) && Number.isFinite(value) ? `--width:${value}${unit}` : undefined
}
