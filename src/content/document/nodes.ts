// The document model: a tree of blocks whose leaves are texts with marks. Documents are immutable values. The types
// allow more nesting than editors produce: existing files nest more freely, and no content is dropped.

export type Align = 'start' | 'center' | 'end'

export const colorNames = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
] as const
export type ColorName = (typeof colorNames)[number]

/** Target of a reference. Without `space` it is in the same space as the content itself. */
export type ContentRef =
  | { kind: 'file'; file: string; space?: string }
  | { kind: 'url'; url: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'tag'; tag: string; space?: string }
  | { kind: 'openapi'; spec: string }

export type FileRef = Extract<ContentRef, { kind: 'file' | 'url' }>
export type TagRef = Extract<ContentRef, { kind: 'tag' }>

export type Mark = { object: 'mark'; type: SimpleMarkType } | { object: 'mark'; type: 'color'; data: ColorData }

export interface ColorData {
  text?: ColorName
  background?: ColorName
  /** Original opening tag, if its colors differ from these and were mapped to the nearest ones. */
  written?: string
}

export type SimpleMarkType = 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript'

export interface Leaf {
  object: 'leaf'
  text: string
  marks: readonly Mark[]
}

export interface Text {
  object: 'text'
  key?: string
  leaves: readonly Leaf[]
}

export interface Fragment {
  object: 'fragment'
  key?: string
  /** Name by which a table cell refers to the fragment. */
  fragment?: string
  type?: string
  nodes: readonly Block[]
}

interface NodeBase {
  key?: string
  isVoid?: boolean
  /** Data that is computed when a document is read and never stored. */
  meta?: { id?: string; token?: string; spaceId?: string }
}

interface VoidInline<Type extends string, Data> extends NodeBase {
  object: 'inline'
  type: Type
  isVoid: true
  data: Data
}

export interface LinkInline extends NodeBase {
  object: 'inline'
  type: 'link'
  data: { ref: ContentRef }
  nodes: readonly InlineNode[]
}
export type EmojiInline = VoidInline<'emoji', { code: string }>
export type IconInline = VoidInline<'icon', { icon: string; color?: ColorName }>
export type ExpressionInline = VoidInline<'expression', { expression: string }>
export type MathInline = VoidInline<'inline-math', { formula: string }>
export type ImageInline = VoidInline<
  'inline-image',
  {
    ref: FileRef
    refDark?: FileRef
    caption?: string
    alt?: string
    size?: 'original' | 'line'
    width?: Length
    height?: Length
  }
>
export interface AnnotationInline extends NodeBase {
  object: 'inline'
  type: 'annotation'
  nodes: readonly InlineNode[]
  fragments: readonly Fragment[]
}
export type MentionInline = VoidInline<'mention', { ref: ContentRef }>
export type ButtonInline = VoidInline<
  'button',
  {
    label: string
    kind: 'primary' | 'secondary'
    size?: 'small' | 'medium' | 'large'
    icon?: string
    ref?: ContentRef
    action?: { action: 'search' | 'ask'; query?: string } | { action: 'select'; slug: string }
  }
>

/** HTML comment, tag or script as it was written. It is printed in Markdown; pages render only tags that format text. */
export type HtmlInline = VoidInline<'html', { html: string }>
/** Target of links inside a text. */
export type AnchorInline = VoidInline<'anchor', { id: string }>

export type InlineElement =
  | LinkInline
  | EmojiInline
  | IconInline
  | ExpressionInline
  | MathInline
  | ImageInline
  | AnnotationInline
  | MentionInline
  | ButtonInline
  | HtmlInline
  | AnchorInline

export type InlineNode = Text | InlineElement

interface Container<Type extends string, Data, Child> extends NodeBase {
  object: 'block'
  type: Type
  data?: Data
  nodes: readonly Child[]
}

interface VoidBlock<Type extends string, Data> extends NodeBase {
  object: 'block'
  type: Type
  isVoid: true
  data: Data
}

export type Length = number | { unit: string; value: number }

export interface Paragraph extends Container<'paragraph', { align?: Align }, InlineNode> {}
export type HeadingType = 'heading-1' | 'heading-2' | 'heading-3'
export interface Heading extends Container<HeadingType, { id?: string; align?: Align }, InlineNode> {}
export interface OrderedList extends Container<'list-ordered', { start?: number }, ListItem> {}
export interface UnorderedList extends Container<'list-unordered', Record<string, never>, ListItem> {}
export interface TaskList extends Container<'list-tasks', Record<string, never>, ListItem> {}
export interface ListItem extends Container<'list-item', { checked?: boolean }, Block> {}
export interface Divider extends VoidBlock<'divider', Record<string, never>> {}
export interface Blockquote extends Container<'blockquote', Record<string, never>, Block> {}
export type HintStyle = 'info' | 'warning' | 'danger' | 'success'
export interface Hint extends Container<'hint', { style: HintStyle; icon?: string }, Block> {
  data: { style: HintStyle; icon?: string }
}
export interface Prompt extends Container<
  'prompt',
  { description?: string; icon?: string; openInAIProviders?: boolean; defaultExpanded?: 'hidden' | 'partial' | 'full' },
  Block
> {}
export interface CodeData {
  syntax?: string
  title?: string
  overflow?: 'scroll' | 'wrap'
  lineNumbers?: boolean
  fullWidth?: boolean
  expandable?: boolean
  collapsedLineCount?: number
}
export interface Code extends Container<'code', CodeData, CodeLine> {}
export interface CodeLine extends Container<'code-line', { highlighted?: boolean }, InlineNode> {}
export interface Images extends Container<
  'images',
  { align?: 'center' | 'left' | 'right'; fullWidth?: boolean; withFrame?: boolean },
  Image
