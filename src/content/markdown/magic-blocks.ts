import { leaf, mark, paragraph } from '../document/build.ts'
import type { Block, HintStyle, TabsItem } from '../document/nodes.ts'
import type { BlockTag } from './block-tag.ts'
import { extractHtmlText, parseHtml } from './html.ts'
import { createCodeBlock, createImage, createImages, headingType, toOptionalData } from './make-blocks.ts'
import { createTextTable } from './parse-table.ts'
import type { FieldParser } from './parse-title.ts'
import { type References, resolveFileRef } from './references.ts'
import { parseTagBlock } from './tag-blocks.ts'

// Blocks of README.io: JSON between the lines `[block:callout]` and `[/block]`.

/** The tag of such a block. No tag can be written with this name. */
export const magicTag = '[block]'

const openingLine = /^\[block:([\w-]+)\][ \t]*$/
const maxLines = 2000

/** Whether a line opens a block. */
export const mayHaveMagicBlock = (text: string): boolean => text.includes('[block:')

/** Reads the block that the line at an offset opens; undefined if it is not closed or not JSON. */
export function readMagicBlock(
  source: string,
  start: number,
  line: string,
  budget: { left: number },
): BlockTag | undefined {
  const kind = openingLine.exec(line.trimEnd())?.[1]
  if (kind === undefined || (budget.left -= 100) < 0) return undefined
  const jsonStart = source.indexOf('\n', start) + 1
  if (jsonStart === 0) return undefined
  let end = jsonStart
  for (let count = 0; count < maxLines && end < source.length; count++) {
    const newline = source.indexOf('\n', end)
    const lineEnd = newline === -1 ? source.length : newline
    budget.left -= lineEnd - end
    if (budget.left < 0) return undefined
    if (source.slice(end, lineEnd).trimEnd() === '[/block]') {
      const rest = source.slice(jsonStart, end)
      if (parseJson(rest) === undefined) return undefined
      return { name: magicTag, attributes: { type: kind }, rest, start, end: end + '[/block]'.length }
    }
    end = lineEnd + 1
  }
  return undefined
}

type Values = Readonly<Record<string, unknown>>

function parseJson(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null
const listOf = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isValues) : [])

const calloutStyles: ReadonlyMap<string, HintStyle> = new Map<string, HintStyle>([
  ['info', 'info'],
  ['success', 'success'],
  ['warning', 'warning'],
  ['danger', 'danger'],
])

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Maximum number of cells of a table. A table has no more cells than its source has characters, so that documents remain small. */
const maxCells = 10_000

/** Characters that can be Markdown. */
const mayBeMarkdown = /[`*_~[<&\\:$={#>+|-]|^\s*\d+[.)]/m

/** Blocks that a cell may contain; a cell with others has their text in paragraphs. */
const isBlockOfCell = ({ type }: Block): boolean => /^(?:paragraph|list-\w+|heading-\d|code|images)$/.test(type)

/** Returns the block nearest to one of README.io. Its texts are parsed as Markdown. */
export function magicBlock(
  tag: BlockTag,
  references: References,
  { parseTitle, parseBody }: FieldParser,
): Block | undefined {
  const values = parseJson(tag.rest) ?? {}
  const paragraphs = (text: string) =>
    text
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => paragraph(parseTitle(part)))
  const blocks = (text: string) => (mayBeMarkdown.test(text) ? parseBody(text.trim()) : paragraphs(text))
  const cellBlocks = (text: string) => {
    const parsed = blocks(text)
    return parsed.every(isBlockOfCell) ? parsed : paragraphs(text)
  }
  switch (tag.attributes['type']) {
    case 'callout': {
      const title = textOf(values['title']).trim()
      const heading = title === '' ? [] : [paragraph(parseTitle(title, [mark('bold')]))]
      const nodes = [...heading, ...blocks(textOf(values['body']))]
      const style = calloutStyles.get(textOf(values['type'])) ?? 'info'
      return { object: 'block', type: 'hint', data: { style }, nodes: nodes.length === 0 ? [paragraph([])] : nodes }
    }
    case 'image': {
      const images = listOf(values['images']).flatMap(({ image, caption }) => {
        const [url, alt] = Array.isArray(image) ? image.map(textOf) : []
        if (!url) return []
        const words = textOf(caption).trim()
        const name = alt && alt !== url.split('/').at(-1) ? { alt } : {}
        return [createImage({ ref: resolveFileRef(references, url), ...name }, words === '' ? [] : paragraphs(words))]
      })
      return images.length === 0 ? undefined : createImages(images)
    }
    case 'code': {
      const codes = listOf(values['codes']).map(({ code, language, name }) => {
        const [syntax, title] = [textOf(language).trim(), textOf(name).trim()]
        return { title: title || syntax, code: createCodeBlock(textOf(code), syntax === '' ? {} : { syntax }) }
      })
      const [first] = codes
      if (!first || codes.length === 1) return first?.code
      const nodes = codes.map(({ title, code }): TabsItem => ({
        object: 'block',
        type: 'tabs-item',
        ...toOptionalData({ title: title || 'Code' }),
        nodes: [code],
      }))
      return { object: 'block', type: 'tabs', nodes }
    }
    case 'embed': {
      const url = textOf(values['url']) || textOf(values['href'])
      return url === '' ? undefined : parseTagBlock({ ...tag, name: 'embed', attributes: { url } }, [], references)
    }
    case 'api-header': {
      const title = textOf(values['title']).trim()
      return title === '' ? undefined : { object: 'block', type: headingType(2), nodes: parseTitle(title) }
    }
    case 'parameters': {
      const [columns, rows] = [Number(values['cols']), Number(values['rows'])]
      const cells = values['data']
      const isTable =
        isValues(cells) && columns > 0 && rows > 0 && columns * rows <= Math.min(maxCells, tag.rest.length)
      if (!isTable || !Number.isInteger(columns * rows)) return undefined
      const cell = (row: number | 'h', column: number) => textOf(cells[`${row}-${column}`]).trim()
      return createTextTable(
        range(columns).map((column) => cell('h', column).replace(/\s+/g, ' ')),
        range(rows).map((row) => range(columns).map((column) => cellBlocks(cell(row, column)))),
      )
    }
    default: {
      const text = extractHtmlText(parseHtml(textOf(values['html'])))
        .replace(/\s+/g, ' ')
        .trim()
      return text === '' ? undefined : paragraph([{ object: 'text', leaves: [leaf(text)] }])
    }
  }
}
