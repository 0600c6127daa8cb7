/** Generates an OpenAPI 3.0 document of about two megabytes with 400 operations, whose schemas refer to each other. */
export function generateSpec(): Record<string, unknown> {
  const resources = Array.from(
    { length: 80 },
    (_, index) => `${nouns[index % nouns.length]}${Math.floor(index / nouns.length) + 1}`,
  )
  const schemas = Object.fromEntries(resources.flatMap((name, index) => createSchemas(name, index, resources)))
  return {
    openapi: '3.0.3',
    info: { title: 'Benchmark', version: '1.0.0', description: describe('The API', 3) },
    servers: [{ url: 'https://api.example.com/v1' }],
    tags: resources.map((name) => ({ name, description: describe(name, 1) })),
    security: [{ token: [] }],
    paths: Object.fromEntries(resources.flatMap(createPaths)),
    components: {
      schemas: {
        ...schemas,
        Error: { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' } } },
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const nouns = [
  'order',
  'invoice',
  'customer',
  'product',
  'refund',
  'payout',
  'coupon',
  'session',
  'address',
  'contract',
]

const sentence =
  'Values are validated when they are sent, and an **error** explains what is wrong; see the [guide](https://example.com/guide).'

const describe = (subject: string, sentences: number): string =>
  [`Describes ${subject} in the account.`, ...Array.from({ length: sentences }, () => sentence)].join(' ')

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the schema of a resource, which contains two others, and that of a list of it. */
function createSchemas(name: string, index: number, resources: readonly string[]): [string, unknown][] {
  const fields = Array.from({ length: 46 }, (_, field): [string, unknown] => [
    `field_${field}`,
    {
      type: ['string', 'integer', 'boolean', 'number'][field % 4],
      description: describe(`field ${field} of ${name}`, 1),
      nullable: field % 5 === 0,
      ...(field % 8 === 0 && { enum: ['active', 'paused', 'canceled', 'expired'] }),
    },
  ])
  const others = [1, 7].map((distance): [string, unknown] => {
    const other = resources[(index + distance) % resources.length] as string
    return [other, distance === 1 ? refTo(other) : { type: 'array', items: refTo(other) }]
  })
  const properties = Object.fromEntries([['id', { type: 'string', format: 'uuid' }], ...fields, ...others])
  const list = {
    type: 'object',
    properties: { items: { type: 'array', items: refTo(name) }, next: { type: 'string' } },
  }
  return [
    [name, { type: 'object', required: ['id', 'field_1', 'field_2'], properties }],
    [`${name}_list`, list],
  ]
}

/** Returns the five operations of a resource. */
function createPaths(name: string): [string, unknown][] {
  const reply = (schema: string) => ({
    200: { description: describe(name, 1), content: { 'application/json': { schema: refTo(schema) } } },
    ...Object.fromEntries(
      [400, 401, 404, 429].map((status) => [
        status,
        { description: describe(`status ${status}`, 1), content: { 'application/json': { schema: refTo('Error') } } },
      ]),
    ),
  })
  const body = { required: true, content: { 'application/json': { schema: refTo(name) } } }
  const operation = (verb: string, more: object) => ({
    operationId: `${verb}_${name}`,
    summary: `${verb} ${name}`,
    description: describe(`how to ${verb} ${name}`, 4),
    tags: [name],
    ...more,
  })
  const filters = Array.from({ length: 12 }, (_, index) => ({
    name: `filter_${index}`,
    in: 'query',
    description: describe(`filter ${index}`, 1),
    schema: { type: 'string' },
  }))
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
  return [
    [
      `/${name}`,
      {
        get: operation('list', { parameters: filters, responses: reply(`${name}_list`) }),
        post: operation('create', { requestBody: body, responses: reply(name) }),
      },
    ],
    [
      `/${name}/{id}`,
      {
        parameters: [id],
        get: operation('get', { responses: reply(name) }),
        patch: operation('update', { requestBody: body, responses: reply(name) }),
        delete: operation('delete', { responses: { 204: { description: 'Deleted' } } }),
      },
    ],
  ]
}
