import {
  type ButtonInline,
  type ColorData,
  type ColorName,
  type InlineElement,
  type Length,
  colorNames,
} from './nodes.ts'
import { type TextColors, parseColorTag } from './colors.ts'
import { classifyHtml } from './raw-html.ts'
import { contentRef, fileRef } from './validate-refs.ts'
import {
  DocumentError,
  type FieldReaders,
  type ValueReader,
  type VariantOf,
  objectWithFields,
  stringMatching,
  number,
  oneOf,
  optional,
  string,
  variant,
} from './validate-values.ts'

/** Data of a node. */
export type DataOf<Node> = Node extends { data?: infer Data } ? NonNullable<Data> : Record<string, never>

export const icon = optional(string)
const pixels = number(0, 100_000)

export const length: ValueReader<Length> = (value, path) =>
  typeof value === 'number' ? pixels(value, path) : objectWithFields({ unit: string, value: pixels })(value, path)

const color: ValueReader<ColorName> = oneOf(...colorNames)

const readColorFields = objectWithFields<ColorData>({
  text: optional(color),
  background: optional(color),
  written: optional(string),
})

/** Reads the data of a color mark; keeps `written` only if it is a tag with the same colors. */
export const readColorData: ValueReader<ColorData> = (value, path) => {
  const { written, ...data } = readColorFields(value, path)
  const colors = written !== undefined && classifyHtml(written) ? parseColorTag(written)?.colors : undefined
  const withoutDefault = (name: keyof TextColors) => (data[name] === 'default' ? undefined : data[name])
  const hasSameColors =
    colors && colors.text === withoutDefault('text') && colors.background === withoutDefault('background')
  return hasSameColors ? { ...data, written } : data
}

/** Reads the id of a heading. Accepts more characters than slugs contain, because authors choose ids in files. */
export const headingId = stringMatching(/^[^\s"<>]+$/, 'an id without spaces, quotes and angle brackets')
const query = optional(string)

/** Reads raw HTML. It is printed in Markdown, so parsing it must produce the same value. */
const html: ValueReader<string> = (value, path) => {
  const written = string(value, path).replace(/\r\n?/g, '\n')
  if (classifyHtml(written)) return written
  throw new DocumentError('Must be an HTML comment, tag or script', path)
}

/** Functions that check and normalize the fields of the data of inlines. */
export const inlineFieldReaders: {
  readonly [Type in InlineElement['type']]: FieldReaders<DataOf<VariantOf<InlineElement, 'type', Type>>>
} = {
  link: { ref: contentRef },
  emoji: { code: string },
  icon: { icon: string, color: optional(color) },
  expression: { expression: string },
  'inline-math': { formula: string },
  'inline-image': {
    ref: fileRef,
    refDark: optional(fileRef),
    caption: optional(string),
    alt: optional(string),
    size: optional(oneOf('original', 'line')),
    width: optional(length),
    height: optional(length),
  },
  annotation: {},
  html: { html },
  anchor: { id: headingId },
  mention: { ref: contentRef },
  button: {
    label: string,
    kind: oneOf('primary', 'secondary'),
    size: optional(oneOf('small', 'medium', 'large')),
    icon,
    ref: optional(contentRef),
    action: optional(
      variant<'action', NonNullable<ButtonInline['data']['action']>>('action', {
        search: { query },
        ask: { query },
        select: { slug: string },
      }),
    ),
  },
}
