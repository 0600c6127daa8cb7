import {
  type ButtonInline,
  type ColorData,
  type ColorName,
  type InlineElement,
  type Length,
  colorNames,
} from './nodes.ts'
import { type Colors, readColorTag } from './colors.ts'
import { readRawHtml } from './raw-html.ts'
import { contentRef, fileRef } from './validate-refs.ts'
import {
  DocumentError,
  type FieldReaders,
  type Read,
  type VariantOf,
  fields,
  matching,
  number,
  oneOf,
  optional,
  text,
  variant,
} from './validate-values.ts'

/** Data of a node. */
export type DataOf<Node> = Node extends { data?: infer Data } ? NonNullable<Data> : Record<string, never>

export const icon = optional(text)
const pixels = number(0, 100_000)

export const length: Read<Length> = (value, path) =>
  typeof value === 'number' ? pixels(value, path) : fields({ unit: text, value: pixels })(value, path)

const color: Read<ColorName> = oneOf(...colorNames)

const readColorData = fields<ColorData>({
  text: optional(color),
  background: optional(color),
  written: optional(text),
})

/** Reads the data of a color mark; keeps `written` only if it is a tag with the same colors. */
export const colorData: Read<ColorData> = (value, path) => {
  const { written, ...data } = readColorData(value, path)
  const colors = written !== undefined && readRawHtml(written) ? readColorTag(written)?.colors : undefined
  const side = (name: keyof Colors) => (data[name] === 'default' ? undefined : data[name])
  const isKept = colors && colors.text === side('text') && colors.background === side('background')
  return isKept ? { ...data, written } : data
}

/** Reads the id of a heading. Accepts more characters than slugs contain, because authors choose ids in files. */
export const headingId = matching(/^[^\s"<>]+$/, 'an id without spaces, quotes and angle brackets')
const query = optional(text)

/** Reads raw HTML. It is printed in Markdown, so parsing it must produce the same value. */
const html: Read<string> = (value, path) => {
  const written = text(value, path).replace(/\r\n?/g, '\n')
  if (readRawHtml(written)) return written
  throw new DocumentError('Must be an HTML comment, tag or script', path)
}

/** Functions that check and normalize the fields of the data of inlines. */
export const inlineData: {
  readonly [Type in InlineElement['type']]: FieldReaders<DataOf<VariantOf<InlineElement, 'type', Type>>>
} = {
  link: { ref: contentRef },
  emoji: { code: text },
  icon: { icon: text, color: optional(color) },
  expression: { expression: text },
  'inline-math': { formula: text },
  'inline-image': {
    ref: fileRef,
    refDark: optional(fileRef),
    caption: optional(text),
    alt: optional(text),
    size: optional(oneOf('original', 'line')),
    width: optional(length),
    height: optional(length),
  },
  annotation: {},
  html: { html },
  anchor: { id: headingId },
  mention: { ref: contentRef },
  button: {
    label: text,
    kind: oneOf('primary', 'secondary'),
    size: optional(oneOf('small', 'medium', 'large')),
    icon,
    ref: optional(contentRef),
    action: optional(
      variant<'action', NonNullable<ButtonInline['data']['action']>>('action', {
        search: { query },
        ask: { query },
        select: { slug: text },
      }),
    ),
  },
}
