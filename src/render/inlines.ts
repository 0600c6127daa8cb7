import type { AnnotationInline, Block, InlineElement, InlineNode, Leaf, Mark } from '../content/document/nodes.ts'
import { formattingTags } from '../content/document/raw-html.ts'
import { emojiCharacters } from '../content/document/text.ts'
import { withWords } from './changes.ts'
import { styleOf } from './lengths.ts'
import { type Html, attributes, markup, nothing, trusted } from './html.ts'
import type { LinkTarget, Setting } from './setting.ts'
import { toneOf, toneStyle } from './tones.ts'

type RenderBlocks = (blocks: readonly Block[]) => Html
type Content = () => Html

/** Renders inlines. */
export class Inlines {
  readonly #setting: Setting
  readonly #blocks: RenderBlocks
  readonly #notes: Html[] = []
  /** Inside a link or button: the buttons of annotations, which are rendered after it. */
  #behind: Html[] | undefined

  constructor(setting: Setting, blocks: RenderBlocks) {
    this.#setting = setting
    this.#blocks = blocks
  }

  /** Contents of annotations: blocks, which cannot be inside a line, so they are rendered after the document. */
  get notes(): readonly Html[] {
    return this.#notes
  }

  render(nodes: readonly InlineNode[]): Html {
    const words = this.#setting.changes?.words.get(nodes)
    if (words) return withWords(words, (part) => this.render(part))
    const formatting = formattingTags(nodes)
    const areIcons = nodes.length > 0 && nodes.every(isIconOrBlank)
    return markup`${nodes.map((node) => (node.object === 'text' ? node.leaves.map(leaf) : (formattingTag(formatting.get(node)) ?? this.#element(node, areIcons))))}`
  }

  #element(node: InlineElement, isAlone: boolean): Html {
    switch (node.type) {
      case 'link':
        return this.link(this.#setting.linkTo(node.data.ref), () => this.render(node.nodes))
      case 'emoji':
        return emoji(node.data.code)
      case 'icon':
        return this.#icon(node.data, isAlone)
      case 'expression':
        return markup`<code class="expression">${node.data.expression}</code>`
      case 'inline-math':
        return this.#setting.math(node.data.formula, false)
      case 'inline-image':
        return this.#image(node.data)
      case 'annotation':
        return this.annotation(node)
      case 'mention': {
        const target = this.#setting.linkTo(node.data.ref)
        return this.link(target, () => this.#titleOf(target), 'mention')
      }
      case 'button':
        return this.#button(node.data)
      case 'html':
        return nothing
      case 'anchor':
        return node.meta?.id === undefined ? nothing : markup`<span${attributes({ id: node.meta.id })}></span>`
    }
  }

  /** Renders a link, or only its text if the target does not exist. */
  link(target: LinkTarget | undefined, content: Content, kind?: string): Html {
    if (!target) return this.#broken(content, kind)
    if (target.href === undefined) return markup`<span${attributes({ class: kind })}>${content()}</span>`
    return this.#clickable(
      content,
      (inside) =>
        markup`<a${attributes({ href: target.href, class: kind, ...this.external(target) })}>${inside}${this.externalNote(target)}</a>`,
    )
  }

  #broken(content: Content, kind: string | undefined): Html {
    if (!this.#setting.marksBrokenLinks) return content()
    return markup`<span${attributes({ class: classes('broken-link', kind), title: this.#setting.texts.brokenLink })}>${content()}</span>`
  }

  external({ isExternal }: LinkTarget): Record<string, string | undefined> {
    if (!isExternal) return {}
    const opensAside = this.#setting.opensExternalIn === 'blank'
    return { target: opensAside ? '_blank' : undefined, rel: opensAside ? 'noopener noreferrer' : 'noreferrer' }
  }

  /** Renders hidden text for screen readers: the link opens in a new tab. */
  externalNote({ isExternal }: LinkTarget): Html {
    if (!isExternal || this.#setting.opensExternalIn !== 'blank') return nothing
    return markup`<span class="sr-only"> (${this.#setting.texts.external})</span>`
  }

  /** Renders inlines inside a link or button, which cannot contain others: only their text, with annotations after it. */
  #clickable(content: Content, around: (inside: Html) => Html): Html {
    if (this.#behind) return content()
    const behind: Html[] = []
    this.#behind = behind
    const inside = content()
    this.#behind = undefined
    return markup`${around(inside)}${behind}`
  }

  #titleOf(target: LinkTarget | undefined): Html {
    if (!target) return this.brokenTitle()
    const icon = target.icon === undefined ? nothing : this.#setting.icon(target.icon)
    const mark = target.emoji === undefined ? icon : emoji(target.emoji)
    return markup`${mark}${mark.text !== '' && ' '}${target.title}`
  }

