import type { AnnotationInline, Block, InlineElement, InlineNode, Leaf, Mark } from '../content/document/nodes.ts'
import { pairFormattingTags } from '../content/document/raw-html.ts'
import { emojiCharacters } from '../content/document/text.ts'
import { renderTextChanges } from './changes.ts'
import { sizeStyle } from './lengths.ts'
import { type Html, attributes, markup, nothing, trusted } from './html.ts'
import type { LinkTarget, RenderContext } from './render-context.ts'
import { toCssColor, toneStyle } from './tones.ts'

type RenderBlocks = (blocks: readonly Block[]) => Html
type RenderContent = () => Html

/** Renders inlines. */
export class InlineRenderer {
  readonly #context: RenderContext
  readonly #renderBlocks: RenderBlocks
  readonly #notes: Html[] = []
  /** Inside a link or button: the buttons of annotations, which are rendered after it. */
  #deferredButtons: Html[] | undefined

  constructor(context: RenderContext, blocks: RenderBlocks) {
    this.#context = context
    this.#renderBlocks = blocks
  }

  /** Contents of annotations: blocks, which cannot be inside a line, so they are rendered after the document. */
  get notes(): readonly Html[] {
    return this.#notes
  }

  render(nodes: readonly InlineNode[]): Html {
    const words = this.#context.changes?.words.get(nodes)
    if (words) return renderTextChanges(words, (part) => this.render(part))
    const formatting = pairFormattingTags(nodes)
    const areIcons = nodes.length > 0 && nodes.every(isIconOrBlank)
    return markup`${nodes.map((node) => (node.object === 'text' ? node.leaves.map(renderLeaf) : (formattingTag(formatting.get(node)) ?? this.#element(node, areIcons))))}`
  }

