import type { SiteRequest } from '../kernel/site-http.ts'
import { visitorParameters } from '../access/visitor-identity.ts'
import { segmentsOf } from '../publishing/addresses.ts'
import { endVisit, relevantCookies } from './cookies.ts'
import { recordEvents } from './events.ts'
import { serveFullText, serveIndex } from './machines/llms.ts'
import { prefersMarkdown } from './machines/markdown.ts'
import { serveRobots } from './machines/robots.ts'
import { isSitemap, serveSitemap } from './machines/sitemap.ts'
import { serveAliasOfMcp, serveMcp } from './mcp/mcp.ts'
import { isBranchList, serveBranch } from './page/branches.ts'
import { serveSocialImage } from './pictures/social.ts'
import { isResultList, serveSearch } from './search/search.ts'
import type { Output } from './visit.ts'

type Header = SiteRequest['header']

/** Handler for a path of a site that is not the path of a page. */
export interface SiteOutput {
  serve: Output
  /** Names of the query parameters that its replies depend on; others are ignored. */
  parameters?: readonly string[]
  /** Returns what its replies depend on besides the URL and the visitor. */
  variant?: (header: Header) => string
  /** Whether requests have a body. */
  takesBody?: boolean
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

const sitemap: SiteOutput = { serve: serveSitemap, cost: 30 }

/** Outputs by the first path segment below the site; pages cannot have these names. */
const outputs: Readonly<Record<string, SiteOutput>> = {
  '~events': { serve: recordEvents, takesBody: true, cost: 1 },
  '~gitbook': { serve: serveAliasOfMcp, takesBody: true, cost: 1, hasParts: true },
  '~logout': { serve: endVisit, cost: 1 },
  '~mcp': { serve: serveMcp, takesBody: true, cost: 1, hasParts: true },
  '~navigation': { serve: serveBranch, variant: (header) => (isBranchList(header) ? 'list' : ''), cost: 1 },
  '~search': search,
  '~search.json': search,
  '~social': { serve: serveSocialImage, parameters: ['v'], cost: 5 },
  'llms-full.txt': { serve: serveFullText, cost: 60 },
  'llms.txt': { serve: serveIndex, cost: 10 },
  'robots.txt': { serve: serveRobots, cost: 1 },
}

/** Outputs that are also available below the path of a preview. */
const previewOutputs: ReadonlySet<string> = new Set(['~search', '~search.json'])

/** Returns the output for the first segment of a path. */
export function outputAt(segment: string): SiteOutput | undefined {
  if (isSitemap(segment)) return sitemap
  return Object.hasOwn(outputs, segment) ? outputs[segment] : undefined
}

/** Returns the output of a preview for the first segment of a path below it. */
export const previewOutputAt = (segment: string): SiteOutput | undefined =>
  previewOutputs.has(segment) ? outputAt(segment) : undefined

/** Returns the output in a URL, wherever the path of its site starts; undefined for pages. */
function outputNamedIn(segments: readonly string[]): SiteOutput | undefined {
  for (const segment of segments) {
    const output = outputAt(segment)
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
const plainAddress = /^https?:\/\/[a-z0-9.:-]+(?:\/[\w.-]+)*\/?$/

/**
 * Reduces a request to what its reply depends on, so that unused parameters and other spellings of a path share a cached reply.
 */
export function requestKey({ url, header }: Pick<SiteRequest, 'url' | 'header'>): RequestKey {
  const cookies = relevantCookies(header('cookie'))
  const form = prefersMarkdown(header('accept')) ? 'markdown' : ''
  if (plainAddress.test(url) && !/\.(?:txt|xml)\/?$/.test(url)) {
    return { address: `${url.replace(/\/$/, '')}\n${form}`, cookies, output: undefined }
  }
  if (!URL.canParse(url)) return { address: `${url}\n${form}`, cookies, output: undefined }
  const { origin, pathname, searchParams } = new URL(url)
  const segments = segmentsOf(pathname)
  const output = outputNamedIn(segments)
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
  const read = [...searchParams].filter(([name]) => output?.parameters?.includes(name) || isArrival(name))
  const variant = output ? (output.variant?.(header) ?? '') : form
  return {
    address: `${origin}${path}${read.length > 0 ? `?${JSON.stringify(read)}` : ''}\n${variant}`,
    cookies,
    output,
  }
}

/** Whether a query parameter contains credentials or claims of a visitor. */
const isArrival = (name: string): boolean =>
  name === visitorParameters.token || name === visitorParameters.preview || name.startsWith(visitorParameters.claims)
