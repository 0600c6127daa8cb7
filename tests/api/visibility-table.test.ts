import { afterAll, beforeAll, expect, test } from 'vitest'
import { signJwt } from '../../src/kernel/jwt.ts'
import { emptySpace } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { resolveUrl, signVisitorToken, visit } from '../support/visits.ts'

// Compares what visitors see with the rules, for every combination of settings, tokens, share keys and claims.

let octavo: TestServer
let world: Awaited<ReturnType<typeof makeSite>>
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeSite()
})
afterAll(() => octavo.stop())

const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
const tokens = ['none', 'free', 'pro', 'expired', 'forged'] as const
const shareKeys = ['none', 'active', 'revoked', 'foreign'] as const
const sayings = ['nothing', 'beta', 'plan'] as const

type Token = (typeof tokens)[number]
type Saying = (typeof sayings)[number]
interface Case {
  visibility: (typeof visibilities)[number]
  isPublished: boolean
  isAdaptive: boolean
  token: Token
  shareKey: (typeof shareKeys)[number]
  saying: Saying
}

/** Conditions of sections, with a predicate on the token and the unsigned claims of the visitor. */
const conditions: Record<string, { source: string | null; holds: (token: Token, saying: Saying) => boolean }> = {
  Always: { source: null, holds: () => true },
  Pro: { source: "visitor.claims.plan == 'pro'", holds: (token) => token === 'pro' },
  Free: { source: "visitor.claims.plan != 'pro'", holds: (token) => token !== 'pro' },
  Beta: { source: 'visitor.claims.unsigned.beta == true', holds: (_, saying) => saying === 'beta' },
  Both: {
    source: "visitor.claims.plan == 'pro' && visitor.claims.unsigned.beta == true",
    holds: (token, saying) => token === 'pro' && saying === 'beta',
  },
  // Fails for every visitor, because the claim is missing.
  Broken: { source: 'visitor.claims.missing.trim()', holds: () => false },
}

async function makeSite() {
  const { admin } = octavo
  const { organizationId } = admin
  const space = await emptySpace(admin, 'Shared')
  const site = await admin.api.createSite({ params: { organizationId }, body: { title: 'Table', spaces: [] } })
  const params = { organizationId, siteId: site.id }
  for (const [title, { source }] of Object.entries(conditions)) {
    const section = await admin.api.addSectionToSite({ params, body: { spaceId: space, title } })
    const place = { ...params, siteSectionId: section.id }
    await admin.api.updateSiteSectionById({ params: place, body: { condition: source } })
    // The second variant of each section is a draft, which is visible to no visitor.
    await admin.api.addSpaceToSite({ params, body: { spaceId: space, sectionId: section.id, draft: true } })
  }
  const active = await admin.api.createSiteShareLink({ params, body: { name: 'Active' } })
  const revoked = await admin.api.createSiteShareLink({ params, body: { name: 'Revoked' } })
  const other = await admin.api.createSite({ params: { organizationId }, body: { visibility: 'share-link' } })
  const elsewhere = { organizationId, siteId: other.id }
  const foreign = await admin.api.createSiteShareLink({ params: elsewhere, body: { name: 'Foreign' } })
  await admin.api.publishSite({ params: elsewhere })
  await admin.api.publishSite({ params })
  await admin.api.updateSiteById({ params, body: { visibility: 'share-link' } })
  const keyOf = async (place: typeof params, id: string) => {
    const { items } = await admin.api.listSiteShareLinks({ params: place, query: {} })
    return (
      items
        .find((link) => link.id === id)
        ?.urls.published?.split('/')
        .at(-2) ?? ''
    )
  }
  const keys = {
    none: undefined,
    active: await keyOf(params, active.id),
    revoked: await keyOf(params, revoked.id),
    foreign: await keyOf(elsewhere, foreign.id),
  }
  await admin.api.updateSiteShareLinkById({ params: { ...params, shareLinkId: revoked.id }, body: { active: false } })
  const past = Math.floor(octavo.clock.now() / 1000) - 10
  const jwts = {
    none: undefined,
    free: await signVisitorToken(octavo, params, { plan: 'free' }),
    pro: await signVisitorToken(octavo, params, { plan: 'pro', unsigned: { beta: true } }),
    expired: await signVisitorToken(octavo, params, { plan: 'pro', exp: past }),
    forged: signJwt({ plan: 'pro' }, 'not the key of the site'),
  }
  const base = `${octavo.url}/sites/${organizationId}/${site.basename}/`
  return { params, base, keys, jwts, admin }
}

