import { leaf, paragraph } from '../document/build.ts'
import type { Block, Code, CodeData, HeadingType, Image, Images, Length, ListItem } from '../document/nodes.ts'

// Builders of the blocks that the parsers of Markdown, tags and HTML return.

/** Returns a paragraph with the source of something that could not be parsed. */
export function literalParagraph(source: string): Block {
  return paragraph(source === '' ? [] : [{ leaves: [leaf(source)], object: 'text' }])
}

/** Returns the type of a heading; `##` is the first level below the page title, in any position. */
export function headingType(depth: number): HeadingType {
  return depth <= 2 ? 'heading-1' : depth === 3 ? 'heading-2' : 'heading-3'
}

export function createCodeBlock(text: string, data: CodeData): Code {
  return {
    object: 'block',
    type: 'code',
    ...(Object.keys(data).length > 0 && { data }),
    // The fields of lines are in alphabetical order, as they are stored, so that storing them does not copy them.
    nodes: linesOf(text).map((line) => ({
      nodes: line === '' ? [] : [{ leaves: [leaf(line)], object: 'text' }],
      object: 'block',
      type: 'code-line',
    })),
  }
}

const linesOf = (text: string): string[] => text.split(text.includes('\r') ? /\r?\n/ : '\n')

export function createImage(data: Image['data'], captionNodes: readonly Block[]): Image {
  return {
    object: 'block',
    type: 'image',
    isVoid: true,
    data,
    ...(captionNodes.length > 0 && { fragments: [{ fragment: 'caption', nodes: captionNodes, object: 'fragment' }] }),
  }
}

export function createImages(nodes: readonly Image[], data: NonNullable<Images['data']> = {}): Images {
  return { object: 'block', type: 'images', ...toOptionalData(data), nodes }
}

/** Returns a list from `<li>` elements; it is a task list if any item contains a checkbox. */
export function createHtmlList(
  name: string,
  startAttribute: string | undefined,
  items: readonly { item: ListItem; isTask: boolean; isChecked: boolean }[],
): Block {
  if (items.some(({ isTask }) => isTask)) {
    const tasks = items.map(({ item, isChecked }): ListItem => ({ ...item, data: { checked: isChecked } }))
    return { object: 'block', type: 'list-tasks', nodes: tasks }
  }
  const nodes = items.map(({ item }) => item)
  if (name === 'ul') return { object: 'block', type: 'list-unordered', nodes }
  const start = readInteger(startAttribute, 0, 999_999_999)
  return {
    object: 'block',
    type: 'list-ordered',
    ...toOptionalData({ ...(start !== undefined && start !== 1 && { start }) }),
    nodes,
  }
}

/** Omits empty data, so that equal blocks are equal values. */
export function toOptionalData<Data extends object>(data: Data): { data?: Data } {
  return Object.keys(data).length > 0 ? { data } : {}
}

export function createExpandable(open: boolean, title: readonly Block[], body: readonly Block[]): Block {
  return {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: open ? { defaultExpanded: true } : {},
    fragments: [
      { nodes: title, object: 'fragment', type: 'expandable-title' },
      { nodes: body, object: 'fragment', type: 'expandable-body' },
    ],
  }
}

// The following functions parse values written by people; values that a document cannot store are omitted.

/** Parses an integer within bounds. */
export function readInteger(text: string | undefined, low: number, high: number): number | undefined {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : NaN
  return value >= low && value <= high ? value : undefined
}

/** Parses a width or height: `375`, `375px` or `33.3%`. */
export function readLength(text: string | undefined): Length | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d*)?|\.\d+)(%|px)?$/.exec(text ?? '') ?? []
  if (digits === undefined || Number(digits) > 100_000) return undefined
  return unit === '%' ? { unit, value: Number(digits) } : Number(digits)
}

/** Returns the size of an image from its attributes. */
export function readImageSize(attributes: object | undefined): Pick<Image['data'], 'width' | 'height'> {
  const written = (attributes ?? {}) as Readonly<Record<string, string>>
  const [width, height] = [readLength(written['width']), readLength(written['height'])]
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
}

/** Parses the id of a heading, which must not contain whitespace, quotes or angle brackets. */
export function readHeadingId(text: string | undefined): { id?: string } {
  return text !== undefined && /^[^\s"<>]+$/.test(text) ? { id: text } : {}
}
