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
  limits: Record<SchemaLimitKind, string>
  /** For strings and lists with a minimum length of 1. */
  notEmpty: string
  learnMore: string
}
