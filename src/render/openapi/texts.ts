import type { ParameterLocation } from '../../openapi/model.ts'
import type { SchemaLimitKind } from '../../openapi/schema.ts'

/** The texts of an API reference. `{0}` is replaced by a value. */
export interface OpenApiTexts {
  parameters: Record<ParameterLocation, string>
  body: string
  responses: string
  headers: string
  servers: string
  authorization: string
  /** Shown if requests without authentication are allowed too. */
  authorizationOptional: string
  or: string
  /** Label of scopes. */
  scopes: string
  /** `{0}` is the name of a header, query parameter or cookie. */
  apiKeyIn: Record<'header' | 'query' | 'cookie', string>
  callbacks: string
  webhook: string
  payload: string
  required: string
  optional: string
  deprecated: string
  deprecatedHint: string
  readOnly: string
  writeOnly: string
  default: string
  example: string
  /** Label before the single allowed value, or before the list of allowed values. */
  always: string
  oneOf: string
  /** `{0}` is the number of further items. */
  more: string
  anyValue: string
  orNull: string
  /** `{0}` is the type of the items. */
  arrayOf: string
  missing: string
  tooDeep: string
  noBody: string
  otherFields: string
  /** `{0}` is the name of the parent. */
  fieldsOf: string
  option: string
  request: string
  response: string
  limits: Record<SchemaLimitKind, string>
  /** For strings and lists with a minimum length of 1. */
  notEmpty: string
  learnMore: string
  linkTo: string
}

export const englishOpenApiTexts: OpenApiTexts = {
  parameters: {
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Headers',
    cookie: 'Cookies',
    other: 'Parameters',
  },
  body: 'Body',
  responses: 'Responses',
  headers: 'Headers',
  servers: 'Servers',
  authorization: 'Authorization',
  authorizationOptional: 'Optional: requests without authorization are accepted too.',
  or: 'or',
  scopes: 'Scopes',
  apiKeyIn: {
    header: 'API key in the header {0}',
    query: 'API key in the query parameter {0}',
    cookie: 'API key in the cookie {0}',
  },
  callbacks: 'Callbacks',
  webhook: 'Webhook',
  payload: 'Payload',
  required: 'required',
  optional: 'optional',
  deprecated: 'Deprecated',
  deprecatedHint: 'This still works, but may be removed in a later version.',
  readOnly: 'read-only',
  writeOnly: 'write-only',
  default: 'Default',
  example: 'Example',
  always: 'Always',
  oneOf: 'One of',
  more: '{0} more',
  anyValue: 'any value',
  orNull: 'or null',
  arrayOf: 'array of {0}',
  missing: 'The document does not describe this.',
  tooDeep: 'Deeper levels are not shown.',
  noBody: 'No body',
  otherFields: 'any name',
  fieldsOf: 'Fields of {0}',
  option: 'Option {0}',
  request: 'Request',
  response: 'Response',
  limits: {
    minLength: 'at least {0} characters',
    maxLength: 'at most {0} characters',
    minimum: 'at least {0}',
    maximum: 'at most {0}',
    exclusiveMinimum: 'more than {0}',
    exclusiveMaximum: 'less than {0}',
    multipleOf: 'a multiple of {0}',
    minItems: 'at least {0} items',
    maxItems: 'at most {0} items',
    minProperties: 'at least {0} fields',
    maxProperties: 'at most {0} fields',
    pattern: 'matches {0}',
    uniqueItems: 'unique items',
  },
  notEmpty: 'not empty',
  learnMore: 'Learn more',
  linkTo: 'Link to {0}',
}
