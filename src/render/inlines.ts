import type {
  AnnotationInline,
  Block,
  ColorName,
  InlineElement,
  InlineNode,
  Leaf,
  Mark,
} from '../content/document/nodes.ts'
import { emojiCharacters } from '../content/document/text.ts'
import { type Html, attributes, markup } from './html.ts'
import type { LinkTarget, Setting } from './setting.ts'

type RenderBlocks = (blocks: readonly Block[], setting: Setting) => Html

/** Shows text with what stands in it. */
export class Inlines {
  readonly #setting: Setting
  readonly #blocks: RenderBlocks

  constructor(setting: Setting, blocks: RenderBlocks) {
    this.#setting = setting
    this.#blocks = blocks
  }

  render(nodes: readonly InlineNode[]): Html {
    return markup`${nodes.map((node) => (node.object === 'text' ? node.leaves.map(leaf) : this.#element(node)))}`
  }

  #element(node: InlineElement): Html {
    switch (node.type) {
      case 'link':
        return this.link(this.#setting.linkTo(node.data.ref), this.render(node.nodes))
      case 'emoji':
        return markup`<span class="emoji">${emojiCharacters(node.data.code)}</span>`
      case 'icon':
        return markup`<span${attributes({ class: classes('icon', colorClass('text', node.data.color)) })}>${this.#setting.icon(node.data.icon)}</span>`
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
        const label =
          target &&
          markup`${target.emoji !== undefined && markup`<span class="emoji">${emojiCharacters(target.emoji)}</span> `}${target.title}`
        return this.link(
          target,
          label ?? markup`<span class="missing">${this.#setting.texts.brokenLink}</span>`,
          'mention',
        )
      }
      case 'button':
        return this.#button(node.data)
    }
  }

  /** A link to what is there; what is not stays as text. */
  link(target: LinkTarget | undefined, content: Html, kind?: string): Html {
    if (!target)
      return markup`<span${attributes({ class: classes('broken-link', kind), title: this.#setting.texts.brokenLink })}>${content}</span>`
    return markup`<a${attributes({ href: target.href, class: kind, ...this.external(target) })}>${content}</a>`
  }

  external({ isExternal }: LinkTarget): Record<string, string | undefined> {
    if (!isExternal) return {}
    const opensAside = this.#setting.opensExternalIn === 'blank'
    return { target: opensAside ? '_blank' : undefined, rel: opensAside ? 'noopener noreferrer' : 'noreferrer' }
  }

  #image({ ref, refDark, alt, caption, size }: Extract<InlineElement, { type: 'inline-image' }>['data']): Html {
    const shown = this.#setting.file(ref)
    if (!shown) return markup`<span class="missing">${alt ?? caption ?? ''}</span>`
    const dark = refDark && this.#setting.file(refDark)
    const kind = size === 'original' ? 'inline-image' : 'inline-image line-high'
    const one = (url: string, mode?: string) =>
      markup`<img${attributes({ class: classes(kind, mode), src: url, alt: alt ?? caption ?? '', ...shown.dimensions, loading: 'lazy' })}>`
    return dark ? markup`${one(shown.url, 'only-light')}${one(dark.url, 'only-dark')}` : one(shown.url)
  }

  /** Words with a note that opens beside them, also without a script. */
  annotation({ nodes, fragments }: AnnotationInline, content = this.render(nodes)): Html {
    const id = this.#setting.newId('note')
    const body = this.#blocks(
      fragments.flatMap((fragment) => fragment.nodes),
      this.#setting,
    )
    return markup`<button type="button" class="annotation" popovertarget="${id}">${content}</button><span popover id="${id}" class="annotation-body">${body}</span>`
  }

  #button(data: Extract<InlineElement, { type: 'button' }>['data']): Html {
    const { label, kind, size = 'medium', icon, ref, action } = data
    const content = markup`${icon !== undefined && this.#setting.icon(icon)}<span>${label}</span>`
    const look = { class: classes('button', `button-${kind}`, `button-${size}`) }
    if (action) {
      const asked = 'query' in action ? action.query : undefined
      const slug = 'slug' in action ? action.slug : undefined
      return markup`<button${attributes({ type: 'button', ...look, 'data-action': action.action, 'data-query': asked, 'data-slug': slug })}>${content}</button>`
    }
    const target = ref && this.#setting.linkTo(ref)
    if (!target)
      return markup`<span${attributes({ ...look, 'aria-disabled': 'true', title: this.#setting.texts.brokenLink })}>${content}</span>`
    return markup`<a${attributes({ ...look, href: target.href, ...this.external(target) })}>${content}</a>`
  }
}

/** The names that are set, as the value of a class attribute. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  const set = names.filter((name): name is string => Boolean(name))
  return set.length === 0 ? undefined : set.join(' ')
}

function colorClass(role: 'text' | 'back', color: ColorName | undefined): string | undefined {
  return color === undefined || color === 'default' ? undefined : `${role}-${color.replace('$', '')}`
}

function leaf({ text, marks }: Leaf): Html {
  const lines = text.split('\n').map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`))
  // The first mark is the outermost.
  return marks.toReversed().reduce((inner, mark) => marked(mark, inner), markup`${lines}`)
}

function marked(mark: Mark, inner: Html): Html {
  switch (mark.type) {
    case 'color': {
      const { text, background } = mark.data
      return markup`<span${attributes({ class: classes(colorClass('text', text), colorClass('back', background)) })}>${inner}</span>`
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
