import type { DOMOutputSpec, Mark as EditorMark, MarkSpec, Node, NodeSpec } from 'prosemirror-model'
import { formattingName } from '../../content/document/formatting-tags.ts'
import { emojiCharacters } from '../../content/document/text.ts'
import type {
  ColorData,
  FileRef,
  HtmlInline,
  InlineElement,
  Mark,
  SimpleMarkType,
} from '../../content/document/nodes.ts'
import { toCssColor, toneStyle } from '../../render/tones.ts'

/** Properties of an image in HTML that are used; unit tests have no DOM types. */
interface PastedImage {
  getAttribute: (name: string) => string | null
}

/** Returns the data of a pasted image. */
export function toImageData(image: PastedImage): { ref: FileRef; alt?: string } {
  const alt = image.getAttribute('alt')?.trim()
  return { ref: { kind: 'url', url: image.getAttribute('src') ?? '' }, ...(alt && { alt }) }
}

const toInlineImage = (image: PastedImage): InlineElement => ({
  object: 'inline',
  type: 'inline-image',
  isVoid: true,
  data: toImageData(image),
})

export const inlineNodes: Record<string, NodeSpec> = {
  text: { group: 'inline' },
  /** A line break in a text, which documents store as `\n`. */
  hard_break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  emoji: {
    group: 'inline',
    inline: true,
    atom: true,
    selectable: false,
    attrs: { data: {}, rest: { default: null } },
    toDOM: ({ attrs }): DOMOutputSpec => {
      const { code } = attrs['data'] as { code: string }
      return ['span', { class: 'emoji' }, emojiCharacters(code) || `:${code}:`]
    },
    leafText: ({ attrs }) => emojiCharacters((attrs['data'] as { code: string }).code),
  },
  /** An inline element that is not edited in place, with its JSON. */
  protected_inline: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { json: {} },
    parseDOM: [{ tag: 'img[data-inline]', getAttrs: (element) => ({ json: toInlineImage(element) }) }],
    toDOM: () => ['span', { class: 'protected-inline' }],
  },
}

const defineMark = (tag: string, parseDOM: MarkSpec['parseDOM']): MarkSpec => ({ parseDOM, toDOM: () => [tag, 0] })

const hasWeight = (value: string) => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(value) && null

const simpleMarks: { readonly [Type in SimpleMarkType]: MarkSpec } = {
  bold: defineMark('strong', [
    { tag: 'strong' },
    // Google Docs puts its documents into a `b` element that is not bold.
    { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
    { style: 'font-weight', getAttrs: hasWeight },
  ]),
  italic: defineMark('em', [
    { tag: 'em' },
    { tag: 'i', getAttrs: (element) => element.style.fontStyle !== 'normal' && null },
    { style: 'font-style=italic' },
  ]),
  strikethrough: defineMark('s', [
    { tag: 's' },
    { tag: 'del' },
    { tag: 'strike' },
    { style: 'text-decoration=line-through' },
  ]),
  keyboard: defineMark('kbd', [{ tag: 'kbd' }]),
  superscript: defineMark('sup', [{ tag: 'sup' }, { style: 'vertical-align=super' }]),
  subscript: defineMark('sub', [{ tag: 'sub' }, { style: 'vertical-align=sub' }]),
  code: defineMark('code', [{ tag: 'code' }]),
}

/** Whether a URL has a protocol that a link may have; others could run scripts. */
const hasSafeProtocol = (url: string): boolean => /^(?:https?:|mailto:|tel:)/i.test(url)

/** Whether a link may have a destination that was pasted or typed. */
export const isSafeUrl = (url: string): boolean => hasSafeProtocol(url) && URL.canParse(url)

let lastLink = 0

/** Returns a number that distinguishes a link from adjacent links with the same destination. */
export const newLinkId = (): number => ++lastLink

/** Text between two tags of HTML that format it; the mark contains the first one. */
const html: MarkSpec = {
  attrs: { data: {} },
  wraps: true,
  inclusive: false,
  // Elements can contain others.
  excludes: '',
  toDOM: ({ attrs }): DOMOutputSpec => [formattingName((attrs['data'] as HtmlInline).data.html) ?? 'span', 0],
}

/** Returns the marks that documents store as elements around a text, the outer ones first. */
export const wrappersOf = ({ marks: all }: Node): readonly EditorMark[] => all.filter(({ type }) => type.spec['wraps'])

/** Marks in the order in which documents store them; links and HTML are around all others. */
export const marks: Record<'html' | 'link' | 'html_in_link' | Mark['type'], MarkSpec> = {
  html,
  link: {
    wraps: true,
    inclusive: false,
    attrs: { id: { default: 0 }, data: {}, rest: { default: null } },
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => {
          const url = element.getAttribute('href') ?? ''
          return isSafeUrl(url) && { id: newLinkId(), data: { ref: { kind: 'url', url } } }
        },
      },
    ],
    toDOM: ({ attrs }): DOMOutputSpec => {
      const { ref } = attrs['data'] as { ref: { kind: string; url?: string } }
      // Parsing the URLs of thousands of links takes long.
      return ['a', ref.kind === 'url' && hasSafeProtocol(ref.url ?? '') ? { href: ref.url } : {}, 0]
    },
  },
  html_in_link: html,
  bold: simpleMarks.bold,
  italic: simpleMarks.italic,
  strikethrough: simpleMarks.strikethrough,
  keyboard: simpleMarks.keyboard,
  superscript: simpleMarks.superscript,
  subscript: simpleMarks.subscript,
  color: {
    attrs: { data: {} },
    toDOM: ({ attrs }): DOMOutputSpec => {
      const { text, background } = attrs['data'] as ColorData
      const [color, tone] = [toCssColor(text), toneStyle(background)]
      return [tone ? 'mark' : 'span', { style: [color && `color:${color}`, tone].filter(Boolean).join(';') }, 0]
    },
  },
  code: simpleMarks.code,
}
