import type { ExpressionScope } from './evaluate.ts'
import { isList, isPrimitive, toPlainData } from './values.ts'

type Data = Readonly<Record<string, unknown>>

/** Data about a visitor, a space and a page; all of it is optional. */
export interface ScopeInput {
  /** Signed claims, with the unsigned ones under `unsigned`. */
  readonly visitorClaims?: Data | undefined
  readonly spaceVariables?: Data | undefined
  readonly pageVariables?: Data | undefined
}

/** Returns the names that conditions and inline expressions can use; all objects that contain data are always defined. */
export function makeExpressionScope({
  visitorClaims = {},
  spaceVariables = {},
  pageVariables = {},
}: ScopeInput): ExpressionScope {
  return {
    visitor: { claims: { ...visitorClaims, unsigned: objectOrEmpty(visitorClaims.unsigned) } },
    space: { vars: spaceVariables },
    page: { vars: pageVariables },
  }
}

function objectOrEmpty(value: unknown): Data {
  const data = toPlainData(value)
  return isPrimitive(data) || isList(data) ? {} : data
}