  #element(node: InlineElement, isAlone: boolean): Html {
    switch (node.type) {
      case 'link':
        return this.renderLink(this.#context.resolveLink(node.data.ref), () => this.render(node.nodes))
      case 'emoji':
        return renderEmoji(node.data.code)
      case 'icon':
        return this.#icon(node.data, isAlone)
      case 'expression':
        return markup`<code class="expression">${node.data.expression}</code>`
      case 'inline-math':
        return this.#context.renderMath(node.data.formula, false)
      case 'inline-image':
        return this.#image(node.data)
      case 'annotation':
        return this.renderAnnotation(node)
      case 'mention': {
        const target = this.#context.resolveLink(node.data.ref)
        return this.renderLink(target, () => this.#renderTitle(target), 'mention')
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
  renderLink(target: LinkTarget | undefined, content: RenderContent, kind?: string): Html {
    if (!target) return this.#renderBroken(content, kind)
    if (target.href === undefined) return markup`<span${attributes({ class: kind })}>${content()}</span>`
    return this.#renderClickable(
      content,
      (inside) =>
        markup`<a${attributes({ href: target.href, class: kind, ...this.externalAttributes(target) })}>${inside}${this.renderExternalNote(target)}</a>`,
    )
  }

  #renderBroken(content: RenderContent, kind: string | undefined): Html {
    if (!this.#context.marksBrokenLinks) return content()
    return markup`<span${attributes({ class: joinClasses('broken-link', kind), title: this.#context.texts.brokenLink })}>${content()}</span>`
  }

  externalAttributes({ isExternal }: LinkTarget): Record<string, string | undefined> {
    if (!isExternal) return {}
    const opensInNewTab = this.#context.externalLinkTarget === 'blank'
    return { target: opensInNewTab ? '_blank' : undefined, rel: opensInNewTab ? 'noopener noreferrer' : 'noreferrer' }
  }

  /** Renders hidden text for screen readers: the link opens in a new tab. */
  renderExternalNote({ isExternal }: LinkTarget): Html {
    if (!isExternal || this.#context.externalLinkTarget !== 'blank') return nothing
    return markup`<span class="sr-only"> (${this.#context.texts.external})</span>`
  }

  /** Renders inlines inside a link or button, which cannot contain others: only their text, with annotations after it. */
  #renderClickable(content: RenderContent, wrap: (inside: Html) => Html): Html {
    if (this.#deferredButtons) return content()
    const deferred: Html[] = []
    this.#deferredButtons = deferred
    const inside = content()
    this.#deferredButtons = undefined
    return markup`${wrap(inside)}${deferred}`
  }

  #renderTitle(target: LinkTarget | undefined): Html {
    if (!target) return this.renderBrokenTitle()
    const icon = target.icon === undefined ? nothing : this.#context.icon(target.icon)
    const mark = target.emoji === undefined ? icon : renderEmoji(target.emoji)
    return markup`${mark}${mark.text !== '' && ' '}${target.title}`
  }

  /** Returns the text for a missing target: empty, unless missing targets are marked. */
  renderBrokenTitle(): Html {
    return this.#context.marksBrokenLinks ? markup`${this.#context.texts.brokenLink}` : nothing
  }

  /** Renders an icon: decorative beside text, with an accessible name if alone. */
  #icon({ icon, color }: Extract<InlineElement, { type: 'icon' }>['data'], isAlone: boolean): Html {
    const drawn = this.#context.icon(icon)
    if (drawn.text === '') return nothing
    const tone = toCssColor(color)
    const nameAttributes = isAlone && { role: 'img', 'aria-label': icon.replaceAll('-', ' ') }
    return markup`<span${attributes({ class: 'icon', style: tone && `color:${tone}`, ...nameAttributes })}>${drawn}</span>`
  }

  #image(data: Extract<InlineElement, { type: 'inline-image' }>['data']): Html {
    const { ref, refDark, alt, caption, size } = data
    const shown = this.#context.resolveFile(ref)
    const altText = alt ?? caption ?? ''
    if (!shown) return markup`<span class="missing">${altText || this.#context.texts.notShown}</span>`
    const dark = refDark && this.#context.resolveFile(refDark)
    const style = sizeStyle(data)
    const kind = size === 'original' || style !== undefined ? 'inline-image' : 'inline-image line-high'
    const imageElement = ({ url, dimensions }: typeof shown, mode?: string) =>
      markup`<img${attributes({ class: joinClasses(kind, mode), src: url, alt: altText, ...dimensions, style, loading: 'lazy' })}>`
    return dark ? markup`${imageElement(shown, 'only-light')}${imageElement(dark, 'only-dark')}` : imageElement(shown)
  }

  /** Renders annotated text; the annotation is a popover and works without scripts. */
  renderAnnotation({ nodes, fragments }: AnnotationInline, content: RenderContent = () => this.render(nodes)): Html {
    const id = this.#context.newId('note')
    this.#addNote(
      id,
      fragments.flatMap((fragment) => fragment.nodes),
    )
    const popoverButton = (inside: Html, label?: string) =>
      markup`<button${attributes({ type: 'button', class: 'annotation', popovertarget: id, 'aria-label': label })}>${inside}</button>`
    const noteButton = () => popoverButton(this.#context.icon('circle-info'), this.#context.texts.note)
    if (this.#deferredButtons) {
      this.#deferredButtons.push(noteButton())
      return content()
    }
    if (nodes.some(isClickable) || nodes.every(isInvisible)) return markup`${content()}${noteButton()}`
    return this.#renderClickable(content, (inside) => popoverButton(inside))
  }

  #addNote(id: string, blocks: readonly Block[]): void {
    const outerButtons = this.#deferredButtons
    this.#deferredButtons = undefined
    const body = this.#renderBlocks(blocks)
    this.#deferredButtons = outerButtons
    this.#notes.push(
      markup`<div${attributes({ class: 'annotation-body', id, popover: true, role: 'note', 'aria-label': this.#context.texts.note })}>${body}</div>`,
    )
  }

  #button(data: Extract<InlineElement, { type: 'button' }>['data']): Html {
    const { label, kind, size = 'medium', icon, ref } = data
    const content = markup`${icon !== undefined && this.#context.icon(icon)}<span>${label}</span>`
    const classAttribute = { class: joinClasses('button', `button-${kind}`, size !== 'medium' && `button-${size}`) }
    const target = ref && this.#context.resolveLink(ref)
    const linkAttributes =
      actionAttributes(data, this.#context) ?? (target && { href: target.href, ...this.externalAttributes(target) })
    return this.#renderClickable(
      () => content,
      (inside) =>
        linkAttributes
          ? markup`<a${attributes({ ...classAttribute, ...linkAttributes })}>${inside}${target && this.renderExternalNote(target)}</a>`
          : markup`<span${attributes({ ...classAttribute, role: 'link', 'aria-disabled': 'true', title: this.#context.marksBrokenLinks ? this.#context.texts.brokenLink : undefined })}>${inside}</span>`,
    )
  }
}

