import { leaf, paragraph } from '../document/build.ts'
import type { Block, Code, CodeData, HeadingType, Image, Images, Length, ListItem } from '../document/nodes.ts'

// Blocks as the readers of Markdown, tags and HTML make them.

/** What is not understood, as it was written. */
export function literal(source: string): Block {
  return paragraph(source === '' ? [] : [{ leaves: [leaf(source)], object: 'text' }])
}

/** `##` is the first level below the title, wherever it stands. */
export function headingType(depth: number): HeadingType {
  return depth <= 2 ? 'heading-1' : depth === 3 ? 'heading-2' : 'heading-3'
}

export function codeBlock(text: string, data: CodeData): Code {
  return {
    object: 'block',
    type: 'code',
    ...(Object.keys(data).length > 0 && { data }),
    // The fields of lines are in alphabetical order, as stored, so that they are not copied before they are stored.
    nodes: linesOf(text).map((line) => ({
      nodes: line === '' ? [] : [{ leaves: [leaf(line)], object: 'text' }],
      object: 'block',
      type: 'code-line',
    })),
  }
}

const linesOf = (text: string): string[] => text.split(text.includes('\r') ? /\r?\n/ : '\n')

export function image(data: Image['data'], captionNodes: readonly Block[]): Image {
  return {
    object: 'block',
    type: 'image',
    isVoid: true,
    data,
    ...(captionNodes.length > 0 && { fragments: [{ fragment: 'caption', nodes: captionNodes, object: 'fragment' }] }),
  }
}

export function images(nodes: readonly Image[], data: NonNullable<Images['data']> = {}): Images {
  return { object: 'block', type: 'images', ...withData(data), nodes }
}

/** A list of `<li>` elements; one that contains boxes is a list of tasks. */
export function htmlList(
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
    ...withData({ ...(start !== undefined && start !== 1 && { start }) }),
    nodes,
  }
}

/** Leaves out data that says nothing, so that equal blocks are equal values. */
export function withData<Data extends object>(data: Data): { data?: Data } {
  return Object.keys(data).length > 0 ? { data } : {}
}

// Values that people may have written in any way: what a document cannot hold is left out.

/** A whole number within bounds. */
export function readInteger(text: string | undefined, low: number, high: number): number | undefined {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : NaN
  return value >= low && value <= high ? value : undefined
}

/** A width or height: `375`, `375px` or `33.3%`. */
export function readLength(text: string | undefined): Length | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d*)?|\.\d+)(%|px)?$/.exec(text ?? '') ?? []
  if (digits === undefined || Number(digits) > 100_000) return undefined
  return unit === '%' ? { unit, value: Number(digits) } : Number(digits)
}

/** The id of a heading, which may hold neither spaces nor quotes nor angle brackets. */
export function readHeadingId(text: string | undefined): { id?: string } {
  return text !== undefined && /^[^\s"<>]+$/.test(text) ? { id: text } : {}
}
