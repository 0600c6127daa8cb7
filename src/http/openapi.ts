import { z } from 'zod'
import { operationGroups } from '../contract/api.ts'
import { ErrorReply } from '../contract/errors.ts'
import { type Operation, type Schema, parseParamNames } from '../contract/operation.ts'

type JsonObject = Record<string, unknown>

const errorDescriptions: Record<number, string> = {
  400: 'The request is invalid; `details` lists each invalid field',
  401: 'The token is missing, unknown, revoked or expired',
  403: 'The caller does not have the required role or scope',
  404: 'The resource does not exist, or the caller cannot see it',
  408: 'The body was sent too slowly',
  409: 'The request conflicts with the state of the resource',
  412: 'A precondition failed',
  413: 'The body is too large',
  422: 'The Idempotency-Key was already used for a different request',
  429: 'Too many requests; retry after the time in `Retry-After`',
  503: 'The server is overloaded; retry after the time in `Retry-After`',
}

/** Returns the OpenAPI 3.1 document of the whole API, made from the contract. */
export function openApiDocument({ version, server }: { version: string; server: string }): JsonObject {
  const components: JsonObject = {}
  const paths: Record<string, JsonObject> = {}
  for (const [tag, operations] of Object.entries(operationGroups)) {
    for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
      const path = (paths[operation.path] ??= {})
      path[operation.method.toLowerCase()] = describeOperation(name, tag, operation, components)
    }
  }
  toJsonSchema(ErrorReply, 'output', components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Octavo API',
      version,
      description:
        'Self-hosted documentation publishing: organizations and members, spaces and their content, change requests, Git, sites and search.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    tags: Object.keys(operationGroups).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(
        Object.entries(errorDescriptions).map(([code, description]) => [`Error${code}`, describeError(description)]),
      ),
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function describeOperation(name: string, tag: string, operation: Operation, components: JsonObject): JsonObject {
  const {
    summary,
    description,
    deprecated,
    access,
    scope,
    query,
    body,
    formField,
    reply,
    status,
    mayCreate,
    eventStream,
  } = operation
  const describeReply = (code: number): JsonObject => ({
    description: code === 204 ? 'Done' : code === 201 ? 'Created' : 'OK',
    ...(code === 201 &&
      reply && {
        headers: { Location: { description: 'API URL of the created resource', schema: { type: 'string' } } },
      }),
    ...(reply && {
      content: {
        [eventStream ? 'text/event-stream' : 'application/json']: { schema: toJsonSchema(reply, 'output', components) },
      },
    }),
  })
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(deprecated && { deprecated }),
    ...(access === 'public' && { security: [] }),
    'x-access': access,
    'x-scope': scope,
    parameters: [...pathParameters(operation), ...(query ? queryParameters(query, components) : [])],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: {
          'application/json': { schema: toJsonSchema(body, 'input', components) },
          ...(formField !== undefined && { 'application/x-www-form-urlencoded': { schema: formSchema(formField) } }),
        },
      },
    }),
    responses: {
      [status]: describeReply(status),
      ...(mayCreate && { 201: describeReply(201) }),
      ...Object.fromEntries(
        errorStatuses(operation).map((code) => [code, { $ref: `#/components/responses/Error${code}` }]),
      ),
    },
  }
}

/** Returns the schema of a form that contains the JSON in one of its fields. */
const formSchema = (field: string): JsonObject => ({
  type: 'object',
  properties: { [field]: { type: 'string', contentMediaType: 'application/json' } },
  required: [field],
})

function errorStatuses({ access, method, path, body, query, status, errors = [] }: Operation): number[] {
  const codes = new Set<number>([...errors, 429])
  if (body || query) codes.add(400)
  if (body) for (const code of [408, 413, 503]) codes.add(code)
  if (access !== 'public') codes.add(401)
  if (access !== 'public' && access !== 'user') codes.add(403)
  if (parseParamNames(path).length > 0 && method !== 'DELETE') codes.add(404)
  if (method === 'PATCH' || method === 'PUT') codes.add(412)
  if (method === 'POST' || status === 201) codes.add(422)
  return [...codes].sort((a, b) => a - b)
}

function describeError(description: string): JsonObject {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}

function pathParameters({ path }: Operation): JsonObject[] {
  return parseParamNames(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(query: Schema, components: JsonObject): JsonObject[] {
  return Object.entries((query as z.ZodObject).shape).map(([name, field]) => {
    const { description, ...schema } = toJsonSchema(field as Schema, 'output', components)
    return {
      name,
      in: 'query',
      required: !(field as Schema).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

/** Converts a schema to JSON Schema; named schemas are added to the components and referenced. */
function toJsonSchema(schema: Schema, io: 'input' | 'output', components: JsonObject): JsonObject {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => removeRedundantKeywords(made as JsonObject),
  }) as JsonObject
  const rewriteReferences = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject
  for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject))
    components[name] = withoutId(rewriteReferences(definition))
  return rewriteReferences(root)
}

function withoutId(definition: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id'))
}

/** Removes keywords that are redundant, or that would make adding a field a breaking change. */
function removeRedundantKeywords(schema: JsonObject): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  if (schema['format'] !== undefined) delete schema['pattern']
}
