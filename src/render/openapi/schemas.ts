import { findSchema } from '../../openapi/model.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { renderSchemaExample } from './examples.ts'
import { type OpenApiContext, limitDescriptions } from './openapi-context.ts'
import { SchemaTreeRenderer } from './schema-tree.ts'

/** Maximum number of schemas in one list, and of their fields together. */
const maxSchemas = 500
const maxFields = 2000

/** Renders a schema with its fields and an example. */
export function renderNamedSchema(spec: OpenApiSpec, name: string, unlimited: OpenApiContext): Html {
  const context = limitDescriptions(unlimited)
  const node = findSchema(spec, name)
  const id = `${context.idPrefix}schema`
  const tree = new SchemaTreeRenderer(spec, context).renderSchema(node, id, 'any', name)
  return markup`<div class="openapi"><div class="operation"><div${attributes({ class: 'operation-text', id })}>${tree}</div><div class="operation-examples">${renderSchemaExample({ spec }, node, context)}</div></div></div>`
}

/** Renders schemas as a list of elements that expand; names without a schema are omitted. */
export function renderSchemaList(spec: OpenApiSpec, names: readonly string[], unlimited: OpenApiContext): Html {
  const context = limitDescriptions(unlimited)
  const trees = new SchemaTreeRenderer(spec, context, maxFields)
  const items = names.slice(0, maxSchemas).map((name) => {
    const node = findSchema(spec, name)
    if (node === undefined) return nothing
    const id = `${context.idPrefix}${name.replace(/[^\w-]+/g, '-').slice(0, 100)}`
    return markup`<details${attributes({ class: 'nested', id })}><summary><span class="choice-name">${name.slice(0, 200)}</span></summary>${trees.renderSchema(node, id, 'any', name)}</details>`
  })
  return markup`<div class="openapi schemas">${items}</div>`
}
