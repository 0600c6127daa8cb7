import type {
  Block,
  Document,
  OpenApiOperation,
  OpenApiSchemas,
  OpenApiWebhook,
  Swagger,
} from '../content/document/nodes.ts'
import { walkBlocks } from '../content/document/walk.ts'
import { type ApiOperation, findOperation, findWebhook } from './model.ts'
import type { OpenApiSpec } from './spec.ts'

/** Maximum number of blocks of a page that are shown in full; of others, only the name is shown. */
export const maxShownBlocks = 60

/** A block that shows a part of an OpenAPI document. */
export type OpenApiBlock = Swagger | OpenApiOperation | OpenApiSchemas | OpenApiWebhook

/** Maximum length of a title. */
export const maxTitleLength = 500

/** Returns the OpenAPI blocks of a document. */
export const listOpenApiBlocks = (document: Document): OpenApiBlock[] =>
  Array.from(walkBlocks(document)).filter(isOpenApiBlock)

const isOpenApiBlock = (block: Block): block is OpenApiBlock =>
  block.type === 'swagger' ||
  block.type === 'openapi-operation' ||
  block.type === 'openapi-schemas' ||
  block.type === 'openapi-webhook'

/** Returns the operation or webhook of a block; undefined if the document does not contain it. */
export function findBlockOperation(
  block: Exclude<OpenApiBlock, OpenApiSchemas>,
  spec: OpenApiSpec,
): ApiOperation | undefined {
  if (block.type === 'openapi-webhook') return findWebhook(spec, block.data.name, block.data.method)
  const { path, method } = block.data
  return path === undefined || method === undefined ? undefined : findOperation(spec, path, method)
}

/** Returns the title of an operation: its summary, or its method and path. */
export const titleOfOperation = ({ summary, method, path }: ApiOperation): string =>
  (summary ?? `${method} ${path}`).slice(0, maxTitleLength)

/** Returns the method and the path or name of a block, as it is written. */
export function readBlockName(block: OpenApiBlock): { method: string | undefined; name: string } {
  switch (block.type) {
    case 'openapi-schemas':
      return {
        method: undefined,
        name: [block.data.title ?? '', block.data.schemas.join(', ')]
          .filter(Boolean)
          .join(': ')
          .slice(0, maxTitleLength),
      }
    case 'openapi-webhook':
      return toBlockName(block.data.method, block.data.name)
    case 'openapi-operation':
    case 'swagger':
      return toBlockName(block.data.method, block.data.path)
  }
}

const toBlockName = (method: string | undefined, name = '') => ({
  method: method?.toUpperCase().slice(0, 20),
  name: name.slice(0, maxTitleLength),
})
