import { type LeakPage, commonWord } from './leak-pages.ts'
import { type RequestTarget, type LeakVisitor, hasSiteAccess, maySee } from './leak-oracle.ts'
import type { VisitorSession } from './leak-visitors.ts'
import type { LeakSiteSpace, LeakSite } from './leak-world.ts'
import type { Secrets } from './leak-words.ts'
import { randomInteger } from './random.ts'

/** Request of a visitor to a site. */
export interface LeakRequest {
  site: LeakSite
  guest: VisitorSession
  output: string
  method: 'GET' | 'HEAD' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  asked: RequestTarget
  /** Word that the reply must contain, or whether content is expected; if undefined, only forbidden words are checked. */
  expects?: { word: string } | 'something' | 'nothing'
}

type RequestInput = Omit<LeakRequest, 'site' | 'guest' | 'method' | 'headers'> &
  Partial<Pick<LeakRequest, 'method' | 'headers'>>

/** Whether a visitor may see a page of a site space. */
export const seesPage = (site: LeakSite, item: LeakSiteSpace, page: LeakPage, visitor: LeakVisitor): boolean =>
  maySee(site, [...item.guards, ...page.guards], visitor, item.space.isClosed)

const pathOf = (item: LeakSiteSpace, page: LeakPage): string => {
  const above = item.path.map((step) => `${step}/`).join('')
  return above + page.path.join('/')
}

const markdownPath = (path: string): string => (path === '' || path.endsWith('/') ? `${path}index.md` : `${path}.md`)

/** Returns the API requests of a visitor, with the token from resolving the URL of the site. */
export function createApiRequests(site: LeakSite, guest: VisitorSession, token: string): LeakRequest[] {
  const { organizationId, siteId } = site.params
  const asked: RequestTarget = { form: 'api', pages: [] }
  const common = { site, guest, asked, headers: { authorization: `Bearer ${token}` } }
  const get = (output: string, path: string): LeakRequest => ({ ...common, output, method: 'GET', path: `/v1${path}` })
  const own = `/orgs/${organizationId}/sites/${siteId}`
  const ofSpaces = site.items.flatMap(({ space: { id, pages } }) => [
    get('api: pages', `/spaces/${id}/content/pages`),
    get('api: content', `/spaces/${id}/content`),
    get('api: files', `/spaces/${id}/content/files`),
    get('api: changes', `/spaces/${id}/change-requests`),
    ...pages.map((page) => get('api: page', `/spaces/${id}/content/page/${page.id}?format=markdown`)),
  ])
  const search: LeakRequest = {
    ...common,
    output: 'api: search',
    method: 'POST',
    path: `/v1${own}/search`,
    headers: { ...common.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: commonWord, scope: { mode: 'all' } }),
  }
  return [get('api: site', `${own}/published`), get('api: structure', `${own}/structure`), search, ...ofSpaces]
}

