/** Returns a specification with operations, webhooks and schemas, for pages that show them. */
export const storeSpec = (more: Record<string, unknown> = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Store', version: '1' },
  servers: [{ url: 'https://api.store.test/v1' }],
  security: [{ token: [] }],
  paths: {
    '/orders': {
      get: {
        summary: 'List orders',
        description: 'Returns **all** orders of the store.',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'Number of orders.',
            schema: { type: 'integer', maximum: 100, default: 20 },
          },
        ],
        responses: {
          200: {
            description: 'The orders',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
            },
          },
        },
      },
      post: {
        summary: 'Create an order',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
        responses: {
          201: {
            description: 'The new order',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          422: {
            description: 'A value is invalid',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
    },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }],
      delete: {
        summary: 'Cancel an order',
        deprecated: true,
        responses: { 204: { description: 'The order was canceled' } },
      },
    },
  },
  webhooks: {
    'order.created': {
      post: {
        summary: 'Order created',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        responses: { 204: { description: 'Received' } },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Order: {
        type: 'object',
        required: ['item'],
        properties: {
          item: { type: 'string', description: 'What is ordered.', examples: ['Teapot'] },
          quantity: { type: 'integer', minimum: 1, default: 1 },
          state: { enum: ['open', 'shipped', 'canceled'] },
          customer: { $ref: '#/components/schemas/Customer' },
        },
      },
      Customer: {
        type: 'object',
        properties: { email: { type: 'string', format: 'email' }, name: { type: ['string', 'null'] } },
      },
      Problem: { type: 'object', properties: { title: { type: 'string' }, detail: { type: 'string' } } },
    },
  },
  ...more,
})

/** Returns the Markdown of an operation block. */
export const operationMarkdown = (spec: string, method: string, path: string): string =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[OpenAPI ${spec}](https://example.com)\n{% endopenapi-operation %}`

/** Returns the Markdown of a block with schemas. */
export const schemasMarkdown = (spec: string, names: readonly string[]): string =>
  `{% openapi-schemas spec="${spec}" schemas="${names.join(',')}" grouped="true" %}\nModels\n{% endopenapi-schemas %}`

/** Returns the Markdown of a webhook block. */
export const webhookMarkdown = (spec: string, name: string): string =>
  `{% openapi-webhook spec="${spec}" name="${name}" method="post" %}\n[OpenAPI ${spec}](https://example.com)\n{% endopenapi-webhook %}`
