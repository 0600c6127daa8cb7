import { mark } from '../document/build.ts'
import { type TextColors, getElementColors, parseColorTag } from '../document/colors.ts'
import type { Mark, SimpleMarkType } from '../document/nodes.ts'
import { classifyHtml } from '../document/raw-html.ts'
import { type HtmlTag, escapeAttribute } from './html.ts'

// HTML elements that are marks of their text.

const markElements = new Map<string, SimpleMarkType>([
  ['strong', 'bold'],
  ['b', 'bold'],
  ['em', 'italic'],
  ['s', 'strikethrough'],
  ['strike', 'strikethrough'],
  ['del', 'strikethrough'],
  ['kbd', 'keyboard'],
  ['sup', 'superscript'],
  ['sub', 'subscript'],
])

/** Whether an element adds the same mark whatever its attributes are. */
export const isMarkElement = (name: string): boolean => markElements.has(name)

/** Returns the mark that an element adds to its text inside of other marks. */
export function readElementMark(
  { name, attributes }: Pick<HtmlTag, 'name' | 'attributes'>,
  around: readonly Mark[],
): Mark | undefined {
  const simple = markElements.get(name)
  if (simple !== undefined) return mark(simple)
  switch (name) {
    case 'i':
      return /(?:^|\s)fa-/.test(attributes['class'] ?? '') ? undefined : mark('italic')
    case 'span':
      return attributes['data-tag'] === undefined ? createColorMark(name, attributes, around) : undefined
    case 'mark':
    case 'font':
      return createColorMark(name, attributes, around)
    default:
      return undefined
  }
}

/** Returns the color mark of an element; undefined if it does not change the color of its text. */
function createColorMark(
  name: string,
  attributes: Readonly<Record<string, string>>,
  marks: readonly Mark[],
): Mark | undefined {
  const { style, color } = attributes
  const { colors, isExact } = getElementColors(name, { style, color })
  const { text, background } = colors
  if (text === undefined && background === undefined) return undefined
  const around = marks.find((one) => one.type === 'color')?.data
  const tag = `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join('')}>`
  const isWritten =
    !around && !isExact && classifyHtml(tag) !== undefined && areSameColors(parseColorTag(tag)?.colors, colors)
  const both = { text: text ?? around?.text, background: background ?? around?.background }
  return {
    object: 'mark',
    type: 'color',
    data: {
      ...(both.text !== undefined && { text: both.text }),
      ...(both.background !== undefined && { background: both.background }),
      ...(isWritten && { written: tag }),
    },
  }
}

const areSameColors = (one: TextColors | undefined, other: TextColors) =>
  one !== undefined && one.text === other.text && one.background === other.background
