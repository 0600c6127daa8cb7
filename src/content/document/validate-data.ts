import {
  type Block,
  type ButtonInline,
  type ColorData,
  type ColorName,
  type InlineElement,
  type Length,
  type TagRef,
  colorNames,
} from './nodes.ts'
import { type Colors, readColorTag } from './colors.ts'
import { readRawHtml } from './raw-html.ts'
import { contentRef, fileRef, specRef, tagRef } from './validate-refs.ts'
import { tableData } from './validate-table.ts'
import {
  DocumentError,
  type Fields,
  type Read,
  type VariantOf,
  fields,
  flag,
  integer,
  json,
  list,
  map,
  matching,
  number,
  oneOf,
  optional,
  text,
  variant,
  withDefault,
} from './validate-values.ts'

type DataOf<Node> = Node extends { data?: infer Data } ? NonNullable<Data> : Record<string, never>
type DataFields<Node extends { type: string }> = {
  readonly [Type in Node['type']]: Fields<DataOf<VariantOf<Node, 'type', Type>>>
}

const none = {}
const align = optional(oneOf('start', 'center', 'end'))
const fullWidth = optional(flag)
const icon = optional(text)
const pixels = number(0, 100_000)

const length: Read<Length> = (value, path) =>
  typeof value === 'number' ? pixels(value, path) : fields({ unit: text, value: pixels })(value, path)

/** Printed on the line that opens the code, so it cannot contain line breaks. */
const syntax: Read<string> = (value, path) => text(value, path).replace(/[\r\n]+/g, ' ')

const color: Read<ColorName> = oneOf(...colorNames)

const readColorData = fields<ColorData>({
  text: optional(color),
  background: optional(color),
  written: optional(text),
})

/** What was written is kept as long as it means these colours. */
export const colorData: Read<ColorData> = (value, path) => {
  const { written, ...data } = readColorData(value, path)
  const colors = written !== undefined && readRawHtml(written) ? readColorTag(written)?.colors : undefined
  const side = (name: keyof Colors) => (data[name] === 'default' ? undefined : data[name])
  const isKept = colors && colors.text === side('text') && colors.background === side('background')
  return isKept ? { ...data, written } : data
}

/** Wider than what slugs are made of: files hold ids that people wrote. */
const headingId = matching(/^[^\s"<>]+$/, 'an id without spaces, quotes and angle brackets')
const heading = { id: optional(headingId), align }

/** The tag of an update; the slug alone will do. */
const updateTag: Read<TagRef> = (value, path) =>
  typeof value === 'string' ? { kind: 'tag', tag: text(value, path) } : tagRef(value, path)

export const blockData: DataFields<Block> = {
  paragraph: { align },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  // As many digits as Markdown allows in the number of a list.
  'list-ordered': { start: optional(integer(0, 999_999_999)) },
  'list-unordered': none,
  'list-tasks': none,
  'list-item': { checked: optional(flag) },
  divider: none,
  blockquote: none,
  hint: { style: oneOf('info', 'warning', 'danger', 'success'), icon },
  prompt: {
    description: optional(text),
    icon,
    openInAIProviders: optional(flag),
    defaultExpanded: optional(oneOf('hidden', 'partial', 'full')),
  },
  code: {
    syntax: optional(syntax),
    title: optional(text),
    overflow: optional(oneOf('scroll', 'wrap')),
    lineNumbers: optional(flag),
    fullWidth,
    expandable: optional(flag),
    collapsedLineCount: optional(integer(0, 999_999)),
  },
  'code-line': { highlighted: optional(flag) },
  images: { align: optional(oneOf('center', 'left', 'right')), fullWidth, withFrame: optional(flag) },
  image: {
    ref: fileRef,
    refDark: optional(fileRef),
    width: optional(length),
    height: optional(length),
    alt: optional(text),
  },
  file: { ref: fileRef },
  drawing: { ref: optional(fileRef) },
  embed: { url: text, fullWidth },
  math: { formula: text },
  expandable: { defaultExpanded: optional(flag) },
  tabs: { fullWidth },
  'tabs-item': { title: optional(text), icon, slug: optional(text) },
  stepper: none,
  'stepper-step': { icon },
  columns: { fullWidth },
  column: { width: optional(length), verticalAlignment: optional(oneOf('top', 'middle', 'bottom')) },
  updates: { format: optional(oneOf('numeric', 'full', 'short')) },
  update: { date: withDefault(text, ''), tags: optional(list(updateTag)) },
  if: { expression: text },
  table: tableData,
  'content-ref': { ref: contentRef },
  'reusable-content': { ref: contentRef },
  integration: {
    integration: text,
    block: text,
    props: withDefault(map(json), {}),
    url: optional(text),
    fullWidth,
  },
  swagger: {
    ref: fileRef,
    path: optional(text),
    method: optional(text),
    expanded: optional(flag),
    fullWidth,
  },
  'openapi-operation': { ref: specRef, path: text, method: text, headless: optional(flag) },
  'openapi-schemas': {
    ref: specRef,
    schemas: withDefault(list(text), []),
    grouped: optional(flag),
    title: optional(text),
  },
  'openapi-webhook': { ref: specRef, name: text, method: text, headless: optional(flag) },
}

const query = optional(text)

/** Shown nowhere, but printed in Markdown, where it must be read as the same. */
const html: Read<string> = (value, path) => {
  const written = text(value, path).replace(/\r\n?/g, '\n')
  if (readRawHtml(written)) return written
  throw new DocumentError('Must be a comment, a tag or a script of HTML', path)
}

export const inlineData: DataFields<InlineElement> = {
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
  annotation: none,
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