> {}
export interface ImageData {
  ref: FileRef
  refDark?: FileRef
  width?: Length
  height?: Length
  alt?: string
}
export interface Image extends VoidBlock<'image', ImageData> {
  fragments?: readonly Fragment[]
}
export interface File extends VoidBlock<'file', { ref: FileRef }> {
  fragments?: readonly Fragment[]
}
export interface Drawing extends VoidBlock<'drawing', { ref?: FileRef }> {}
export interface Embed extends VoidBlock<'embed', { url: string; fullWidth?: boolean }> {
  fragments?: readonly Fragment[]
}
export interface Math extends VoidBlock<'math', { formula: string }> {}
export interface Expandable extends VoidBlock<'expandable', { defaultExpanded?: boolean }> {
  fragments: readonly Fragment[]
}
export interface Tabs extends Container<'tabs', { fullWidth?: boolean }, TabsItem> {}
export interface TabsItem extends Container<'tabs-item', { title?: string; icon?: string; slug?: string }, Block> {}
export interface Stepper extends Container<'stepper', Record<string, never>, StepperStep> {}
export interface StepperStep extends Container<'stepper-step', { icon?: string }, Block> {}
export interface Columns extends Container<'columns', { fullWidth?: boolean }, Column> {}
export interface Column extends Container<
  'column',
  { width?: Length; verticalAlignment?: 'top' | 'middle' | 'bottom' },
  Block
> {}
export interface Updates extends Container<'updates', { format?: 'numeric' | 'full' | 'short' }, Update> {}
export interface Update extends Container<'update', { date: string; tags?: readonly TagRef[] }, Block> {}
export interface If extends Container<'if', { expression: string }, Block> {
  data: { expression: string }
}
export interface ContentRefBlock extends VoidBlock<'content-ref', { ref: ContentRef }> {}
export interface ReusableContent extends VoidBlock<'reusable-content', { ref: ContentRef }> {}
export interface Integration extends VoidBlock<
  'integration',
  { integration: string; block: string; props: Readonly<Record<string, unknown>>; url?: string; fullWidth?: boolean }
> {}
export interface Swagger extends VoidBlock<
  'swagger',
  { ref: FileRef; path?: string; method?: string; expanded?: boolean; fullWidth?: boolean }
> {}
type SpecRef = Extract<ContentRef, { kind: 'openapi' }>
export interface OpenApiOperation extends VoidBlock<
  'openapi-operation',
  { ref: SpecRef; path: string; method: string; headless?: boolean }
> {}
export interface OpenApiSchemas extends VoidBlock<
  'openapi-schemas',
  { ref: SpecRef; schemas: readonly string[]; grouped?: boolean; title?: string }
> {}
export interface OpenApiWebhook extends VoidBlock<
  'openapi-webhook',
  { ref: SpecRef; name: string; method: string; headless?: boolean }
> {}

export type TextAlignment = 'left' | 'center' | 'right'
/**
 * Definition of a column. A header that is more than plain text is the fragment named by `header`; then `title` is
 * empty in stored documents, and the text of that fragment in replies.
 */
export type ColumnDefinition = { id: string; title: string; header?: string } & (
  | { type: 'text'; textAlignment?: TextAlignment; verticalAlignment?: 'top' | 'middle' | 'bottom' }
  | { type: 'number' | 'checkbox' | 'files' | 'content-ref' | 'image' }
  | { type: 'users'; multiple?: boolean }
  | { type: 'rating'; max: number }
  | { type: 'select'; multiple?: boolean; options: readonly { value: string; label: string; color?: string }[] }
)

/** Value of a cell; a text cell contains the name of a fragment. */
export type CellValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | ContentRef
  | { ref: FileRef; objectFit?: 'contain' | 'fill' | 'cover'; alt?: string }

export interface TableRecord {
  orderIndex: string
  values: Readonly<Record<string, CellValue>>
}

export type TableView =
  | {
      type: 'grid'
      columns: readonly string[]
      columnWidths?: Readonly<Record<string, number>>
      hideHeader: boolean
      stickyHeader?: boolean
      stickyFirstColumn?: boolean
    }
  | {
      type: 'cards'
      cardSize: 'medium' | 'large'
      columns: readonly string[]
      targetDefinition?: string
      coverDefinition?: string
      coverDefinitionDark?: string
      hideColumnTitle?: boolean
      wrap?: boolean
    }

export interface TableData {
  view: TableView
  records: Readonly<Record<string, TableRecord>>
  definition: Readonly<Record<string, ColumnDefinition>>
  cellMerges?: readonly { anchor: { record: string; column: string }; rowSpan: number; colSpan: number }[]
  fullWidth?: boolean
  search?: boolean
}
export interface Table extends VoidBlock<'table', TableData> {
  fragments: readonly Fragment[]
}

export type Block =
  | Paragraph
  | Heading
  | OrderedList
  | UnorderedList
  | TaskList
  | ListItem
  | Divider
  | Blockquote
  | Hint
  | Prompt
  | Code
  | CodeLine
  | Images
  | Image
  | File
  | Drawing
  | Embed
  | Math
  | Expandable
  | Tabs
  | TabsItem
  | Stepper
  | StepperStep
  | Columns
  | Column
  | Updates
  | Update
  | If
  | Table
  | ContentRefBlock
  | ReusableContent
  | Integration
  | Swagger
  | OpenApiOperation
  | OpenApiSchemas
  | OpenApiWebhook

export interface Document {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: readonly Block[]
}

/** Source from which pages, or the content of a page, are generated. */
export interface ComputedSource {
  type: string
  props: Readonly<Record<string, unknown>>
  dependencies: Readonly<Record<string, { ref: ContentRef }>>
}
