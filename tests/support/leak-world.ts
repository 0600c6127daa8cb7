import {
  type LeakSpace,
  type SpacePlacement,
  conditionOf,
  makeHistory,
  writePlainSpace,
  writeRichSpace,
} from './leak-pages.ts'
import { type Guard, type Secret, Secrets } from './leak-words.ts'
import { type TestOrganization, makeOrganization } from './organization.ts'
import { waitUntilSearchable } from './search.ts'
import type { Person, TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

/** Properties that decide who may access a site, and whether it adapts to visitors. */
export interface SiteAccess {
  key: string
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
  isPublished: boolean
  isAdaptive: boolean
}

const siteAccesses: readonly SiteAccess[] = [
  { key: 'public', visibility: 'public', isPublished: true, isAdaptive: true },
  { key: 'same', visibility: 'public', isPublished: true, isAdaptive: false },
  { key: 'unlisted', visibility: 'unlisted', isPublished: true, isAdaptive: true },
  { key: 'shared', visibility: 'share-link', isPublished: true, isAdaptive: true },
  { key: 'signed', visibility: 'visitor-auth', isPublished: true, isAdaptive: true },
  { key: 'unpublished', visibility: 'public', isPublished: false, isAdaptive: true },
  { key: 'namesake', visibility: 'public', isPublished: true, isAdaptive: true },
]

/** Space as a part of a site. */
export interface LeakSiteSpace {
  id: string
  /** Id of its section. */
  section?: string
  space: LeakSpace
  /** Path segments; empty for the default of the site. */
  path: readonly string[]
  guards: readonly Guard[]
}

export interface LeakSite extends SiteAccess {
  params: SiteParams
  owner: Person
  base: string
  items: LeakSiteSpace[]
  history: Awaited<ReturnType<typeof makeHistory>>
  keys: { active: string; revoked: string }
  share: { active: string }
  /** Paths of redirects to pages, with the guards of these pages. */
  redirects: readonly { path: string; guards: readonly Guard[] }[]
}

export interface LeakWorld {
  secrets: Secrets
  sites: LeakSite[]
  names: Readonly<Record<string, string>>
  /** Member who can see the sites of the first organization, but cannot open some of their spaces. */
  reader: Person
  /** Member who will be removed from the organization. */
  leaver: Person
  make: TestOrganization
}

const everywhere = (guards: readonly Guard[]) => new Map(siteAccesses.map(({ key }) => [key, guards]))

/** Creates sites with the same names in two organizations, with restricted content in every place. */
export async function makeLeakWorld(octavo: TestServer, seed: number, named: readonly string[]): Promise<LeakWorld> {
  const secrets = new Secrets(seed)
  const common = { unlisted: [], pages: [], isClosed: false }
  const names = Object.fromEntries(
    named.map((visitor) => [
      visitor,
      secrets.add({ ...common, description: `name of ${visitor}`, rules: everywhere([`only ${visitor}`]) }),
    ]),
  )
  const [make, other] = [await makeOrganization(octavo, 'Acme'), await makeOrganization(octavo, 'Acme')]
  const both: SpacePlacement[] = [
    { site: 'public', guards: ['pro'] },
    { site: 'same', guards: [] },
  ]
  const commonSpace = await make.owner.api.createSpace({
    params: make.params,
    body: { title: 'Common', empty: true },
  })
  const shared = await writePlainSpace({ secrets, owner: make.owner, spaceId: commonSpace.id, placings: both, names })
  const sites: LeakSite[] = []
  for (const facts of siteAccesses) {
    const organization = facts.key === 'namesake' ? other : make
    const onBoth = both.some(({ site }) => site === facts.key) ? shared : undefined
    sites.push(await makeSite(organization, facts, { secrets, names, onBoth }))
  }
  const spaces = new Set(sites.flatMap(({ items }) => items.map(({ space }) => space.id)))
  for (const id of spaces) await waitUntilSearchable(octavo, id)
  return { secrets, sites, names, reader: await make.member('read'), leaver: await make.member('admin'), make }
}

interface SiteInput {
  secrets: Secrets
  names: Readonly<Record<string, string>>
  /** Space that is also part of another site. */
  onBoth: LeakSpace | undefined
}

async function makeSite(make: TestOrganization, facts: SiteAccess, around: SiteInput): Promise<LeakSite> {
  const { secrets, names, onBoth } = around
  const { owner } = make
  const { api } = owner
  const { key } = facts
  const word = (
    what: string,
    guards: readonly Guard[],
    more: Partial<Pick<Secret, 'space' | 'isSetting'>> = {},
  ): string =>
    secrets.add({
      description: `${what} (${guards.join(', ')}) of ${key}`,
      rules: new Map([[key, guards]]),
      unlisted: [],
      pages: [],
      isClosed: false,
      ...more,
    })
  const setting = (what: string): string => word(what, ['pro'], { isSetting: true })
  const write = async (
    guards: readonly Guard[],
    how: 'rich' | 'plain',
    more: { isClosed?: true; isHidden?: true } = {},
  ) => {
    const space = await api.createSpace({ params: make.params, body: { title: 'Space', empty: true } })
    if (more.isClosed) await api.updateSpaceById({ params: { spaceId: space.id }, body: { defaultLevel: null } })
    const writing = { secrets, owner, spaceId: space.id, placings: [{ site: key, guards }], names, ...more }
    return { writing, space: await (how === 'rich' ? writeRichSpace : writePlainSpace)(writing) }
  }
  const main = await write([], 'rich')
  const site = await api.createSite({ params: make.params, body: { title: 'Handbook', spaces: [] } })
  const params = { ...make.params, siteId: site.id }
  const items: LeakSiteSpace[] = []

  const section = async (
    space: LeakSpace,
    guards: readonly Guard[],
    { condition, group }: { condition?: Guard; group?: string } = {},
  ): Promise<string> => {
    const isFirst = items.length === 0
    const title = word('title of a section', guards, { space: space.id })
    const added = await api.addSectionToSite({
      params,
      body: { spaceId: space.id, title, ...(group !== undefined && { siteSectionGroupId: group }) },
    })
    const path = word('path of a section', guards, { space: space.id })
    const body = {
      path,
      description: word('description of a section', guards, { space: space.id }),
      ...(condition && { condition: conditionOf(condition) }),
    }
    await api.updateSiteSectionById({ params: { ...params, siteSectionId: added.id }, body })
    items.push({ id: added.siteSpaces[0]?.id ?? '', section: added.id, space, guards, path: isFirst ? [] : [path] })
    return added.id
  }

  const first = await section(main.space, [])
  const aside = await write([], 'plain', { isHidden: true })
  const variant = await api.addSpaceToSite({ params, body: { spaceId: aside.space.id, sectionId: first } })
  const variantPath = 'former-times'
  await api.updateSiteSpaceById({
    params: { ...params, siteSpaceId: variant.id },
    body: { hidden: true, path: variantPath, title: 'Former' },
  })
  items.push({ id: variant.id, space: aside.space, guards: [], path: [variantPath] })
  await section((await write(['pro'], 'plain')).space, ['pro'], { condition: 'pro' })
  await section((await write(['tester'], 'plain')).space, ['tester'], { condition: 'tester' })
  const group = await api.addSectionGroupToSite({
    params,
    body: { title: word('title of a group', ['draft']), draft: true },
  })
  await section((await write(['draft'], 'plain', { isClosed: true })).space, ['draft'], { group: group.id })
  const guardsOfShared = onBoth?.placings.find(({ site: name }) => name === key)?.guards ?? []
  if (onBoth) await section(onBoth, guardsOfShared, guardsOfShared[0] ? { condition: guardsOfShared[0] } : {})
  const elsewhere = {
    title: word('title of a link', ['pro']),
    url: `https://example.com/${word('address of a link', ['pro'])}`,
  }
  await api.addExternalLinkToSite({ params, body: { ...elsewhere, condition: conditionOf('pro') } })

  const paid = main.space.pages.find(({ key: name }) => name.endsWith('/paid'))
  const to = { kind: 'page' as const, page: paid?.id ?? '', space: main.space.id }
  const anywhere = { kind: 'url' as const, url: 'https://example.com/' }
  await api.updateSiteCustomizationById({
    params,
    body: {
      header: {
        links: [
          { title: setting('header link'), to, links: [] },
          { title: word('header link', ['tester']), to: anywhere, links: [], condition: conditionOf('tester') },
          { title: 'Menu', to: anywhere, links: [{ title: setting('link in a menu'), to }] },
        ],
      },
      footer: { groups: [{ title: 'More', links: [{ title: setting('footer link'), to }] }] },
      announcement: {
        enabled: true,
        message: word('announcement', []),
        style: 'info',
        link: { title: setting('link of the announcement'), to },
      },
    },
  })
  const source = 'moved'
  const destination = { kind: 'site-page' as const, siteSpaceId: items[0]?.id ?? '', pageId: paid?.id ?? '' }
  await api.createSiteRedirect({ params, body: { source: `/${source}`, destination } })

  await api.publishSite({ params })
  const { visibility, isAdaptive, isPublished } = facts
  const body = { visibility: 'share-link' as const, adaptiveContent: { enabled: isAdaptive } }
  await api.updateSiteById({ params, body })
  const keyOf = async (name: string) => {
    const link = await api.createSiteShareLink({ params, body: { name } })
    return { id: link.id, key: link.urls.published?.split('/').at(-2) ?? '' }
  }
  const [active, revoked] = [await keyOf('Active'), await keyOf('Revoked')]
  await api.updateSiteShareLinkById({ params: { ...params, shareLinkId: revoked.id }, body: { active: false } })
  const { basename } = await api.updateSiteById({ params, body: { visibility } })
  if (!isPublished) await api.unpublishSite({ params })
  return {
    ...facts,
    params,
    owner,
    base: `/sites/${params.organizationId}/${basename}/`,
    items,
    history: await makeHistory(main.writing, main.space),
    keys: { active: active.key, revoked: revoked.key },
    share: { active: active.id },
    redirects: [{ path: source, guards: ['pro'] }],
  }
}
