import type { SchemaLimitKind } from './schema.ts'

/** The texts of the API reference. */
export interface ReferenceTexts {
  parameters: Record<'path' | 'query' | 'header' | 'cookie' | 'other', string>
  body: string
  replies: string
  headers: string
  required: string
  optional: string
  deprecated: string
  deprecatedHint: string
  readOnly: string
  writeOnly: string
  default: string
  /** Label before the single allowed value, or before the list of allowed values. */
  always: string
  oneOf: string
  /** `{0}` is the number of further items. */
  moreValues: string
  anything: string
  orNull: string
  /** `{0}` is the type of the items. */
  listOf: string
  missing: string
  cut: string
  noBody: string
  otherFields: string
  /** `{0}` is the name of the parent. */
  fieldsOf: string
  option: string
  request: string
  reply: string
  limits: Record<SchemaLimitKind, string>
  /** For strings and lists with a minimum length of 1. */
  notEmpty: string
}

export const englishReferenceTexts: ReferenceTexts = {
  parameters: {
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Headers of the request',
    cookie: 'Cookies',
    other: 'Parameters',
  },
  body: 'Body',
  replies: 'Replies',
  headers: 'Headers',
  required: 'required',
  optional: 'optional',
  deprecated: 'deprecated',
  deprecatedHint: 'This still works, but there is something better.',
  readOnly: 'only in replies',
  writeOnly: 'only in requests',
  default: 'Default',
  always: 'Always',
  oneOf: 'One of',
  moreValues: '{0} more',
  anything: 'any value',
  orNull: 'or null',
  listOf: 'list of {0}',
  missing: 'This is not described.',
  cut: 'It goes on like this.',
  noBody: 'No body',
  otherFields: 'other fields',
  fieldsOf: 'Fields of {0}',
  option: 'Option {0}',
  request: 'Request',
  reply: 'Reply',
  limits: {
    minLength: 'at least {0} characters',
    maxLength: 'at most {0} characters',
    minimum: 'at least {0}',
    maximum: 'at most {0}',
    exclusiveMinimum: 'more than {0}',
    exclusiveMaximum: 'less than {0}',
    multipleOf: 'a multiple of {0}',
    minItems: 'at least {0} entries',
    maxItems: 'at most {0} entries',
    minProperties: 'at least {0} fields',
    maxProperties: 'at most {0} fields',
    pattern: 'matches {0}',
    uniqueItems: 'no entry twice',
  },
  notEmpty: 'not empty',
}
