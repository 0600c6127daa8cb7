import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { useList, useWholeList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { recentPages } from '../../recent.ts'
import { address } from '../../router.ts'
import { readLastOrganization, useOrganization } from '../../session.ts'
import { fillText } from '../../texts.ts'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import { toEmoji } from '../organization/space-rows.ts'
import { listCommands } from './commands.ts'
import { type PaletteEntry, type PaletteGroup, findByTitle, toWords } from './entries.ts'
import { paletteTexts as texts } from './palette-texts.ts'
import { type Found, useSearch } from './use-search.ts'

/** Maximum number of entries in each group. */
const maxEntries = 6

/** Returns the results for a query, in groups. Spaces, change requests and commands are found without the server. */
export function useGroups(typed: string) {
  const query = typed.trim()
  const words = toWords(query)
  const organizationId = readLastOrganization()
  const organization = useOrganization(organizationId)
  const spaceId = /^\/spaces\/([^/]+)/.exec(address.value.path)?.[1]
  const params = { organizationId: organizationId ?? '' }
  const spaces =
    useWholeList(organizationId === undefined ? undefined : 'GET /orgs/{organizationId}/spaces', {
      params,
    }).items ?? []
  const { found, error, isSearching } = useSearch(organizationId, query, organization?.permissions.listMembers === true)
  const changeRequests = useChangeRequests(organizationId, spaceId, query)
  const commands = listCommands({
    organizationId,
    spaceId,
    canCreate: organization?.permissions.createContent === true,
  })
  const groups: PaletteGroup[] =
    query === ''
      ? [
          { title: texts.recent, entries: listRecent() },
          { title: texts.commands, entries: commands },
          { title: texts.spaces, entries: spaces.slice(0, maxEntries).map(toSpaceEntry) },
        ]
      : [
          { title: texts.spaces, entries: findByTitle(spaces, words, maxEntries).map(toSpaceEntry) },
          { title: texts.changeRequests, entries: changeRequests },
          { title: texts.commands, entries: findByTitle(commands, words, maxEntries) },
          { title: texts.pages, entries: [...(found ? listPages(found) : []), ...listSpaceSearch(spaceId, query)] },
          { title: texts.people, entries: found && organizationId ? listPeople(found, organizationId) : [] },
        ]
  return { groups: groups.filter(({ entries }) => entries.length > 0), words, query, error, isSearching }
}

const toSpaceEntry = ({ id, title, emoji }: Space): PaletteEntry => ({
  id: `space-${id}`,
  title,
  icon: 'book',
  emoji: toEmoji(emoji),
  path: `/spaces/${id}`,
})

const listRecent = (): PaletteEntry[] =>
  recentPages.value.slice(0, maxEntries).map(({ space, page, title, spaceTitle }) => ({
    id: `recent-${page}`,
    title,
    detail: spaceTitle,
    icon: 'file-text',
    path: `/spaces/${space}/pages/${page}`,
  }))

/** Returns the found pages of all spaces in the order of their rank. */
function listPages({ spaces }: Found): PaletteEntry[] {
  const pages = spaces.flatMap((space) => space.pages.map((page) => ({ space, page })))
  return pages
    .toSorted((one, other) => one.page.rank - other.page.rank)
    .slice(0, maxEntries + 2)
    .map(({ space, page }) => ({
      id: `page-${page.id}`,
      title: page.title,
      detail: [space.title, ...page.ancestors.map(({ title }) => title)].join(' / '),
      excerpt: page.sections[0]?.body ?? page.description,
      icon: 'file-text',
      path: `/spaces/${space.id}/pages/${page.id}`,
    }))
}

/** Returns an entry for the search of the current space, which lists all results. */
const listSpaceSearch = (spaceId: string | undefined, query: string): PaletteEntry[] =>
  spaceId === undefined
    ? []
    : [
        {
          id: 'space-search',
          title: fillText(texts.searchFor, { query }),
          icon: 'search',
          path: `/spaces/${spaceId}/search?q=${encodeURIComponent(query)}`,
        },
      ]

/** Returns entries for people, which open the change requests that they created. */
const listPeople = ({ members }: Found, organizationId: string): PaletteEntry[] =>
  members.map(({ user }) => ({
    id: `person-${user.id}`,
    title: user.displayName,
    detail: user.email,
    icon: 'user',
    path: `/orgs/${organizationId}/change-requests?creator=${user.id}`,
  }))

/** Finds change requests by their subject among the latest ones, and by their number also in the current space. */
function useChangeRequests(organizationId: string | undefined, spaceId: string | undefined, query: string) {
  const latest =
    useList(organizationId === undefined || query === '' ? undefined : 'GET /orgs/{organizationId}/change-requests', {
      params: { organizationId: organizationId ?? '' },
      query: { status: ['draft', 'open', 'merged'], limit: 200 },
    }).items ?? []
  const number = /^#?(\d{1,9})$/.exec(query)?.[1]
  const exact = useQuery(
    number !== undefined && spaceId !== undefined
      ? 'GET /spaces/{spaceId}/change-requests/{changeRequestId}'
      : undefined,
    { params: { spaceId: spaceId ?? '', changeRequestId: number ?? '' } },
  ).data
  const byNumber = number === undefined ? [] : latest.filter((one) => String(one.number) === number)
  const titled = latest.map((one) => ({ ...one, title: `#${one.number} ${one.subject}` }))
  const found = [...(exact ? [exact] : []), ...byNumber, ...findByTitle(titled, toWords(query), maxEntries)]
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, maxEntries).map(toChangeRequestEntry)
}

const toChangeRequestEntry = ({ id, number, subject, space, status, createdBy }: ChangeRequest): PaletteEntry => ({
  id: `change-request-${id}`,
  title: `#${number} ${subject || changeRequestTexts.untitled}`,
  detail: createdBy.displayName,
  icon: status === 'merged' ? 'git-merge' : 'git-pull-request',
  path: `/spaces/${space}/change-requests/${number}`,
})