  /** Returns the text for a missing target: empty, unless missing targets are marked. */
  brokenTitle(): Html {
    return this.#setting.marksBrokenLinks ? markup`${this.#setting.texts.brokenLink}` : nothing
  }

  /** Renders an icon: decorative beside text, with an accessible name if alone. */
  #icon({ icon, color }: Extract<InlineElement, { type: 'icon' }>['data'], isAlone: boolean): Html {
    const drawn = this.#setting.icon(icon)
    if (drawn.text === '') return nothing
    const tone = toneOf(color)
    const named = isAlone && { role: 'img', 'aria-label': icon.replaceAll('-', ' ') }
    return markup`<span${attributes({ class: 'icon', style: tone && `color:${tone}`, ...named })}>${drawn}</span>`
  }

  #image(data: Extract<InlineElement, { type: 'inline-image' }>['data']): Html {
    const { ref, refDark, alt, caption, size } = data
    const shown = this.#setting.file(ref)
    const words = alt ?? caption ?? ''
    if (!shown) return markup`<span class="missing">${words || this.#setting.texts.notShown}</span>`
    const dark = refDark && this.#setting.file(refDark)
    const style = styleOf(data)
    const kind = size === 'original' || style !== undefined ? 'inline-image' : 'inline-image line-high'
    const one = ({ url, dimensions }: typeof shown, mode?: string) =>
      markup`<img${attributes({ class: classes(kind, mode), src: url, alt: words, ...dimensions, style, loading: 'lazy' })}>`
    return dark ? markup`${one(shown, 'only-light')}${one(dark, 'only-dark')}` : one(shown)
  }

  /** Renders annotated text; the annotation is a popover and works without scripts. */
  annotation({ nodes, fragments }: AnnotationInline, content: Content = () => this.render(nodes)): Html {
    const id = this.#setting.newId('note')
    this.#addNote(
      id,
      fragments.flatMap((fragment) => fragment.nodes),
    )
    const opening = (inside: Html, label?: string) =>
      markup`<button${attributes({ type: 'button', class: 'annotation', popovertarget: id, 'aria-label': label })}>${inside}</button>`
    const mark = () => opening(this.#setting.icon('circle-info'), this.#setting.texts.note)
    if (this.#behind) {
      this.#behind.push(mark())
      return content()
    }
    if (nodes.some(canBeClicked) || nodes.every(isUnseen)) return markup`${content()}${mark()}`
    return this.#clickable(content, (inside) => opening(inside))
  }

  #addNote(id: string, blocks: readonly Block[]): void {
    const around = this.#behind
    this.#behind = undefined
    const body = this.#blocks(blocks)
    this.#behind = around
    this.#notes.push(
      markup`<div${attributes({ class: 'annotation-body', id, popover: true, role: 'note', 'aria-label': this.#setting.texts.note })}>${body}</div>`,
    )
  }

  #button(data: Extract<InlineElement, { type: 'button' }>['data']): Html {
    const { label, kind, size = 'medium', icon, ref } = data
    const content = markup`${icon !== undefined && this.#setting.icon(icon)}<span>${label}</span>`
    const look = { class: classes('button', `button-${kind}`, size !== 'medium' && `button-${size}`) }
    const target = ref && this.#setting.linkTo(ref)
    const leads = actionOf(data, this.#setting) ?? (target && { href: target.href, ...this.external(target) })
    return this.#clickable(
      () => content,
      (inside) =>
        leads
          ? markup`<a${attributes({ ...look, ...leads })}>${inside}${target && this.externalNote(target)}</a>`
          : markup`<span${attributes({ ...look, role: 'link', 'aria-disabled': 'true', title: this.#setting.marksBrokenLinks ? this.#setting.texts.brokenLink : undefined })}>${inside}</span>`,
    )
  }
}

