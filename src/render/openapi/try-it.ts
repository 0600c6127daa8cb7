import { createTryItForm, isProxyEnabled } from '../../openapi/try-it/create-form.ts'
import type { ApiOperation } from '../../openapi/model.ts'
import { listServerOrigins } from '../../openapi/try-it/server-origins.ts'
import { type Html, attributes, markup, nothing, trusted } from '../html.ts'
import type { OpenApiTexts } from './texts.ts'

/** Data that the try-it panels of a page need from the page. */
export interface TryItSupport {
  /** URL of the script and of the styles of the panel. */
  script: string
  styles: string
  /** Identifies the document of the operation; credentials are stored for each document. */
  document: string
  /** Endpoint that sends requests to the API instead of the browser, and what identifies the page and the document there. */
  proxy?: { url: string; page: string; spec: string } | undefined
  /** Allows requests of the page to origins. */
  allowOrigins: (origins: readonly string[]) => void
  /** Whether the texts of the panel must be rendered: true once for each page. */
  needsTexts: () => boolean
}

/** Renders the button that opens the try-it panel of an operation, and the form as JSON. */
export function renderTryIt(operation: ApiOperation, support: TryItSupport | undefined, texts: OpenApiTexts): Html {
  const form = support && createTryItForm(operation)
  if (!form) return nothing
  const { script, styles, document } = support
  const proxy = isProxyEnabled(operation) ? support.proxy : undefined
  if (!proxy) support.allowOrigins(form.servers.flatMap(listServerOrigins))
  const button = markup`<button${attributes({ type: 'button', class: 'try-it', 'data-try-it': script, 'data-styles': styles, 'data-scripted': true, 'aria-haspopup': 'dialog' })}>${texts.tryIt.open}</button>`
  return markup`${button}${renderJson('data-try-it-form', { form, document, proxy })}${support.needsTexts() && renderJson('data-try-it-texts', selectTexts(texts))}`
}

/** Renders data for scripts; `<` is escaped, so that no text ends the element. */
const renderJson = (name: string, value: unknown): Html =>
  markup`<script type="application/json" ${trusted(name)}>${trusted(JSON.stringify(value).replaceAll('<', '\\u003c'))}</script>`

/** Returns the texts that the panel uses. */
const selectTexts = ({
  tryIt,
  parameters,
  authorization,
  body,
  headers,
  noBody,
  request,
  required,
  response,
}: OpenApiTexts) => ({
  ...tryIt,
  parameters,
  authorization,
  body,
  headers,
  noBody,
  request,
  required,
  response,
})

export type TryItPanelTexts = ReturnType<typeof selectTexts>
