import { findSchema } from '../../openapi/model.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { renderSchemaExample } from './examples.ts'
import type { OpenApiContext } from './openapi-context.ts'
import { SchemaTreeRenderer } from './schema-tree.ts'

/** Maximum number of schemas in one list. */
const maxSchemas = 200

/** Renders a schema with its fields and an example. */
export function renderSchemaPage(spec: OpenApiSpec, name: string, context: OpenApiContext): Html {
  const node = findSchema(spec, name)
  const tree = new SchemaTreeRenderer(spec, context).renderSchema(node, `${context.idPrefix}schema`, 'any', name)
  return markup`<div class="openapi"><div class="operation"><div class="operation-text">${tree}</div><div class="operation-examples">${renderSchemaExample({ spec }, node, context)}</div></div></div>`
}

/** Renders schemas as a list of elements that expand; names without a schema are omitted. */
export function renderSchemaList(spec: OpenApiSpec, names: readonly string[], context: OpenApiContext): Html {
  const trees = new SchemaTreeRenderer(spec, context)
  const items = names.slice(0, maxSchemas).map((name) => {
    const node = findSchema(spec, name)
    if (node === undefined) return nothing
    const id = `${context.idPrefix}${name.replace(/[^\w-]+/g, '-').slice(0, 100)}`
    return markup`<details${attributes({ class: 'nested', id })}><summary><span class="choice-name">${name.slice(0, 200)}</span></summary>${trees.renderSchema(node, id, 'any', name)}</details>`
  })
  return markup`<div class="openapi schemas">${items}</div>`
}
