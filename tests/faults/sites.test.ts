import { expect, test } from 'vitest'
import { ApiError, type Client } from '../../src/client/client.ts'
import { migratedHomeForTest } from '../support/home.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { startServerProcess } from '../support/process.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { serverForTest } from '../support/server.ts'
import { expectConsistentSite } from '../support/site-consistency.ts'
import { type SiteParams, makeSite } from '../support/sites.ts'
import { getOrganizationId } from '../support/teams.ts'

const writers = 6
const steps = 14

const colors = ['primaryColor', 'infoColor', 'successColor', 'warningColor', 'dangerColor'] as const
const modes = ['light', 'dark'] as const

/** The site that all writers change concurrently. */
interface Shared {
  api: Client
  params: SiteParams
  spaces: string[]
  /** The site space that all writers customize. */
  customized: string
  /** Sections that some writers fill and others delete. */
  contested: string[]
}

/** Acknowledged changes of one writer that no other writer reverts. */
interface Acknowledged {
  section: string
  title: string
  path: string
  color: string
  shareLinks: string[]
  sections: string[]
}

test('acknowledged concurrent changes of a site are all applied and leave it consistent', async () => {
  const octavo = await serverForTest()
  const make = await makeOrganization(octavo)
  const shared = await shareSite(make)
  const { api, params, customized } = shared
  const refusals: string[] = []
  const done = await Promise.all(
    Array.from({ length: writers }, (_, writer) => write(shared, writer, (refused) => refusals.push(refused))),
  )

  // Only paths in use and deleted sections may cause refusals.
  expect(refusals.filter((refused) => !/^(400|404|409) /.test(refused))).toEqual([])
  await expectConsistentSite(octavo, params, make.owner)
  const { items: sections } = await api.listSiteSections({ params, query: { limit: 1000 } })
  const { items: shareLinks } = await api.listSiteShareLinks({ params, query: { limit: 1000 } })
  const settings = await api.getSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: customized } })
  const sectionIds = new Set(sections.map(({ id }) => id))
  for (const [writer, told] of done.entries()) {
    const section = sections.find(({ id }) => id === told.section)
    expect(section).toMatchObject({ title: told.title, path: told.path })
    expect(told.sections.filter((id) => !sectionIds.has(id))).toEqual([])
    const { name, mode } = colorOf(writer)
    expect(settings.styling[name][mode]).toBe(told.color)
  }
  expect(shareLinks.map(({ id }) => id).sort()).toEqual(done.flatMap((told) => told.shareLinks).sort())
})

async function shareSite(make: TestOrganization): Promise<Shared> {
  const { params, spaces } = await makeSite(make, ['First', 'Second', 'Third'])
  const { api } = make.owner
  const { items } = await api.listSiteSpaces({ params })
  const shared = {
    api,
    params,
    spaces: Object.values(spaces),
    customized: items[0]?.id ?? '',
    contested: [] as string[],
  }
  for (let number = 0; number < 3; number++) shared.contested.push(await addSection(shared, `Contested ${number}`))
  return shared
}

const addSection = async ({ api, params, spaces }: Shared, title: string): Promise<string> =>
  (await api.addSectionToSite({ params, body: { spaceId: spaces[0] ?? '', title } })).id

const colorOf = (writer: number) => ({
  name: colors[writer % colors.length] as (typeof colors)[number],
  mode: modes[Math.floor(writer / colors.length)] as (typeof modes)[number],
})

/** Executes the actions one after another and then at random, with a different seed for each writer. */
async function write(shared: Shared, writer: number, onRefused: (refused: string) => void): Promise<Acknowledged> {
  const { api, params, spaces, customized, contested } = shared
  const chance = seededRandom(writer)
  const pick = <T>(list: readonly T[]) => list[randomInteger(chance, 0, list.length - 1)] as T
  const title = `Writer ${writer}`
  const section = await addSection(shared, title)
  const atSection = { ...params, siteSectionId: section }
  const told: Acknowledged = { section, title, path: '', color: '', shareLinks: [], sections: [] }
  const { name, mode } = colorOf(writer)

  const actions: ((step: number) => Promise<unknown>)[] = [
    async (step) => {
      const color = `#${(writer * steps + step).toString(16).padStart(6, '0')}`
      const body = { styling: { [name]: { [mode]: color } } }
      await api.overrideSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: customized }, body })
      told.color = color
    },
    async (step) => {
      const body = { title: `${title} at ${step}`, path: `writer-${writer}-${step}` }
      await api.updateSiteSectionById({ params: atSection, body })
      Object.assign(told, body)
    },
    async () => told.shareLinks.push((await api.createSiteShareLink({ params, body: { name: title } })).id),
    async () => told.sections.push(await addSection(shared, 'The same for all')),
    () => api.addSpaceToSite({ params, body: { spaceId: pick(spaces), sectionId: pick(contested) } }),
    async () => {
      const removed = pick(contested)
      await api.deleteSiteSectionById({ params: { ...params, siteSectionId: removed } })
      contested.splice(contested.indexOf(removed), 1, await addSection(shared, 'Contested again'))
    },
    () =>
      api
        .updateSiteSectionById({ params: atSection, body: { path: 'wanted-by-all' } })
        .then(() => (told.path = 'wanted-by-all')),
    () => {
      const item = { type: 'site-section' as const, id: section }
      const position = { before: { type: 'site-section' as const, id: pick(contested) } }
      return api.sortSiteStructure({ params, body: { item, position } })
    },
    () => (chance() < 0.5 ? api.publishSite({ params }) : api.unpublishSite({ params })),
    () => api.addSectionGroupToSite({ params, body: { title, sections: [pick(contested)] } }),
  ]
  // The first steps execute every action once.
  for (let step = 0; step < steps; step++) {
    const action = actions[step] ?? pick(actions)
    await action(step).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      onRefused(`${error.status} ${error.message}`)
    })
  }
  return told
}

test('acknowledged changes of a site survive kill -9', async () => {
  const env = await migratedHomeForTest()
  const first = await startServerProcess(env)
  const api = first.api()
  const organizationId = await getOrganizationId(api)
  const space = await api.createSpace({ params: { organizationId }, body: { title: 'Space' } })
  const { id: siteId } = await api.createSite({
    params: { organizationId },
    body: { title: 'Docs', spaces: [space.id] },
  })
  const params = { organizationId, siteId }

  const acknowledged: string[] = []
  const build = async (builder: number) => {
    for (let number = 1; ; number++) {
      const { id } = await api.addSectionToSite({ params, body: { spaceId: space.id, title: `${builder} ${number}` } })
      const position = {}
      await api.sortSiteStructure({ params, body: { item: { type: 'site-section', id }, position } })
      acknowledged.push(id)
      if (acknowledged.length === 12) first.kill('SIGKILL')
    }
  }
  await Promise.allSettled([build(1), build(2), build(3)])
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })

  const second = await startServerProcess(env)
  const { items } = await second.api().listSiteSections({ params, query: { limit: 1000 } })
  const found = new Map(items.map((section) => [section.id, section]))
  expect(acknowledged.filter((id) => found.get(id)?.siteSpaces.length !== 1)).toEqual([])
  // A section and its space are added atomically.
  expect(items.filter(({ siteSpaces }) => siteSpaces.length !== 1)).toEqual([])
  expect((await second.api().getSiteById({ params })).siteSpaces).toBe(items.length)
})