/** Returns the action of a button, and its URL without scripts. */
function actionOf(
  { action, label }: Extract<InlineElement, { type: 'button' }>['data'],
  setting: Setting,
): Record<string, string> | undefined {
  if (!action) return undefined
  if (action.action === 'select') return { href: `#${encodeURIComponent(action.slug)}` }
  const query = action.query ?? (action.action === 'ask' ? label : '')
  const href = setting.searchFor?.(query)
  return href === undefined ? undefined : { href, 'data-action': 'search', 'data-query': query }
}

/** Whether a text consists of icons only. */
export const areOnlyIcons = (nodes: readonly InlineNode[]): boolean =>
  nodes.every(isIconOrBlank) && nodes.some((node) => node.object === 'inline' && node.type === 'icon')

const isIconOrBlank = (node: InlineNode): boolean =>
  node.object === 'text'
    ? node.leaves.every(({ text }) => text.trim() === '')
    : node.type === 'icon' || node.type === 'html' || node.type === 'anchor'

/** Returns an allowed formatting tag without attributes. */
function formattingTag(tag: { name: string; isOpen: boolean } | undefined): Html | undefined {
  if (!tag) return undefined
  if (tag.name === 'big') return trusted(tag.isOpen ? '<span style="font-size:larger">' : '</span>')
  return trusted(`<${tag.isOpen ? '' : '/'}${tag.name}>`)
}

const canBeClicked = (node: InlineNode): boolean => {
  if (node.object === 'text') return false
  if (node.type === 'annotation') return node.nodes.some(canBeClicked)
  return node.type === 'link' || node.type === 'mention' || node.type === 'button'
}

const isUnseen = (node: InlineNode): boolean =>
  node.object === 'inline' && (node.type === 'html' || node.type === 'anchor')

/** Renders an emoji, or its code if it is unknown. */
export const emoji = (code: string): Html => markup`<span class="emoji">${emojiCharacters(code) || `:${code}:`}</span>`

/** Joins class names and drops falsy ones. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  const set = names.filter((name): name is string => Boolean(name))
  return set.length === 0 ? undefined : set.join(' ')
}

function leaf({ text, marks }: Leaf): Html {
  const isCode = marks.some(({ type }) => type === 'code')
  const lines = text.split('\n').map((line, index) => {
    const content = isCode ? breakable(line) : line
    return index === 0 ? markup`${content}` : markup`<br>${content}`
  })
  // The first mark is the outermost.
  return marks.toReversed().reduce((inner, mark) => marked(mark, inner), markup`${lines}`)
}

const flag = /(-{2,}\w{0,24}|(?<![\w-])-\w{1,24})/
const longRun = /(\S{24,})/
/** Positions where code may break: after punctuation and before a capital; long runs without either are cut. */
const breaks = /(?<=[./_:=,;&?|@#)\]}\\])(?=\w)|(?<=[a-z0-9])(?=[A-Z])/
const pieces = /.{1,32}/gsu

/** Renders inline code: flags do not break, long names may break between their parts. */
function breakable(text: string): Html {
  const parts = text.split(flag).map((part, index) => {
    if (index % 2 === 1) return markup`<span class="flag">${part}</span>`
    return part.split(longRun).map((run, at) => (at % 2 === 1 ? broken(run) : markup`${run}`))
  })
  return markup`${parts}`
}

const broken = (run: string): Html[] =>
  run
    .split(breaks)
    .flatMap((part) => part.match(pieces) ?? [])
    .map((part, index) => (index === 0 ? markup`${part}` : markup`<wbr>${part}`))

function marked(mark: Mark, inner: Html): Html {
  switch (mark.type) {
    case 'color': {
      const tone = toneOf(mark.data.text)
      const coloured = tone === undefined ? inner : markup`<span style="${`color:${tone}`}">${inner}</span>`
      const behind = toneStyle(mark.data.background)
      return behind === undefined ? coloured : markup`<mark style="${behind}">${coloured}</mark>`
    }
    case 'bold':
      return markup`<strong>${inner}</strong>`
    case 'italic':
      return markup`<em>${inner}</em>`
    case 'code':
      return markup`<code>${inner}</code>`
    case 'keyboard':
      return markup`<kbd>${inner}</kbd>`
    case 'strikethrough':
      return markup`<s>${inner}</s>`
    case 'superscript':
      return markup`<sup>${inner}</sup>`
    case 'subscript':
      return markup`<sub>${inner}</sub>`
  }
}
