import type {
  Block,
  Code,
  Document,
  OpenApiOperation,
  OpenApiSchemas,
  OpenApiWebhook,
  Swagger,
} from '../../content/document/nodes.ts'
import { walkBlocks } from '../../content/document/walk.ts'
import { createCodeBlock } from '../../content/markdown/make-blocks.ts'
import { type ApiOperation, findOperation, findSchema, findWebhook } from '../../openapi/model.ts'
import { createCodeSamples } from '../../openapi/samples/code-samples.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import { codeText } from '../code-text.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import type { RenderContext } from '../render-context.ts'
import type { OpenApiContext } from './openapi-context.ts'
import { renderOperation } from './operation.ts'
import { renderNamedSchema, renderSchemaList } from './schemas.ts'

/** A block that shows a part of an OpenAPI document. */
export type OpenApiBlock = Swagger | OpenApiOperation | OpenApiSchemas | OpenApiWebhook

/** Renders a block; undefined if its document or the part of it does not exist. */
export function renderOpenApiBlock(
  block: OpenApiBlock,
  context: RenderContext,
  renderCode: (code: Code) => Html,
): Html | undefined {
  const spec = context.openApi?.(block.data.ref)
  if (!spec) return undefined
  const id = block.meta?.id
  const openApiContext = createBlockContext(id ?? context.newId('api'), context, renderCode)
  if (block.type === 'openapi-schemas') return renderSchemas(block, spec, openApiContext)
  const operation = findBlockOperation(block, spec)
  if (!operation) return undefined
  const isHeadless = block.type !== 'swagger' && block.data.headless === true
  const title = operation.summary ?? `${operation.method} ${operation.path}`
  return renderWithTitle(isHeadless ? undefined : title, id, renderOperation(operation, openApiContext))
}

/** Returns the code of samples and examples in a document, which is highlighted before the document is rendered. */
export function findOpenApiCode(
  document: Document,
  context: RenderContext,
): { code: string; syntax: string | undefined }[] {
  const found: { code: string; syntax: string | undefined }[] = []
  const collectCode = (code: Code): Html => {
    found.push({ code: codeText(code), syntax: code.data?.syntax })
    return nothing
  }
  const withoutText: RenderContext = { ...context, renderMarkdown: () => nothing, newId: (prefix) => prefix }
  for (const block of walkBlocks(document))
    if (isOpenApiBlock(block)) renderOpenApiBlock(block, withoutText, collectCode)
  return found
}

const isOpenApiBlock = (block: Block): block is OpenApiBlock =>
  block.type === 'swagger' ||
  block.type === 'openapi-operation' ||
  block.type === 'openapi-schemas' ||
  block.type === 'openapi-webhook'

function findBlockOperation(block: Exclude<OpenApiBlock, OpenApiSchemas>, spec: OpenApiSpec): ApiOperation | undefined {
  if (block.type === 'openapi-webhook') return findWebhook(spec, block.data.name, block.data.method)
  const { path, method } = block.data
  return path === undefined || method === undefined ? undefined : findOperation(spec, path, method)
}

function renderSchemas({ data, meta }: OpenApiSchemas, spec: OpenApiSpec, context: OpenApiContext): Html | undefined {
  const names = data.schemas.filter((name) => findSchema(spec, name) !== undefined)
  const [name] = names
  if (name === undefined) return undefined
  const isSingle = names.length === 1 && data.grouped === false
  const content = isSingle ? renderNamedSchema(spec, name, context) : renderSchemaList(spec, names, context)
  return renderWithTitle(data.title || (isSingle ? name : undefined), meta?.id, content)
}

/** Renders a heading with the anchor of the block; without a title, the content has the anchor. */
function renderWithTitle(title: string | undefined, id: string | undefined, content: Html): Html {
  if (title === undefined || title === '') return markup`<div${attributes({ id })}>${content}</div>`
  const anchor =
    id === undefined
      ? nothing
      : markup`<a${attributes({ class: 'anchor', href: `#${encodeURIComponent(id)}`, 'aria-label': title })}></a>`
  return markup`<h2${attributes({ id })}>${title.slice(0, 500)}${anchor}</h2>${content}`
}

function createBlockContext(prefix: string, context: RenderContext, renderCode: (code: Code) => Html): OpenApiContext {
  return {
    texts: context.texts.openApi,
    renderMarkdown: (markdown) => context.renderMarkdown?.(markdown) ?? markup`<p>${markdown}</p>`,
    renderCode: (text, syntax) => renderCode(createCodeBlock(text, { syntax })),
    schemaHref: () => undefined,
    samples: createCodeSamples,
    notes: () => [],
    newId: (name) => context.newId(name),
    // Ids generated from titles never contain `~`.
    idPrefix: `${prefix}~`,
    headingLevel: 3,
  }
}
