import type { Scope } from './evaluate.ts'
import { isList, isPrimitive, plain } from './values.ts'

type Data = Readonly<Record<string, unknown>>

/** What is known about a visitor, a space and a page; none of it need be. */
export interface ScopeInput {
  /** The signed claims, with the unsigned ones under `unsigned` */
  readonly visitorClaims?: Data | undefined
  readonly spaceVariables?: Data | undefined
  readonly pageVariables?: Data | undefined
}

/** The names that conditions and inline expressions can use; all of the objects that hold data are always there. */
export function scopeOf({ visitorClaims = {}, spaceVariables = {}, pageVariables = {} }: ScopeInput): Scope {
  return {
    visitor: { claims: { ...visitorClaims, unsigned: objectOrEmpty(visitorClaims.unsigned) } },
    space: { vars: spaceVariables },
    page: { vars: pageVariables },
  }
}

function objectOrEmpty(value: unknown): Data {
  const data = plain(value)
  return isPrimitive(data) || isList(data) ? {} : data
}