/** Returns the action of a button, and its URL without scripts. */
function actionAttributes(
  { action, label }: Extract<InlineElement, { type: 'button' }>['data'],
  context: RenderContext,
): Record<string, string> | undefined {
  if (!action) return undefined
  if (action.action === 'select') return { href: `#${encodeURIComponent(action.slug)}` }
  const query = action.query ?? (action.action === 'ask' ? label : '')
  const href = context.searchHrefFor?.(query)
  return href === undefined ? undefined : { href, 'data-action': 'search', 'data-query': query }
}

/** Whether a text consists of icons only. */
export const hasOnlyIcons = (nodes: readonly InlineNode[]): boolean =>
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

const isClickable = (node: InlineNode): boolean => {
  if (node.object === 'text') return false
  if (node.type === 'annotation') return node.nodes.some(isClickable)
  return node.type === 'link' || node.type === 'mention' || node.type === 'button'
}

const isInvisible = (node: InlineNode): boolean =>
  node.object === 'inline' && (node.type === 'html' || node.type === 'anchor')

/** Renders an emoji, or its code if it is unknown. */
export const renderEmoji = (code: string): Html =>
  markup`<span class="emoji">${emojiCharacters(code) || `:${code}:`}</span>`

/** Joins class names and drops falsy ones. */
export function joinClasses(...names: readonly (string | false | undefined)[]): string | undefined {
  const set = names.filter((name): name is string => Boolean(name))
  return set.length === 0 ? undefined : set.join(' ')
}

function renderLeaf({ text, marks }: Leaf): Html {
  const isCode = marks.some(({ type }) => type === 'code')
  const lines = text.split('\n').map((line, index) => {
    const content = isCode ? renderBreakableCode(line) : line
    return index === 0 ? markup`${content}` : markup`<br>${content}`
  })
  // The first mark is the outermost.
  return marks.toReversed().reduce((inner, mark) => renderMark(mark, inner), markup`${lines}`)
}

const flagPattern = /(-{2,}\w{0,24}|(?<![\w-])-\w{1,24})/
const longRunPattern = /(\S{24,})/
/** Positions where code may break: after punctuation and before a capital; long runs without either are cut. */
const breakPositions = /(?<=[./_:=,;&?|@#)\]}\\])(?=\w)|(?<=[a-z0-9])(?=[A-Z])/
const chunkPattern = /.{1,32}/gsu

/** Renders inline code: flags do not break, long names may break between their parts. */
function renderBreakableCode(text: string): Html {
  const parts = text.split(flagPattern).map((part, index) => {
    if (index % 2 === 1) return markup`<span class="flag">${part}</span>`
    return part.split(longRunPattern).map((run, at) => (at % 2 === 1 ? breakRun(run) : markup`${run}`))
  })
  return markup`${parts}`
}

const breakRun = (run: string): Html[] =>
  run
    .split(breakPositions)
    .flatMap((part) => part.match(chunkPattern) ?? [])
    .map((part, index) => (index === 0 ? markup`${part}` : markup`<wbr>${part}`))

function renderMark(mark: Mark, inner: Html): Html {
  switch (mark.type) {
    case 'color': {
      const tone = toCssColor(mark.data.text)
      const coloredText = tone === undefined ? inner : markup`<span style="${`color:${tone}`}">${inner}</span>`
      const backgroundStyle = toneStyle(mark.data.background)
      return backgroundStyle === undefined
        ? coloredText
        : markup`<mark style="${backgroundStyle}">${coloredText}</mark>`
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