/** Returns all requests of a visitor to a site: each page in each form, each list, and searches for words. */
export function createSiteRequests(
  site: LeakSite,
  guest: VisitorSession,
  secrets: Secrets,
  chance: () => number,
): LeakRequest[] {
  const hasAccess = hasSiteAccess(site, guest)
  const found: LeakRequest[] = []
  const base = site.base + guest.prefix
  const add = ({ path, headers, ...asking }: RequestInput) =>
    found.push({
      site,
      guest,
      method: 'GET',
      ...asking,
      path: base + path,
      headers: { ...(guest.cookie !== '' && { cookie: guest.cookie }), ...headers },
    })

  for (const item of site.items) {
    for (const page of item.space.pages) {
      const path = pathOf(item, page)
      const asked: RequestTarget = { form: 'page', pages: page.keys }
      const isSeen = seesPage(site, item, page, guest)
      const expects = isSeen ? { word: page.word } : ('nothing' as const)
      const status = isSeen ? ('something' as const) : ('nothing' as const)
      add({ output: 'page', path, asked, expects })
      add({ output: 'markdown', path: markdownPath(path), asked, expects })
      const markdown = { accept: 'text/markdown' }
      if (chance() < 0.3) add({ output: 'accepted markdown', path, asked, expects, headers: markdown })
      if (chance() < 0.2) add({ output: 'head', path, asked, expects: status, method: 'HEAD' })
      if (page.key.endsWith('/news')) add({ output: 'feed', path: `${path}/rss.xml`, asked, expects: status })
      const fetching: Record<string, string> = chance() < 0.5 ? { 'sec-fetch-dest': 'empty' } : {}
      const branch = `~navigation/${item.id}/${page.id}`
      add({ output: 'branch', path: branch, asked: { ...asked, form: 'list' }, expects: status, headers: fetching })
      if (!isSeen && chance() < 0.2) {
        add({ output: 'picture', path: `~social/${item.id}/${page.id}.png`, asked, expects: 'nothing' })
      }
      if (!isSeen && chance() < 0.2) {
        add({ output: 'pdf', path: `~pdf/${item.id}?page=${page.id}`, asked, expects: 'nothing' })
      }
      if (chance() < 0.3) add({ output: 'read_page', ...tool('read_page', { page: `/${path}` }), asked })
      if (chance() < 0.1) add({ output: 'resource', ...mcp('resources/read', { uri: markdownPath(path) }), asked })
    }
    add({
      output: 'branch',
      path: `~navigation/${item.id}/-`,
      asked: { form: 'list', pages: item.space.pages.map(({ key }) => key).slice(0, 1) },
    })
  }

  const lists: RequestTarget = { form: 'index', pages: [] }
  for (const name of ['llms.txt', 'llms-full.txt']) {
    add({ output: name, path: name, asked: lists, expects: hasAccess ? 'something' : 'nothing' })
  }
  add({ output: 'sitemap', path: 'sitemap.xml', asked: { ...lists, form: 'engines' } })
  add({ output: 'robots', path: 'robots.txt', asked: { ...lists, form: 'engines' } })
  add({ output: 'list_pages', ...tool('list_pages', {}), asked: lists })
  add({ output: 'resources', ...mcp('resources/list', {}), asked: lists })
  add({ output: 'initialize', ...mcp('initialize', { protocolVersion: '2025-06-18' }), asked: lists })

  const searches: RequestTarget = { form: 'search', pages: [] }
  const absent: RequestTarget = { form: 'absent', pages: [] }
  add({ output: 'absent page', path: secrets.decoy(), asked: absent, expects: 'nothing' })
  add({ output: 'absent page', path: `${commonWord}/nowhere`, asked: absent, expects: 'nothing' })
  const all = secrets.all
  const words = Array.from({ length: 8 }, () => all[randomInteger(chance, 0, all.length - 1)]?.word ?? '')
  for (const query of [commonWord, 'zx', ...words]) {
    const from = chance() < 0.5 ? `&in=${site.items[randomInteger(chance, 0, site.items.length - 1)]?.id}` : ''
    add({ output: 'search', path: `~search?q=${query}${from}`, asked: searches })
    add({ output: 'search list', path: `~search.json?q=${query}${from}`, asked: searches })
    if (chance() < 0.3) add({ output: 'search tool', ...tool('search', { query, limit: 50 }), asked: searches })
  }

  for (const { path, guards } of site.redirects) {
    const leads = maySee(site, guards, guest) ? ({ expects: 'something' } as const) : ({ expects: 'nothing' } as const)
    add({ output: 'redirect', path, asked: leads.expects === 'nothing' ? absent : searches, ...leads })
  }
  const { number, revision, proposal } = site.history
  const hasPreview = guest.preview !== undefined
  for (const prefix of [`~/changes/${number}/`, `~/changes/${proposal.id}/`, `~/revisions/${revision}/`]) {
    const kind = prefix.includes('changes') ? 'proposed' : 'former'
    const asked: RequestTarget = { form: 'page', pages: [], version: kind }
    const expects = hasPreview ? 'something' : 'nothing'
    const changing = site.items[0]?.space.pages.find(({ key }) => key.endsWith('/changing'))
    add({ output: kind, path: prefix, asked, expects })
    add({
      output: kind,
      path: `${prefix}${changing?.path.join('/')}`,
      asked: { ...asked, pages: changing?.keys ?? [] },
      expects,
    })
    add({
      output: `${kind} branch`,
      path: `~navigation/${site.items[0]?.id}/-/${prefix}`,
      asked: { ...asked, form: 'list' },
    })
    add({ output: `${kind} markdown`, path: `${prefix}index.md`, asked })
    const searched: RequestTarget = { ...asked, form: hasPreview ? 'search' : 'absent' }
    add({ output: `${kind} search`, path: `${prefix}~search?q=${commonWord}`, asked: searched, expects })
    add({ output: `${kind} search list`, path: `${prefix}~search.json?q=${words[0]}`, asked: searched, expects })
    add({
      output: `${kind} absent page`,
      path: `${prefix}${commonWord}/nowhere`,
      asked: { ...asked, form: 'absent' },
      expects: 'nothing',
    })
  }
  add({
    output: 'events',
    path: '~events',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ place: { url: guest.origin + base }, events: [{ type: 'page_view' }] }),
    asked: searches,
  })
  return found
}

const mcp = (method: string, params: object) => ({
  path: '~mcp',
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

const tool = (name: string, given: object) => mcp('tools/call', { name, arguments: given })
