import { type Html, attributes, markup, trusted } from '../html.ts'
import type { OpenApiContext } from './openapi-context.ts'

/** Renders the heading of a section at the level of the context. */
export function renderHeading(
  { headingLevel }: OpenApiContext,
  values: Parameters<typeof attributes>[0],
  content: Html,
): Html {
  const name = trusted(`h${headingLevel}`)
  return markup`<${name}${attributes(values)}>${content}</${name}>`
}