/** Returns the titles that a visitor sees according to the rules, or undefined if the visitor is not admitted. */
function expected({ visibility, isPublished, isAdaptive, token, shareKey, saying }: Case): string[] | undefined {
  const looksAtTokens = visibility === 'visitor-auth' || isAdaptive
  if (looksAtTokens && (token === 'expired' || token === 'forged')) return undefined
  if (!isPublished) return undefined
  if (visibility === 'share-link' && shareKey !== 'active') return undefined
  if (visibility === 'visitor-auth' && token !== 'free' && token !== 'pro') return undefined
  const [known, said]: [Token, Saying] = isAdaptive ? [token, saying] : ['none', 'nothing']
  return Object.keys(conditions).filter((title) => conditions[title]?.holds(known, said))
}

const unsigned: Record<Saying, Record<string, unknown>> = { nothing: {}, beta: { beta: true }, plan: { plan: 'pro' } }

async function seen({ token, shareKey, saying }: Case): Promise<string[] | undefined> {
  const key = world.keys[shareKey]
  const url = key === undefined ? world.base : `${world.base}${key}/`
  const visitor = { jwtToken: world.jwts[token], unsignedClaims: unsigned[saying] }
  const shown = await visit(octavo, url, visitor).catch(() => undefined)
  if (!shown) return undefined
  const { structure } = await shown.api.getPublishedContentSite({ params: world.params, query: {} })
  if (structure.type !== 'sections') throw new Error('The site has sections')
  for (const section of structure.structure) {
    if (section.object === 'site-section') expect(section.siteSpaces).toHaveLength(1)
  }
  return structure.structure.map(({ title }) => title)
}

for (const isAdaptive of [false, true]) {
  for (const visibility of visibilities) {
    test(`${visibility}, ${isAdaptive ? 'adaptive' : 'the same for all'}`, async () => {
      const { api } = world.admin
      for (const isPublished of [true, false]) {
        const body = { visibility, adaptiveContent: { enabled: isAdaptive } }
        await api.updateSiteById({ params: world.params, body })
        await (isPublished ? api.publishSite : api.unpublishSite)({ params: world.params })
        const keys = visibility === 'share-link' ? shareKeys : (['none'] as const)
        const cases = tokens.flatMap((token) =>
          keys.flatMap((shareKey) =>
            sayings.map((saying): Case => ({ visibility, isPublished, isAdaptive, token, shareKey, saying })),
          ),
        )
        const answers = await Promise.all(cases.map(async (one) => ({ ...one, sees: await seen(one) })))
        expect(answers).toEqual(cases.map((one) => ({ ...one, sees: expected(one) })))
      }
    })
  }
}

test('the explanation for editors matches what the visitor sees', async () => {
  const { api } = world.admin
  const { params } = world
  await api.publishSite({ params })
  await api.updateSiteById({ params, body: { visibility: 'public', adaptiveContent: { enabled: true } } })
  for (const token of ['none', 'free', 'pro'] as const) {
    for (const saying of sayings) {
      const claims = token === 'none' ? {} : { plan: token }
      const told = await api.explainSiteVisibility({ params, body: { claims, unsignedClaims: unsigned[saying] } })
      const sections = told.items.filter(({ type }) => type === 'site-section')
      expect(sections.filter(({ visible }) => visible).map(({ title }) => title)).toEqual(
        expected({ visibility: 'public', isPublished: true, isAdaptive: true, token, shareKey: 'none', saying }),
      )
      expect(sections.find(({ title }) => title === 'Broken')).toMatchObject({
        visible: false,
        reason: 'condition',
        error: expect.any(String),
      })
      const drafts = told.items.filter(({ type, reason }) => type === 'site-space' && reason === 'draft')
      expect(drafts.every(({ visible }) => !visible)).toBe(true)
    }
  }
})

test('a URL of a section that the visitor does not see resolves to the default section', async () => {
  const { api } = world.admin
  const { params, base, jwts } = world
  await api.publishSite({ params })
  await api.updateSiteById({ params, body: { visibility: 'public', adaptiveContent: { enabled: true } } })
  const pro = await visit(octavo, `${base}pro/page`, { jwtToken: jwts.pro })
  const free = await visit(octavo, `${base}pro/page`, { jwtToken: jwts.free })
  expect(pro).toMatchObject({ basePath: new URL(`${base}pro/`).pathname, pathname: '/page' })
  // For this visitor the path is that of an absent page in the default section.
  expect(free).toMatchObject({ basePath: new URL(base).pathname, pathname: '/pro/page' })
  expect(free.contextId).not.toBe(pro.contextId)
  expect((await resolveUrl(octavo, base)) as object).not.toHaveProperty('redirect')
})
