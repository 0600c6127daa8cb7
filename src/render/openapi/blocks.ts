import type { Code, ContentRef, OpenApiSchemas } from '../../content/document/nodes.ts'
import { createCodeBlock } from '../../content/markdown/make-blocks.ts'
import {
  type OpenApiBlock,
  findBlockOperation,
  maxTitleLength,
  readBlockName,
  titleOfOperation,
} from '../../openapi/blocks.ts'
import { findSchema } from '../../openapi/model.ts'
import { createCodeSamples } from '../../openapi/samples/code-samples.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import { codeText } from '../../content/document/code-text.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import type { RenderContext } from '../render-context.ts'
import type { OpenApiContext } from './openapi-context.ts'
import { renderMethodBadge, renderOperation } from './operation.ts'
import { renderNamedSchema, renderSchemaList } from './schemas.ts'

type OpenApiRenderContext = Pick<
  RenderContext,
  'openApi' | 'showsOpenApiBlock' | 'texts' | 'renderMarkdown' | 'newId' | 'tryIt' | 'renderedSchemas'
>

/** Renders a block: the part of the document, or a notice if it does not exist. Undefined if the context has no documents. */
export function renderOpenApiBlock(
  block: OpenApiBlock,
  context: OpenApiRenderContext,
  renderCode: (code: Code) => Html,
): Html | undefined {
  if (!context.openApi) return undefined
  const { texts } = context
  if (context.showsOpenApiBlock?.(block) === false) return renderName(block)
  const spec = context.openApi(block.data.ref)
  if (!spec) return renderNotice(block, texts.openApi.specUnavailable)
  const id = block.meta?.id
  const openApiContext = createBlockContext(id ?? context.newId('api'), context, renderCode, block.data.ref)
  if (block.type === 'openapi-schemas')
    return renderSchemas(block, spec, openApiContext) ?? renderNotice(block, texts.openApi.notInSpec)
  const operation = findBlockOperation(block, spec)
  if (!operation) return renderNotice(block, texts.openApi.notInSpec)
  const isHeadless = block.type !== 'swagger' && block.data.headless === true
  return renderWithTitle(
    isHeadless ? undefined : titleOfOperation(operation),
    id,
    renderOperation(operation, openApiContext),
  )
}

/** Returns the title of a block as its heading shows it; undefined if the part of the document does not exist. */
export function findOpenApiTitle(block: OpenApiBlock, { openApi }: Pick<RenderContext, 'openApi'>): string | undefined {
  const spec = openApi?.(block.data.ref)
  if (!spec || block.type === 'openapi-schemas') return undefined
  const operation = findBlockOperation(block, spec)
  return operation && titleOfOperation(operation)
}

/** Returns the code of samples and examples in a block, which is highlighted before the document is rendered. */
export function findOpenApiCode(
  block: OpenApiBlock,
  { openApi, texts }: Pick<RenderContext, 'openApi' | 'texts'>,
): { code: string; syntax: string | undefined }[] {
  const found: { code: string; syntax: string | undefined }[] = []
  const collectCode = (code: Code): Html => {
    found.push({ code: codeText(code), syntax: code.data?.syntax })
    return nothing
  }
  renderOpenApiBlock(block, { openApi, texts, renderMarkdown: () => nothing, newId: (prefix) => prefix }, collectCode)
  return found
}

/** Renders the name of a part, and why it cannot be shown. */
function renderName(block: OpenApiBlock, notice: Html = nothing): Html {
  const { method, name } = readBlockName(block)
  return markup`<div${attributes({ class: 'openapi', id: block.meta?.id })}><p class="endpoint">${method !== undefined && renderMethodBadge(method)}<code>${name}</code></p>${notice}</div>`
}

function renderNotice(block: OpenApiBlock, notice: string): Html {
  const { ref } = block.data
  const link =
    ref.kind === 'url' &&
    /^https?:\/\//i.test(ref.url) &&
    markup` <a${attributes({ href: ref.url, rel: 'noopener' })}>${ref.url.slice(0, maxTitleLength)}</a>`
  return renderName(block, markup`<p class="openapi-notice">${notice}${link}</p>`)
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
  return markup`<h2${attributes({ id })}>${title.slice(0, maxTitleLength)}${anchor}</h2>${content}`
}

function createBlockContext(
  prefix: string,
  context: OpenApiRenderContext,
  renderCode: (code: Code) => Html,
  ref: ContentRef,
): OpenApiContext {
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
    tryIt: context.tryIt?.(ref),
    renderedSchemas: context.renderedSchemas,
  }
}
