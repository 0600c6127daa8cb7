import { leaf, mark, paragraph } from '../document/build.ts'
import type { Block, Leaf } from '../document/nodes.ts'
import { plainText } from '../document/text.ts'
import { codeBlock } from './make-blocks.ts'
import { textTable } from './parse-table.ts'
import type { Tag } from './tags.ts'

// API methods written by hand in two old forms: `{% swagger %}` and, before it, `{% api-method %}`. Documents no longer have a
// block for them: they become a heading, code and tables.

/** Content of such a tag: blocks, or a tag that is a part of the method. */
export type ApiPart = { tag: undefined; blocks: readonly Block[] } | { tag: Tag; parts: readonly ApiPart[] }

export const isApiPart = ({ name }: Tag) => /^(?:swagger|api-method)-/.test(name)

export function isHandWrittenApi({ name, attributes }: Tag): boolean {
  return name === 'api-method' || (name === 'swagger' && attributes['src'] === undefined)
}

interface Parameter {
  place: string
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

const places = new Map(
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
export function readHandWrittenApi({ attributes }: Tag, parts: readonly ApiPart[]): Block[] {
  const method: Method = { summary: attributes['summary'] ?? '', description: [], parameters: [], responses: [] }
  collect(parts, '', method)
  const verb = (attributes['method'] ?? '').toUpperCase()
  const address = `${attributes['baseUrl'] ?? attributes['host'] ?? ''}${attributes['path'] ?? ''}`
  const request = oneLine(`${verb} ${address}`)
  const title = oneLine(method.summary) || request
  return [
    ...(title === '' ? [] : [{ object: 'block', type: 'heading-2', nodes: [text(leaf(title))] } as const]),
    codeBlock(request, { syntax: 'http' }),
    ...(attributes['deprecated'] === 'true' ? [paragraph([text(leaf('Deprecated', [mark('bold')]))])] : []),
    ...method.description,
    ...Array.from(byPlace(method.parameters), ([place, parameters]) => parameterTable(place, parameters)).flat(),
    ...method.responses.flatMap(({ status, description, blocks }) => [
      paragraph([
        text(leaf(status || 'Response', [mark('bold')]), ...(description === '' ? [] : [leaf(` ${description}`)])),
      ]),
      ...blocks,
    ]),
  ]
}

/**
 * Collects the parts of a method; `place` is the location of the parameters in them. Other content is added to the description.
 */
function collect(parts: readonly ApiPart[], place: string, method: Method): void {
  for (const part of parts) {
    if (part.tag === undefined) {
      for (const block of part.blocks) method.description.push(block)
      continue
    }
    const { name, attributes } = part.tag
    switch (name.replace(/^swagger-|^api-method-/, '')) {
      case 'summary':
        method.summary = textOfBlocks(blocksIn(part.parts))
        break
      case 'parameter':
        method.parameters.push({
          place: oneLine(attributes['in'] ?? place),
          name: oneLine(attributes['name'] ?? ''),
          type: oneLine(attributes['type'] ?? ''),
          isRequired: attributes['required'] === 'true',
          description: blocksIn(part.parts),
        })
        break
      case 'response':
        if (name === 'swagger-response') method.responses.push(response(attributes, part.parts))
        else collect(part.parts, place, method)
        break
      case 'response-example':
        method.responses.push(response(attributes, part.parts))
        break
      default: {
        const named = /^api-method-(\w+(?:-\w+)*?)(?:-parameters)?$/.exec(name)?.[1]
        collect(part.parts, named !== undefined && places.has(named) ? named : place, method)
      }
    }
  }
}

function response(attributes: Tag['attributes'], parts: readonly ApiPart[]): Method['responses'][number] {
  const isDescription = (part: ApiPart) => part.tag?.name === 'api-method-response-example-description'
  const described = textOfBlocks(blocksIn(parts.filter(isDescription)))
  return {
    status: oneLine(attributes['status'] ?? attributes['httpCode'] ?? ''),
    description: oneLine(attributes['description'] ?? described),
    blocks: blocksIn(parts.filter((part) => !isDescription(part))),
  }
}

function byPlace(parameters: readonly Parameter[]): Map<string, Parameter[]> {
  const groups = new Map<string, Parameter[]>()
  for (const parameter of parameters) {
    const group = groups.get(parameter.place)
    if (group) group.push(parameter)
    else groups.set(parameter.place, [parameter])
  }
  return groups
}

function parameterTable(place: string, parameters: readonly Parameter[]): Block[] {
  const rows = parameters.map(({ name, type, isRequired, description }) => [
    name === '' ? [] : [paragraph([text(leaf(name, [mark('code')]))])],
    cell(type),
    cell(isRequired ? 'Yes' : ''),
    description.filter(fitsCell),
  ])
  return [
    paragraph([text(leaf(places.get(place) ?? (place || 'Parameters'), [mark('bold')]))]),
    textTable(['Name', 'Type', 'Required', 'Description'], rows),
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

const oneLine = (value: string) => value.replace(/\s+/g, ' ').trim()

function blocksIn(parts: readonly ApiPart[]): Block[] {
  return parts.flatMap((part) => (part.tag === undefined ? part.blocks : blocksIn(part.parts)))
}

function textOfBlocks(blocks: readonly Block[]): string {
  return oneLine(blocks.map((block) => (block.type === 'paragraph' ? plainText(block.nodes) : '')).join(' '))
}
