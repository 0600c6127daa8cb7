import type { SchemaLimitKind } from '../../openapi/schema.ts'
import type { OpenApiLabels } from '../../openapi/labels.ts'

/** Texts of an API reference as HTML. `{0}` is replaced by a value. */
export interface OpenApiTexts extends OpenApiLabels {
  servers: string
  /** Shown if requests without authentication are allowed too. */
  authorizationOptional: string
  or: string
  /** Label of scopes. */
  scopes: string
  callbacks: string
  optional: string
  readOnly: string
  writeOnly: string
  example: string
  /** Label before the single allowed value, or before the list of allowed values. */
  always: string
  missing: string
  tooDeep: string
  noBody: string
  otherFields: string
  /** `{0}` is the name of the parent. */
  fieldsOf: string
  option: string
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
