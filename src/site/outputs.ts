import type { SiteRequest } from '../kernel/site-http.ts'
import { visitorParameters } from '../visitors/identify-visitor.ts'
import { splitPath } from '../publishing/site-urls.ts'
import { expireVisitorCookies, filterVisitorCookies } from '../visitors/cookies.ts'
import { serveApiProxy } from './api-proxy.ts'
import { recordEvents } from './events.ts'
import { serveLlmsFullText, serveLlmsIndex } from './machines/llms.ts'
import { prefersMarkdown } from './machines/markdown.ts'
import { servePdf } from './machines/pdf.ts'
import { serveRobots } from './machines/robots.ts'
import { isSitemap, serveSitemap } from './machines/sitemap.ts'
import { serveMcpAlias, serveMcp } from './mcp/mcp.ts'
import { isBranchList, serveBranch } from './page/branches.ts'
import { serveSocialImage } from './pictures/social.ts'
import { redirectReply } from './reply.ts'
import { isResultList, serveSearch } from './search/search.ts'
import type { OutputHandler } from './visit.ts'

type Header = SiteRequest['header']

/** Handler for a path of a site that is not the path of a page. */
export interface SiteOutput {
  serve: OutputHandler
  /** Names of the query parameters that its replies depend on; others are ignored. */
  parameters?: readonly string[]
  /** Returns the values besides the URL and the visitor that its replies depend on. */
  variant?: (header: Header) => string
  /** Whether requests have a body. */
  acceptsBody?: boolean
  /** Estimated cost of a reply, in pages. */
  cost: number
  /** Whether a request contains several parts that are counted and queued separately. */
  hasParts?: boolean
}

const search: SiteOutput = {
  serve: serveSearch,
  parameters: ['q', 'from', 'in', 'page'],
  variant: (header) => (isResultList(header('accept')) ? 'list' : ''),
  cost: 3,
}

/** Deletes the cookies of a visitor and redirects to the configured sign-out URL, or to the site. */
const serveLogout: OutputHandler = async ({ view: { session } }) =>
  redirectReply(session.site.auth_logout_url ?? session.siteBase, expireVisitorCookies(session.siteBase))

const sitemap: SiteOutput = { serve: serveSitemap, cost: 30 }

/** Outputs by the first path segment below the site; pages cannot have these names. */
const outputs: Readonly<Record<string, SiteOutput>> = {
  '~api-proxy': { serve: serveApiProxy, acceptsBody: true, cost: 1, hasParts: true },
  '~events': { serve: recordEvents, acceptsBody: true, cost: 1 },
  '~gitbook': { serve: serveMcpAlias, acceptsBody: true, cost: 1, hasParts: true },
  '~logout': { serve: serveLogout, cost: 1 },
  '~mcp': { serve: serveMcp, acceptsBody: true, cost: 1, hasParts: true },
  '~navigation': { serve: serveBranch, variant: (header) => (isBranchList(header) ? 'list' : ''), cost: 1 },
  '~pdf': { serve: servePdf, parameters: ['page', 'only'], cost: 20 },
  '~search': search,
  '~search.json': search,
  '~social': { serve: serveSocialImage, parameters: ['v'], cost: 5 },
  'llms-full.txt': { serve: serveLlmsFullText, cost: 60 },
  'llms.txt': { serve: serveLlmsIndex, cost: 10 },
  'robots.txt': { serve: serveRobots, cost: 1 },
}

/** Outputs that are also available below the path of a preview. */
const previewOutputs: ReadonlySet<string> = new Set(['~search', '~search.json'])

/** Returns the output for the first segment of a path. */
export function findOutput(segment: string): SiteOutput | undefined {
  if (isSitemap(segment)) return sitemap
  return Object.hasOwn(outputs, segment) ? outputs[segment] : undefined
}

/** Returns the output of a preview for the first segment of a path below it. */
export const findPreviewOutput = (segment: string): SiteOutput | undefined =>
  previewOutputs.has(segment) ? findOutput(segment) : undefined

/** Returns the output in a URL, wherever the path of its site starts; undefined for pages. */
function findOutputInPath(segments: readonly string[]): SiteOutput | undefined {
  for (const segment of segments) {
    const output = findOutput(segment)
    if (output) return output
  }
  return undefined
}

export interface RequestKey {
  /** Normalized URL; equal for requests to which the same visitor gets the same reply. */
  address: string
  /** Cookies that identify the visitor. */
  cookies: string
  output: SiteOutput | undefined
}

/** Matches URLs without query parameters and escapes, which are nearly all. */
const plainUrl = /^https?:\/\/[a-z0-9.:-]+(?:\/[\w.-]+)*\/?$/

/**
 * Reduces a request to the parts that its reply depends on, so that unused parameters and other spellings of a path share a cached
 * reply.
 */
export function toRequestKey({ url, header }: Pick<SiteRequest, 'url' | 'header'>): RequestKey {
  const cookies = filterVisitorCookies(header('cookie'))
  const format = prefersMarkdown(header('accept')) ? 'markdown' : ''
  if (plainUrl.test(url) && !/\.(?:txt|xml)\/?$/.test(url)) {
    return { address: `${url.replace(/\/$/, '')}\n${format}`, cookies, output: undefined }
  }
  if (!URL.canParse(url)) return { address: `${url}\n${format}`, cookies, output: undefined }
  const { origin, pathname, searchParams } = new URL(url)
  const segments = splitPath(pathname)
  const output = findOutputInPath(segments)
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
  const usedParameters = [...searchParams].filter(
    ([name]) => output?.parameters?.includes(name) || isVisitorParameter(name),
  )
  const variant = output ? (output.variant?.(header) ?? '') : format
  return {
    address: `${origin}${path}${usedParameters.length > 0 ? `?${JSON.stringify(usedParameters)}` : ''}\n${variant}`,
    cookies,
    output,
  }
}

/** Whether a query parameter contains credentials or claims of a visitor. */
const isVisitorParameter = (name: string): boolean =>
  name === visitorParameters.token || name === visitorParameters.preview || name.startsWith(visitorParameters.claims)
