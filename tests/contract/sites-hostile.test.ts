import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRequestPath } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { type Operation, parseParamNames } from '../../src/contract/operation.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { hostileBody, hostileSegment } from '../support/hostile.ts'
import { isLong } from '../support/long.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { expectConsistentSite, readStoredSite } from '../support/site-consistency.ts'
import { type SiteOperation, type SiteWorld, makeSiteWorld, validRequests } from '../support/site-world.ts'

/** Number of invalid requests derived from each valid one. */
const rounds = isLong ? 15 : 6

let dns: DnsServer
let octavo: TestServer
let mine: SiteWorld
let theirs: SiteWorld
beforeAll(async () => {
  dns = await startDnsServer()
  octavo = await startTestServer({ OCTAVO_DNS_SERVERS: dns.address })
  mine = await makeSiteWorld(octavo)
  theirs = await makeSiteWorld(octavo)
})
afterAll(async () => {
  await octavo.stop()
  await dns.stop()
})

interface Request {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: never
}

const siteOperations = Object.entries(api).filter(([, { path }]) =>
  /\{siteId\}|^\/urls\/(?!embed$)|^\/custom-hostnames\//.test(path),
) as [SiteOperation, Operation][]

test('the valid request of every site operation succeeds', async () => {
  const world = await makeSiteWorld(octavo)
  const requests = validRequests(world)
  expect(Object.keys(requests).sort()).toEqual(siteOperations.map(([name]) => name).sort())
  const refused: string[] = []
  const inOrder = [...siteOperations].sort((a, b) => turnOf(a) - turnOf(b))
  for (const [name, operation] of inOrder) {
    const { status, text } = await send(
      world,
      operation,
      buildRequestPath(operation.path, withoutKeys(requests[name] as Request)),
      bodyOf(requests[name] as Request),
    )
    if (status >= 300) refused.push(`${name} ${status} ${text}`)
  }
  expect(refused).toEqual([])
})

/** Orders operations: changes first, then reads, unpublishing and deletions. */
function turnOf([name, { method }]: [SiteOperation, Operation]): number {
  if (name === 'deleteSiteById') return 4
  if (method === 'DELETE') return 3
  return name === 'unpublishSite' ? 2 : Number(method === 'GET')
}

/** Removes the share key and the cursor, for which no valid values exist. */
const withoutKeys = ({ query: { shareKey: _key, page: _page, ...query } = {}, ...request }: Request) => ({
  ...request,
  query,
})

const bodyOf = ({ body }: Request) => (body === undefined ? undefined : JSON.stringify(body))

async function send(
  { owner }: Pick<SiteWorld, 'owner'>,
  { method }: Operation,
  path: string,
  body: string | undefined,
) {
  const reply = await octavo.fetch(`/v1${path}`, {
    method,
    token: owner.token,
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  })
  return { status: reply.status, text: await reply.text() }
}

test('invalid requests never cause a 5xx, and refused requests and foreign deletions change nothing', async () => {
  const chance = seededRandom(2)
  const foreign = await readStoredSite(octavo, theirs.params)
  const strangers = [...Object.values(theirs.ids), ...Object.values(theirs.params), theirs.hostname]
  const anybody = [...strangers, ...Object.values(mine.ids)]
  const requests = validRequests(mine)
  const failures: string[] = []
  let compared = 0
  let before = await readStoredSite(octavo, mine.params)
  for (const [name, operation] of siteOperations) {
    for (let round = 0; round < rounds; round++) {
      const { path, body } = wrong(
        operation,
        requests[name] as Request,
        chance,
        operation.method === 'DELETE' ? strangers : anybody,
      )
      const told = `${operation.method} ${path.slice(0, 300)} ${body?.slice(0, 500) ?? ''}`
      const { status, text } = await send(mine, operation, path, body)
      if (status >= 500) failures.push(`${name} ${status} ${text.slice(0, 200)} ${told}`)
      if (status >= 400 && !isErrorReply(status, text)) failures.push(`${name} ${text.slice(0, 200)} ${told}`)
      if (operation.method === 'GET' || operation.readOnly) continue
      const after = await readStoredSite(octavo, mine.params)
      if (status >= 400 || operation.method === 'DELETE') {
        compared++
        if (after !== before) failures.push(`${name} ${status} changed something: ${told}`)
      }
      before = after
    }
  }
  expect(failures).toEqual([])
  expect(compared).toBeGreaterThan((siteOperations.length * rounds) / 3)
  expect(await readStoredSite(octavo, theirs.params)).toBe(foreign)
  await expectConsistentSite(octavo, mine.params, mine.owner)
})

/** Returns a request with an invalid path, query or body. Deletions get only ids of the other site. */
function wrong(operation: Operation, right: Request, chance: () => number, strangers: readonly string[]) {
  const names = parseParamNames(operation.path)
  const canBeWrong = [
    ...(names.length > 0 ? ['path'] : []),
    ...(right.query ? ['query', 'query'] : []),
    ...(right.body === undefined ? [] : ['body', 'body', 'body', 'body', 'body']),
  ]
  const part = canBeWrong[randomInteger(chance, 0, canBeWrong.length - 1)]
  const body = part === 'body' ? hostileBody(right.body as never, chance, strangers) : bodyOf(right)
  return { path: addressOf(operation, right, part, chance, strangers), body }
}

function addressOf(
  operation: Operation,
  { params = {}, query = {} }: Request,
  part: string | undefined,
  chance: () => number,
  strangers: readonly string[],
): string {
  const names = parseParamNames(operation.path)
  const chosen = part === 'path' ? names[randomInteger(chance, 0, names.length - 1)] : undefined
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === chosen ? hostileSegment(chance, strangers) : encodeURIComponent(params[name] ?? ''),
  )
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (part === 'query') {
    const name = Object.keys(query)[randomInteger(chance, 0, Object.keys(query).length - 1)]
    pairs.push(`${name}=${hostileSegment(chance, strangers)}`)
    if (chance() < 0.8) pairs.splice(0, pairs.length - 1)
  }
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

function isErrorReply(status: number, text: string): boolean {
  const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } }
  return error?.code === status && typeof error.message === 'string'
}
