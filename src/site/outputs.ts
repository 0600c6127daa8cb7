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

/** What a site answers at a path that is not the path of a page. */
export interface SiteOutput {
  serve: Output
  /** The query parameters that its replies depend on; others are ignored. */
  parameters?: readonly string[]
  /** What its replies depend on besides address and visitor. */
  variant?: (header: Header) => string
  /** Whether requests have a body. */
  takesBody?: boolean
  /** How many pages one reply costs, as far as it can be known before. */
  cost: number
  /** Whether a request consists of parts, each of which is counted and waits for its turn. */
  hasParts?: boolean
}

const search: SiteOutput = {
  serve: serveSearch,
  parameters: ['q', 'from', 'in', 'page'],
  variant: (header) => (isResultList(header('accept')) ? 'list' : ''),
  cost: 3,
}

const sitemap: SiteOutput = { serve: serveSitemap, cost: 30 }

/** By the first segment of the path below the site; pages cannot have these names. */
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

/** The outputs that previews of a change request or revision have below their own path. */
const previewOutputs: ReadonlySet<string> = new Set(['~search', '~search.json'])

/** The output at a path whose first segment is given. */
export function outputAt(segment: string): SiteOutput | undefined {
  if (isSitemap(segment)) return sitemap
  return Object.hasOwn(outputs, segment) ? outputs[segment] : undefined
}

/** The output of a preview at a path below it whose first segment is given. */
export const previewOutputAt = (segment: string): SiteOutput | undefined =>
  previewOutputs.has(segment) ? outputAt(segment) : undefined

/** The output that an address names, wherever its site begins; undefined for pages. */
function outputNamedIn(segments: readonly string[]): SiteOutput | undefined {
  for (const segment of segments) {
    const output = outputAt(segment)
    if (output) return output
  }
  return undefined
}

export interface RequestKey {
  /** Equal for requests that the same visitor gets the same reply to. */
  address: string
  /** The part of the cookies that says who the visitor is. */
  cookies: string
  output: SiteOutput | undefined
}

/** Addresses without parameters and escapes, as nearly all are. */
const plainAddress = /^https?:\/\/[a-z0-9.:-]+(?:\/[\w.-]+)*\/?$/

/**
 * Reduces a request to what its reply depends on: parameters that nothing reads and other spellings of the same path
 * lead to the same cached reply.
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

/** Whether a parameter says who a visitor is. */
const isArrival = (name: string): boolean =>
  name === visitorParameters.token || name === visitorParameters.preview || name.startsWith(visitorParameters.claims)
