import type { ApiOperation } from '../../openapi/model.ts'
import type { RequiredScheme, SecurityScheme } from '../../openapi/security.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { fillPlaceholderHtml } from '../texts.ts'
import type { OpenApiContext } from './openapi-context.ts'

/** Renders the ways to authorize a request. */
export function renderSecurity({ security }: ApiOperation, context: OpenApiContext): Html {
  const { texts } = context
  const requirements = security.filter((requirement) => requirement.length > 0)
  if (requirements.length === 0) return nothing
  const isOptional = requirements.length < security.length
  const items = requirements.map(
    (requirement, index) =>
      markup`<li class="field">${index > 0 && markup`<p class="cut">${texts.or}</p>`}${requirement.map((one) => renderScheme(one, context))}</li>`,
  )
  return markup`${isOptional && markup`<p class="cut">${texts.authorizationOptional}</p>`}<ul class="fields">${items}</ul>`
}

function renderScheme({ name, scheme, scopes }: RequiredScheme, context: OpenApiContext): Html {
  const { texts, renderMarkdown } = context
  const description = scheme?.description
  const links =
    scheme?.type === 'oauth2'
      ? scheme.flows.flatMap(({ authorizationUrl, tokenUrl }) => [authorizationUrl, tokenUrl])
      : []
  const urls = [...new Set(links)].filter((url): url is string => url !== undefined && /^https?:\/\//i.test(url))
  return markup`<p class="field-head"><code>${name}</code><span class="type">${scheme && describeScheme(scheme, context)}</span></p>${description !== undefined && renderMarkdown(description)}${urls.length > 0 && markup`<ul class="limits">${urls.map((url) => markup`<li><a${attributes({ href: url, rel: 'noopener' })}>${url}</a></li>`)}</ul>`}${scopes.length > 0 && markup`<p class="values">${texts.scopes}${scopes.map((scope) => markup` <code>${scope}</code>`)}</p>`}`
}

function describeScheme(scheme: SecurityScheme, { texts }: OpenApiContext): Html {
  switch (scheme.type) {
    case 'apiKey':
      return fillPlaceholderHtml(texts.apiKeyIn[scheme.location], markup`<code>${scheme.parameterName}</code>`)
    case 'http': {
      const title = scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1)
      const credentials = scheme.scheme === 'basic' ? 'base64(user:password)' : (scheme.bearerFormat ?? 'token')
      return markup`<code>Authorization: ${title} &lt;${credentials}&gt;</code>`
    }
    case 'oauth2':
      return markup`OAuth 2.0${scheme.flows.length > 0 && ` (${scheme.flows.map(({ type }) => type).join(', ')})`}`
    case 'openIdConnect':
      return markup`OpenID Connect`
    case 'mutualTLS':
      return markup`Mutual TLS`
  }
}
