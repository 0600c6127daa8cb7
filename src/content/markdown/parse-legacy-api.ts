import { leaf, mark, paragraph } from '../document/build.ts'
import type { Block, Leaf } from '../document/nodes.ts'
import { plainText } from '../document/text.ts'
import { createCodeBlock } from './make-blocks.ts'
import { createTextTable } from './parse-table.ts'
import type { BlockTag } from './block-tag.ts'

// API methods written by hand in two old forms: `{% swagger %}` and, before it, `{% api-method %}`. Documents no longer have a
// block for them: they become a heading, code and tables.

/** Content of such a tag: blocks, or a tag that is a part of the method. */
export type LegacyApiPart =
  | { tag: undefined; blocks: readonly Block[] }
  | { tag: BlockTag; parts: readonly LegacyApiPart[] }

export const isLegacyApiPart = ({ name }: BlockTag) => /^(?:swagger|api-method)-/.test(name)

export function isLegacyApi({ name, attributes }: BlockTag): boolean {
  return name === 'api-method' || (name === 'swagger' && attributes['src'] === undefined)
}

interface Parameter {
  location: string
  name: string
  type: string
  isRequired: boolean
  description: readonly Block[]
}

interface Method {
  summary: string
  description: Block[]
  parameters: Parameter[]
  responses: { status: string; description: string; blocks: readonly Block[] }[]
}

const locationTitles = new Map(
  Object.entries({
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Headers',
    headers: 'Headers',
    body: 'Request body',
    'form-data': 'Form data',
    cookie: 'Cookies',
  }),
)

/** Converts a method to blocks; returns at least one. */
export function parseLegacyApi({ attributes }: BlockTag, parts: readonly LegacyApiPart[]): Block[] {
  const method: Method = { summary: attributes['summary'] ?? '', description: [], parameters: [], responses: [] }
  collect(parts, '', method)
  const verb = (attributes['method'] ?? '').toUpperCase()
  const address = `${attributes['baseUrl'] ?? attributes['host'] ?? ''}${attributes['path'] ?? ''}`
  const request = collapseWhitespace(`${verb} ${address}`)
  const title = collapseWhitespace(method.summary) || request
  return [
    ...(title === '' ? [] : [{ object: 'block', type: 'heading-2', nodes: [text(leaf(title))] } as const]),
    createCodeBlock(request, { syntax: 'http' }),
    ...(attributes['deprecated'] === 'true' ? [paragraph([text(leaf('Deprecated', [mark('bold')]))])] : []),
    ...method.description,
    ...Array.from(groupByLocation(method.parameters), ([location, parameters]) =>
      parameterTable(location, parameters),
    ).flat(),
    ...method.responses.flatMap(({ status, description, blocks }) => [
      paragraph([
        text(leaf(status || 'Response', [mark('bold')]), ...(description === '' ? [] : [leaf(` ${description}`)])),
      ]),
      ...blocks,
    ]),
  ]
}

/**
 * Collects the parts of a method; `location` is the location of the parameters in them. Other content is added to the description.
 */
function collect(parts: readonly LegacyApiPart[], location: string, method: Method): void {
  for (const part of parts) {
    if (part.tag === undefined) {
      for (const block of part.blocks) method.description.push(block)
      continue
    }
    const { name, attributes } = part.tag
    switch (name.replace(/^swagger-|^api-method-/, '')) {
      case 'summary':
        method.summary = joinParagraphTexts(collectBlocks(part.parts))
        break
      case 'parameter':
        method.parameters.push({
          location: collapseWhitespace(attributes['in'] ?? location),
          name: collapseWhitespace(attributes['name'] ?? ''),
          type: collapseWhitespace(attributes['type'] ?? ''),
          isRequired: attributes['required'] === 'true',
          description: collectBlocks(part.parts),
        })
        break
      case 'response':
        if (name === 'swagger-response') method.responses.push(response(attributes, part.parts))
        else collect(part.parts, location, method)
        break
      case 'response-example':
        method.responses.push(response(attributes, part.parts))
        break
      default: {
        const named = /^api-method-(\w+(?:-\w+)*?)(?:-parameters)?$/.exec(name)?.[1]
        collect(part.parts, named !== undefined && locationTitles.has(named) ? named : location, method)
      }
    }
  }
}

function response(attributes: BlockTag['attributes'], parts: readonly LegacyApiPart[]): Method['responses'][number] {
  const isDescription = (part: LegacyApiPart) => part.tag?.name === 'api-method-response-example-description'
  const described = joinParagraphTexts(collectBlocks(parts.filter(isDescription)))
  return {
    status: collapseWhitespace(attributes['status'] ?? attributes['httpCode'] ?? ''),
    description: collapseWhitespace(attributes['description'] ?? described),
    blocks: collectBlocks(parts.filter((part) => !isDescription(part))),
  }
}

function groupByLocation(parameters: readonly Parameter[]): Map<string, Parameter[]> {
  const groups = new Map<string, Parameter[]>()
  for (const parameter of parameters) {
    const group = groups.get(parameter.location)
    if (group) group.push(parameter)
    else groups.set(parameter.location, [parameter])
  }
  return groups
}

function parameterTable(location: string, parameters: readonly Parameter[]): Block[] {
  const rows = parameters.map(({ name, type, isRequired, description }) => [
    name === '' ? [] : [paragraph([text(leaf(name, [mark('code')]))])],
    cell(type),
    cell(isRequired ? 'Yes' : ''),
    description.filter(fitsCell),
  ])
  return [
    paragraph([text(leaf(locationTitles.get(location) ?? (location || 'Parameters'), [mark('bold')]))]),
    createTextTable(['Name', 'Type', 'Required', 'Description'], rows),
    ...parameters.flatMap(({ description }) => description.filter((block) => !fitsCell(block))),
  ]
}

/** Whether a block is readable in a cell; other blocks are placed below the table. */
function fitsCell(block: Block): boolean {
  if (block.type === 'paragraph') return !block.data?.align
  if (block.type !== 'list-unordered' && block.type !== 'list-ordered') return false
  return !block.data && block.nodes.every(({ nodes }) => nodes.every(fitsCell))
}

const cell = (value: string) => (value === '' ? [] : [paragraph([text(leaf(value))])])

const text = (...leaves: Leaf[]) => ({ object: 'text' as const, leaves })

const collapseWhitespace = (value: string) => value.replace(/\s+/g, ' ').trim()

function collectBlocks(parts: readonly LegacyApiPart[]): Block[] {
  return parts.flatMap((part) => (part.tag === undefined ? part.blocks : collectBlocks(part.parts)))
}

function joinParagraphTexts(blocks: readonly Block[]): string {
  return collapseWhitespace(blocks.map((block) => (block.type === 'paragraph' ? plainText(block.nodes) : '')).join(' '))
}
