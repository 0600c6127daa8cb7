import { AppError } from '../../kernel/errors.ts'
import type { SiteReply, SiteRequest } from '../../kernel/site-http.ts'
import { errorCodes } from './errors.ts'
import { answer } from './messages.ts'
import { protocolVersions } from './methods.ts'
import type { Output } from '../visit.ts'
import type { SiteView } from '../view.ts'

// The Model Context Protocol over HTTP without sessions: every request gets an independent JSON response.

const methods = 'POST, OPTIONS'

/** Cost of a message, in pages. */
const messageCost = 3

/** Whether a URL is the MCP endpoint, which browsers do not open. */
export const isMcp = (url: string): boolean => /^[^?#]*\/~(mcp|gitbook\/mcp)\/?(?:[?#]|$)/.test(url)

/** Serves the MCP endpoint at its GitBook URL. */
export const serveAliasOfMcp: Output = async (visit, [name, ...rest]) =>
  name === 'mcp' ? serveMcp(visit, rest) : undefined

/** Serves the MCP endpoint of a site. */
export const serveMcp: Output = async ({ view, request, limits }, rest) => {
  if (rest.length > 0) return undefined
  const origin = request.header('origin')
  if (!isFromHere(view, origin)) return refused(403, 'Requests are accepted only from pages of this site', ownHeaders)
  const headers = isForAll(view) ? openHeaders : ownHeaders
  if (request.method === 'OPTIONS') return { status: 204, headers: { ...headers, allow: methods }, body: '' }
  if (request.method !== 'POST') {
    return isReader(request) ? explained(view) : { status: 405, headers: { ...headers, allow: methods }, body: '' }
  }
  const version = request.header('mcp-protocol-version')
  if (version !== undefined && !protocolVersions.includes(version)) {
    return refused(400, `Unsupported protocol version. Supported versions: ${protocolVersions.join(', ')}`, headers)
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(request.header('content-type') ?? '')) {
    return refused(415, 'The body must be JSON with the content type application/json', headers)
  }
  const { isRequest, reply } = await answer(view, await request.json().catch(notJson), (work) => {
    limits.charge(request.network, messageCost)
    return limits.takeTurn(request.network, messageCost, work)
  })
  if (reply === undefined) return { status: 202, headers, body: '' }
  return jsonReply(isRequest ? 200 : 400, reply, headers)
}

/** Whether a person opens the URL in a browser. Clients that request an event stream get 405, as the protocol requires. */
const isReader = ({ method, header }: Pick<SiteRequest, 'method' | 'header'>): boolean =>
  (method === 'GET' || method === 'HEAD') && !/\btext\/event-stream\b/i.test(header('accept') ?? '')

const explained = ({ session: { site, siteBase } }: SiteView): SiteReply => ({
  status: 200,
  headers: { ...ownHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body: `This address is the MCP server of ${site.title}. Add it to your assistant or editor:\n\n${siteBase}~mcp\n`,
})

/** Returns undefined for a body that is not JSON, because JSON-RPC defines an error for it. */
function notJson(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'invalid') return undefined
  throw error
}

/** Whether the content is public and depends on no cookies, so that pages of any origin may request it. */
const isForAll = ({ session: { site, identity } }: SiteView): boolean =>
  site.visibility === 'public' && !identity.visitor.isPreviewing

/** Whether the origin is allowed: other origins could read what the visitor's browser has access to. */
function isFromHere(view: SiteView, origin: string | undefined): boolean {
  if (origin === undefined || isForAll(view)) return true
  const { siteBase, host } = view.session
  return URL.canParse(origin) && [host, new URL(siteBase).host].includes(new URL(origin).host)
}

const ownHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' }
const openHeaders = {
  ...ownHeaders,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods,
  'access-control-allow-headers':
    'accept, authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '86400',
}

function jsonReply(status: number, value: unknown, headers: Record<string, string>): SiteReply {
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

const refused = (status: number, message: string, headers: Record<string, string>): SiteReply =>
  jsonReply(status, { jsonrpc: '2.0', id: null, error: { code: errorCodes.request, message } }, headers)
