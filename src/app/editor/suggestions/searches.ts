import type { ContentRef, InlineElement } from '../../../content/document/nodes.ts'
import type { Variable } from '../../../contract/content-items.ts'
import { request } from '../../api.ts'
import { requestContent } from '../../data/content-place.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { type LinkTarget, listLinkTargets } from '../../screens/edit/relative-link.ts'
import type { InlineChoice, SearchChoices } from './searched-list.ts'

const maxMembers = 6
const maxPages = 6
const maxHeadings = 12
const maxVariables = 30

const mention = (ref: ContentRef): InlineElement => ({ object: 'inline', type: 'mention', isVoid: true, data: { ref } })

const matches = (title: string, query: string): boolean => title.toLowerCase().includes(query.toLowerCase())

/** Returns the members whose name contains a text; none if the user may not list members. */
async function findMembers(organizationId: string, query: string): Promise<InlineChoice[]> {
  const { items } = await request('GET /orgs/{organizationId}/members', {
    params: { organizationId },
    query: { search: query, sort: 'name', order: 'asc', limit: maxMembers },
  }).catch(() => ({ items: [] }))
  return items.map(({ user }) => ({
    title: user.displayName,
    ...(user.email !== undefined && { detail: user.email }),
    icon: 'user',
    inline: mention({ kind: 'user', user: user.id }),
  }))
}

async function readTargets(place: PagePlace): Promise<LinkTarget[]> {
  const { pages } = await requestContent('GET /spaces/{spaceId}/content/table-of-contents', place)
  return listLinkTargets(pages)
}

/** Lists the headings of a page; none if it cannot be read. */
async function readHeadings(place: PagePlace, { id: pageId, title: pageTitle }: LinkTarget): Promise<InlineChoice[]> {
  const { outline } = await requestContent('GET /spaces/{spaceId}/content/page/{pageId}/html', place, {
    params: { pageId },
  }).catch(() => ({ outline: [] }))
  const page = pageId === place.pageId ? {} : { page: pageId }
  return outline.map(({ id, title }) => ({
    title,
    detail: pageTitle,
    icon: 'heading',
    ref: { kind: 'anchor', anchor: id, ...page },
  }))
}

const toPageChoice = ({ id, title, file }: LinkTarget): InlineChoice => ({
  title,
  detail: file,
  icon: 'file-text',
  inline: mention({ kind: 'page', page: id }),
})

/**
 * Finds members and pages, and headings of a page: of the only page whose title contains the text, or after `page#`. The pages and
 * headings are read when a mention is started.
 */
export function createMentionSearch(organizationId: string, place: PagePlace): SearchChoices {
  let targets: Promise<LinkTarget[]> | undefined
  const known = new Map<string, Promise<InlineChoice[]>>()
  const listHeadings = (page: LinkTarget): Promise<InlineChoice[]> => {
    const headings = known.get(page.id) ?? readHeadings(place, page)
    known.set(page.id, headings)
    return headings
  }
  return async (query) => {
    if (query === '') {
      targets = undefined
      known.clear()
    }
    targets ??= readTargets(place).catch(() => [])
    const [name = '', ...rest] = query.split('#')
    const found = (await targets).filter(({ title }) => matches(title, name))
    const [first, second] = found
    if (rest.length > 0) {
      const headings = first ? await listHeadings(first) : []
      return headings.filter(({ title }) => matches(title, rest.join('#'))).slice(0, maxHeadings)
    }
    const [members, headings] = await Promise.all([
      findMembers(organizationId, query),
      first && !second ? listHeadings(first) : [],
    ])
    return [...members, ...found.slice(0, maxPages).map(toPageChoice), ...headings.slice(0, maxHeadings)]
  }
}

/** Finds the variables of the page and of the space by their names. */
export const createVariableSearch =
  (place: PagePlace): SearchChoices =>
  async (query) => {
    const { pageId } = place
    const [ofSpace, page] = await Promise.all([
      requestContent('GET /spaces/{spaceId}/content/variables', place),
      requestContent('GET /spaces/{spaceId}/content/page/{pageId}', place, { params: { pageId } }),
    ])
    const ofPage = ('variables' in page && page.variables) || {}
    return [
      ...Object.entries(ofPage).map(([name, value]) => toVariableChoice(`page.vars.${name}`, value)),
      ...ofSpace.variables.map(({ name, value }) => toVariableChoice(`space.vars.${name}`, value)),
    ]
      .filter(({ title }) => matches(title, query))
      .slice(0, maxVariables)
  }

const toVariableChoice = (expression: string, value: Variable['value']): InlineChoice => ({
  title: expression,
  detail: String(value),
  icon: 'variable',
  inline: { object: 'inline', type: 'expression', isVoid: true, data: { expression } },
})
