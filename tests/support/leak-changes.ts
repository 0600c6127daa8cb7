import { conditionOf } from './leak-pages.ts'
import { updatePage, editLive } from './content.ts'
import type { VisitorSession } from './leak-visitors.ts'
import type { LeakSite, LeakWorld } from './leak-world.ts'
import type { Guard } from './leak-words.ts'

/** Change to the world and to the expected visibility. */
export interface LeakChange {
  name: string
  /** Key of the affected site. */
  affects: string
  make: () => Promise<void>
}

/** Returns changes after which a visitor sees less, or something else, than before. */
export function createLeakChanges(
  world: LeakWorld,
  visits: readonly { site: LeakSite; guest: VisitorSession }[],
): LeakChange[] {
  const { sites, secrets, make, leaver } = world
  const siteOf = (key: string): LeakSite => {
    const site = sites.find((one) => one.key === key)
    if (!site) throw new Error(`There is no site ${key}`)
    return site
  }
  const guestsAt = (key: string) => visits.flatMap(({ site, guest }) => (site.key === key ? [guest] : []))
  const change = (name: string, affects: string, work: (site: LeakSite) => Promise<void>): LeakChange => ({
    name,
    affects,
    make: () => work(siteOf(affects)),
  })
  const { api } = make.owner

  return [
    change('a section is for others', 'public', async ({ key, params, items }) => {
      const item = items.find(({ guards }) => guards[0] === 'pro')
      if (!item?.section) throw new Error('There is no such section')
      const place = { ...params, siteSectionId: item.section }
      await api.updateSiteSectionById({ params: place, body: { condition: conditionOf('tester') } })
      item.guards = ['tester']
      for (const secret of secrets.all) {
        const [, ...others] = secret.rules.get(key) ?? []
        if (secret.space === item.space.id) secret.rules.set(key, ['tester', ...others])
      }
    }),
    change('a page is for some, and below it all', 'public', async ({ key, items }) => {
      await guardPage(world, key, items[0]?.space.pages.find((page) => page.key.endsWith('/hidden'))?.key ?? '', 'pro')
    }),
    change('a page is hidden', 'public', async ({ items }) => {
      const space = items[0]?.space
      const page = space?.pages.find((one) => one.key.endsWith('/pointing'))
      if (!space || !page) throw new Error('Page not found')
      await editLive(make.owner, space.id, updatePage(page.id, { hidden: true }))
      page.unlisted = [...page.unlisted, 'hidden']
      for (const secret of secrets.all) {
        if (secret.pages.includes(page.key)) secret.unlisted = [...secret.unlisted, 'hidden']
      }
    }),
    change('a change is merged', 'public', async ({ key, items, history }) => {
      await history.proposal.merge()
      for (const secret of secrets.all) {
        const isMerged = secret.space === items[0]?.space.id && secret.description.startsWith('proposed')
        if (isMerged) secret.rules.set(key, [])
      }
    }),
    change('a space is taken off one of its sites', 'same', async (site) => {
      const item = site.items.find(({ space }) => space.placings.length > 1)
      if (!item?.section) throw new Error('There is no such section')
      await api.deleteSiteSectionById({ params: { ...site.params, siteSectionId: item.section } })
      for (const secret of secrets.all) if (secret.space === item.space.id) secret.rules.delete(site.key)
      item.guards = ['nobody']
    }),
    change('a share link is revoked', 'shared', async ({ key, params, share }) => {
      await api.updateSiteShareLinkById({ params: { ...params, shareLinkId: share.active }, body: { active: false } })
      for (const guest of guestsAt(key)) delete guest.shareKey
    }),
    change('visitors sign in with another key', 'signed', async ({ key, params }) => {
      await api.regenerateSitePublishingAuthById({ params })
      for (const guest of guestsAt(key)) delete guest.token
    }),
    change('a site is the same for all', 'namesake', async (site) => {
      await site.owner.api.updateSiteById({ params: site.params, body: { adaptiveContent: { enabled: false } } })
      site.isAdaptive = false
    }),
    change('visitors must sign in', 'same', async (site) => {
      await api.updateSiteById({ params: site.params, body: { visibility: 'visitor-auth' } })
      site.visibility = 'visitor-auth'
    }),
    change('a site is taken down', 'unlisted', async (site) => {
      await api.unpublishSite({ params: site.params })
      site.isPublished = false
    }),
    {
      name: 'a member leaves',
      affects: 'all',
      async make() {
        await api.removeMemberFromOrganizationById({ params: { ...make.params, userId: leaver.id } })
        for (const { guest } of visits) if (guest.name === 'previewing with who will leave') delete guest.preview
      },
    },
  ]
}

/** Restricts a page, and all pages below it, by a guard. */
async function guardPage({ secrets, sites, make }: LeakWorld, site: string, key: string, guard: Guard): Promise<void> {
  const spaces = new Set(sites.flatMap(({ items }) => items.map(({ space }) => space)))
  for (const { id, pages } of spaces) {
    const page = pages.find((one) => one.key === key)
    if (!page) continue
    await editLive(make.owner, id, updatePage(page.id, { condition: conditionOf(guard) }))
    for (const one of pages) if (one.keys.includes(key)) one.guards = [...one.guards, guard]
  }
  for (const secret of secrets.all) {
    if (secret.pages.includes(key)) secret.rules.set(site, [...(secret.rules.get(site) ?? []), guard])
  }
}
