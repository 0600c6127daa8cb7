import { AppError } from '../../kernel/errors.ts'
import type { SiteReply, SiteRequest } from '../../kernel/site-http.ts'
import { rpcErrorCodes } from './errors.ts'
import { handleBody } from './messages.ts'
import { protocolVersions } from './methods.ts'
import type { OutputHandler } from '../visit.ts'
import type { SiteView } from '../view.ts'

// The Model Context Protocol over HTTP without sessions: every request gets an independent JSON response.

const allowedMethods = 'POST, OPTIONS'

/** Cost of a message, in pages. */
const messageCost = 3

/** Whether a URL is the MCP endpoint, which browsers do not open. */
export const isMcpUrl = (url: string): boolean => /^[^?#]*\/~(mcp|gitbook\/mcp)\/?(?:[?#]|$)/.test(url)

/** Serves the MCP endpoint at its GitBook URL. */
export const serveMcpAlias: OutputHandler = async (visit, [name, ...rest]) =>
  name === 'mcp' ? serveMcp(visit, rest) : undefined

/** Serves the MCP endpoint of a site. */
export const serveMcp: OutputHandler = async ({ view, request, limits }, rest) => {
  if (rest.length > 0) return undefined
  const origin = request.header('origin')
  if (!isAllowedOrigin(view, origin))
    return rpcErrorReply(403, 'Requests are accepted only from pages of this site', baseHeaders)
  const headers = isOpenToAllOrigins(view) ? corsHeaders : baseHeaders
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...headers, allow: allowedMethods }, body: '' }
  if (request.method !== 'POST') {
    return isBrowserRequest(request)
      ? explanationReply(view)
      : { status: 405, headers: { ...headers, allow: allowedMethods }, body: '' }
  }
  const version = request.header('mcp-protocol-version')
  if (version !== undefined && !protocolVersions.includes(version)) {
    return rpcErrorReply(
      400,
      `Unsupported protocol version. Supported versions: ${protocolVersions.join(', ')}`,
      headers,
    )
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(request.header('content-type') ?? '')) {
    return rpcErrorReply(415, 'The body must be JSON with the content type application/json', headers)
  }
  const { isValid, reply } = await handleBody(view, await request.json().catch(ignoreInvalidJson), (work) => {
    limits.charge(request.clientNetwork, messageCost)
    return limits.runQueued(request.clientNetwork, messageCost, work)
  })
  if (reply === undefined) return { status: 202, headers, body: '' }
  return jsonReply(isValid ? 200 : 400, reply, headers)
}

/** Whether a person opens the URL in a browser. Clients that request an event stream get 405, as the protocol requires. */
const isBrowserRequest = ({ method, header }: Pick<SiteRequest, 'method' | 'header'>): boolean =>
  (method === 'GET' || method === 'HEAD') && !/\btext\/event-stream\b/i.test(header('accept') ?? '')

const explanationReply = ({ session: { site, siteBase } }: SiteView): SiteReply => ({
  status: 200,
  headers: { ...baseHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body: `This address is the MCP server of ${site.title}. Add it to your assistant or editor:\n\n${siteBase}~mcp\n`,
})

/** Returns undefined for a body that is not JSON, because JSON-RPC defines an error for it. */
function ignoreInvalidJson(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'invalid') return undefined
  throw error
}

/** Whether the content is public and depends on no cookies, so that pages of any origin may request it. */
const isOpenToAllOrigins = ({ session: { site, identity } }: SiteView): boolean =>
  site.visibility === 'public' && !identity.visitor.isPreviewing

/** Whether the origin is allowed: pages of other origins could read content that the visitor's browser has access to. */
function isAllowedOrigin(view: SiteView, origin: string | undefined): boolean {
  if (origin === undefined || isOpenToAllOrigins(view)) return true
  const { siteBase, host } = view.session
  return URL.canParse(origin) && [host, new URL(siteBase).host].includes(new URL(origin).host)
}

const baseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' }
const corsHeaders = {
  ...baseHeaders,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allowedMethods,
  'access-control-allow-headers':
    'accept, authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '86400',
}

function jsonReply(status: number, value: unknown, headers: Record<string, string>): SiteReply {
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

const rpcErrorReply = (status: number, message: string, headers: Record<string, string>): SiteReply =>
  jsonReply(status, { jsonrpc: '2.0', id: null, error: { code: rpcErrorCodes.request, message } }, headers)
