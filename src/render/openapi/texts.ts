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
  /** Shown instead of a block whose specification does not exist or has no version. */
  specUnavailable: string
  /** Shown instead of an operation, webhook or schema that the specification does not contain. */
  notInSpec: string
  noBody: string
  otherFields: string
  /** `{0}` is the name of the parent. */
  fieldsOf: string
  option: string
  request: string
  response: string
  tryIt: TryItTexts
  limits: Record<SchemaLimitKind, string>
  /** For strings and lists with a minimum length of 1. */
  notEmpty: string
  learnMore: string
}

/** The texts of the try-it panel. */
export interface TryItTexts {
  /** Label of the button that opens the panel. */
  open: string
  send: string
  cancel: string
  close: string
  server: string
  token: string
  apiKey: string
  username: string
  password: string
  /** Label of the choice to send no credentials. */
  none: string
  contentType: string
  listHint: string
  storageHint: string
  proxyHint: string
  cookieHint: string
  sending: string
  cancelled: string
  /** `{0}` is a number of seconds. */
  timedOut: string
  failed: string
  /** `{0}` is a size such as `200 kB`. */
  truncated: string
  download: string
  invalidJson: string
  /** `{0}` is the name of a field. */
  invalidValue: string
  /** Shown before a request is sent. */
  empty: string
}
