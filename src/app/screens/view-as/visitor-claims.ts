import { address, setQuery } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { viewAsTexts as texts } from './view-as-texts.ts'

/** Claims of a visitor by name; unsigned ones are in `unsigned`. */
export type VisitorClaims = Readonly<Record<string, unknown>>

/** Name of the value in the address. */
const queryName = 'as'

/** Maximum length of claims as JSON, the same as in the API. */
export const maxClaimsLength = 4096

/** Parses a JSON object; undefined if the text is not one. */
export function parseClaims(text: string): VisitorClaims | undefined {
  if (text.length > maxClaimsLength) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as VisitorClaims) : undefined
  } catch {
    return undefined
  }
}

/** Returns the claims in the address as JSON; undefined if the page is shown with all content. */
export function readVisitorClaims(): string | undefined {
  const text = address.value.query.get(queryName)
  return text !== null && parseClaims(text) ? text : undefined
}

/** Shows the page as a visitor with these claims sees it, or with all content. */
export const setVisitorClaims = (claims: VisitorClaims | undefined): void =>
  setQuery(queryName, claims && JSON.stringify(claims))

/** Describes the claims of the visitor. */
export function describeVisitor(claims: VisitorClaims): string {
  const { unsigned, ...signed } = claims
  const all = Object.entries({ ...signed, ...(typeof unsigned === 'object' ? unsigned : {}) })
  if (all.length === 0) return texts.anonymous
  const listed = all.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return fillText(texts.visitor, { claims: listed.join(', ') })
}
