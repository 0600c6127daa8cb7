import { signJwt } from '../../src/kernel/jwt.ts'
import type { LeakVisitor } from './leak-oracle.ts'
import type { LeakSite, LeakWorld } from './leak-world.ts'
import type { Person, TestServer } from './server.ts'

/** Visitors whose token contains a name. */
export const namedVisitors = ['pro', 'free', 'pro tester'] as const

/** Visitor at a site with their cookies. */
export interface VisitorSession extends LeakVisitor {
  /** Path prefix: a share key. */
  prefix: string
  /** Origin at which they access the server. */
  origin: string
  cookie: string
  /** Visitor data that a front end sends to resolve a URL. */
  lookupVisitor: { jwtToken?: string; unsignedClaims?: Record<string, unknown> }
  /** Query that gives access without cookies. */
  query: string
}

/** Properties that a visitor sends with the first request. */
interface VisitorCredentials extends LeakVisitor {
  jwt?: string
  claims?: Record<string, string>
  previewToken?: string
}

/** Returns the key that signs visitor tokens of a site. */
const keyOf = async ({ owner, params }: LeakSite) => (await owner.api.getSitePublishingAuthById({ params })).privateKey

/** Returns a preview token for a site. */
const preview = async (by: Person, at: LeakSite, query: { draft: 'true' | 'false'; claims?: string }) => {
  const { url } = await by.api.getSitePublishingPreviewById({ params: at.params, query })
  return new URL(url).searchParams.get('preview') ?? ''
}

/** Returns all visitors of a site: those with more access, and those who only claim to have it. */
export async function createVisitorSessions(
  octavo: TestServer,
  world: LeakWorld,
  site: LeakSite,
): Promise<VisitorSession[]> {
  const { names, reader, leaver, sites } = world
  const now = Math.floor(octavo.clock.now() / 1000)
  const own = await keyOf(site)
  const stranger = sites.find(({ key }) => key === (site.key === 'namesake' ? 'public' : 'namesake')) ?? site
  const sign = (claims: object, key = own) => signJwt({ exp: now + 3000, ...claims }, key)
  const isMembers = site.key !== 'namesake'
  const asPro = { draft: 'true', claims: '(plan:pro)' } as const
  const visitors: VisitorCredentials[] = [
    { name: 'nobody' },
    { name: 'tester', isTester: true, shareKey: 'active', claims: { tester: 'yes' } },
    { name: 'liar', shareKey: 'other', claims: { plan: 'pro', tester: 'no' } },
    { name: 'pro', token: 'pro', shareKey: 'active', jwt: sign({ plan: 'pro', name: names['pro'] }) },
    { name: 'free', token: 'free', jwt: sign({ plan: 'free', name: names['free'] }) },
    {
      name: 'pro tester',
      token: 'pro',
      isTester: true,
      shareKey: 'active',
      jwt: sign({ plan: 'pro', name: names['pro tester'] }),
      claims: { tester: 'yes' },
    },
    { name: 'keyholder', shareKey: 'active' },
    { name: 'expired', jwt: sign({ plan: 'pro', exp: now - 100 }) },
    { name: 'forged', jwt: sign({ plan: 'pro' }, 'not the key') },
    { name: 'of another site', jwt: sign({ plan: 'pro' }, await keyOf(stranger)) },
    { name: 'previewing another site', previewToken: await preview(stranger.owner, stranger, asPro) },
    {
      name: 'previewing all',
      preview: { isLimited: false, seesDrafts: true, plan: 'pro' },
      previewToken: await preview(site.owner, site, asPro),
    },
    {
      name: 'previewing what is live',
      preview: { isLimited: false, seesDrafts: false },
      previewToken: await preview(site.owner, site, { draft: 'false' }),
    },
    ...(isMembers
      ? [
          {
            name: 'previewing what a reader sees',
            preview: { isLimited: true, seesDrafts: true, plan: 'pro' as const },
            previewToken: await preview(reader, site, asPro),
          },
          {
            name: 'previewing with who will leave',
            preview: { isLimited: false, seesDrafts: true, plan: 'pro' as const },
            previewToken: await preview(leaver, site, asPro),
          },
        ]
      : []),
  ]
  return Promise.all(visitors.map((one) => openSite(octavo, site, one)))
}

/** Opens a site by a URL with all parameters; keeps the cookies that the site sets, or else the parameters. */
async function openSite(
  octavo: TestServer,
  site: LeakSite,
  { jwt, claims, previewToken, ...visitor }: VisitorCredentials,
): Promise<VisitorSession> {
  const isKeyed = site.visibility === 'share-link' && visitor.shareKey !== undefined
  const prefix = isKeyed ? `${visitor.shareKey === 'active' ? site.keys.active : site.keys.revoked}/` : ''
  const query = new URLSearchParams()
  if (jwt !== undefined) query.set('jwt_token', jwt)
  if (previewToken !== undefined) query.set('preview', previewToken)
  for (const [name, value] of Object.entries(claims ?? {})) query.set(`visitor.${name}`, value)
  const reply = await octavo.fetch(`${site.base}${prefix}?${query.toString()}`, { redirect: 'manual' })
  await reply.arrayBuffer()
  const setCookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const fallbackCookies = [
    ...(jwt === undefined ? [] : [`gitbook-visitor-token=${jwt}`]),
    ...(previewToken === undefined ? [] : [`octavo-preview=${previewToken}`]),
    ...(claims ? [`gitbook-visitor-public=${encodeURIComponent(JSON.stringify(claims))}`] : []),
  ]
  return {
    ...visitor,
    prefix,
    origin: octavo.url,
    cookie: (setCookies.length > 0 ? setCookies : fallbackCookies).join('; '),
    lookupVisitor: { ...(jwt !== undefined && { jwtToken: jwt }), ...(claims && { unsignedClaims: claims }) },
    query: previewToken === undefined ? '' : `?preview=${previewToken}`,
  }
}
