import type { ParameterLocation } from './model.ts'

/** Texts of an operation in all outputs. `{0}` is replaced by a value. */
export interface OpenApiLabels {
  parameters: Record<ParameterLocation, string>
  body: string
  payload: string
  responses: string
  headers: string
  authorization: string
  request: string
  response: string
  required: string
  deprecated: string
  deprecatedHint: string
  default: string
  oneOf: string
  /** `{0}` is the number of further items. */
  more: string
  anyValue: string
  orNull: string
  /** `{0}` is the type of the items. */
  arrayOf: string
  /** `{0}` is the name of a header, query parameter or cookie. */
  apiKeyIn: Record<'header' | 'query' | 'cookie', string>
  /** Titles of the columns of tables. */
  columns: Record<'name' | 'type' | 'description', string>
  /** Shown instead of a block whose specification does not exist or has no version. */
  specUnavailable: string
  /** Shown instead of an operation, webhook or schema that the specification does not contain. */
  notInSpec: string
}

export const englishLabels: OpenApiLabels = {
  parameters: {
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Headers',
    cookie: 'Cookies',
    other: 'Parameters',
  },
  body: 'Body',
  payload: 'Payload',
  responses: 'Responses',
  headers: 'Headers',
  authorization: 'Authorization',
  request: 'Request',
  response: 'Response',
  required: 'required',
  deprecated: 'Deprecated',
  deprecatedHint: 'This still works, but may be removed in a later version.',
  default: 'Default',
  oneOf: 'One of',
  more: '{0} more',
  anyValue: 'any value',
  orNull: 'or null',
  arrayOf: 'array of {0}',
  apiKeyIn: {
    header: 'API key in the header {0}',
    query: 'API key in the query parameter {0}',
    cookie: 'API key in the cookie {0}',
  },
  columns: { name: 'Name', type: 'Type', description: 'Description' },
  specUnavailable: 'The OpenAPI specification is not available.',
  notInSpec: 'This is no longer in the OpenAPI specification.',
}
