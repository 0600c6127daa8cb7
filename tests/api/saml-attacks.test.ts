import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { SamlProvider } from '../../src/contract/saml.ts'
import { hours, minutes, seconds } from '../../src/kernel/time.ts'
import { buildRedirectUrl } from '../../src/saml/redirect-binding.ts'
import { startServer } from '../../src/server/server.ts'
import { createLog } from '../../src/kernel/log.ts'
import { testOn } from '../support/engine.ts'
import { IdentityProvider, type ResponseOptions, algorithms, encode } from '../support/identity-provider.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { addProvider, postResponse, startSaml } from '../support/saml.ts'
import { garbage, manipulations, wrappings } from '../support/saml-attacks.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser } from '../support/sign-in.ts'

let octavo: TestServer
let acme: TestOrganization
let provider: SamlProvider
const okta = new IdentityProvider('okta')
const stranger = new IdentityProvider('stranger')
beforeAll(async () => {
  octavo = await startTestServer()
  acme = await makeOrganization(octavo)
  provider = await addProvider(acme, okta)
})
afterAll(() => octavo.stop())
// Requests are counted per minute.
beforeEach(() => octavo.clock.advance(minutes(1)))

const nameID = 'mallory@acme.example'

/** Returns the options of a response to a new request. */
async function newResponse(): Promise<ResponseOptions> {
  const inResponseTo = await startSaml(new FormBrowser(octavo.url), provider)
  return { nameID, now: octavo.clock.now(), inResponseTo }
}

/** Sends a response and returns the problem on the error page; fails if the response is accepted or an account is made. */
async function refuse(encoded: string, target = provider): Promise<string> {
  const reply = await postResponse(target, encoded)
  const html = await reply.text()
  expect([reply.status, reply.headers.get('location'), reply.headers.getSetCookie()]).toEqual([400, null, []])
  const { count } = await acme.owner.api.listMembersInOrganizationById({ params: acme.params, query: {} })
  expect(count).toBe(1)
  return /<\/h1><p>([^<]*)<\/p>/.exec(html)?.[1] ?? ''
}

describe('A wrapped signature is refused', () => {
  test.each(Object.entries(wrappings))('%s', async (name, attack) => {
    const signsResponse = name.startsWith('XSW1:') || name.startsWith('XSW2:')
    const xml = okta.respondXml(provider.service, {
      ...(await newResponse()),
      signsResponse,
      signsAssertion: !signsResponse,
    })
    const attacked = attack(xml)
    expect(attacked).toContain('ceo@')
    expect(await refuse(encode(attacked))).toMatch(/signature|assertion|ID/)
  })
})

describe('A manipulated response is refused', () => {
  test.each(Object.entries(manipulations))('%s', async (_, attack) => {
    const xml = okta.respondXml(provider.service, await newResponse())
    const attacked = attack(xml)
    expect(attacked).not.toBe(xml)
    await refuse(encode(attacked))
  })
})

describe('Garbage is refused', () => {
  test.each(Object.entries(garbage))('%s', async (_, encoded) => {
    await refuse(encoded)
  })

  test.each([
    ['a message that cannot be read', 'garbage', 'not well-formed'],
    ['a zip bomb', 'x'.repeat(5_000_000), 'too large'],
    ['a document type', '<!DOCTYPE x><x/>', 'document type'],
    ['another message', '<x/>', 'is not a LogoutRequest'],
  ])('in a signed logout request: %s', async (_, xml, problem) => {
    const target = `${octavo.url}/saml/${provider.id}/logout`
    const reply = await fetch(buildRedirectUrl(target, { parameter: 'SAMLRequest', xml }, okta.privateKey))
    expect([reply.status, (await reply.text()).includes(problem)]).toEqual([400, true])
  })

  test.each(['<x/>', encode('<x/>'), deflateRawSync('<x/>').toString('base64')])(
    'in an unsigned logout request: %s',
    async (message) => {
      const query = new URLSearchParams({ SAMLRequest: message, SigAlg: algorithms.rsaSha256, Signature: 'AAAA' })
      expect((await octavo.fetch(`/saml/${provider.id}/logout?${query.toString()}`)).status).toBe(400)
    },
  )
})

describe('A response with other values is refused', () => {
  const cases: [string, Partial<ResponseOptions>, string][] = [
    ['another audience', { audience: 'https://other.example/metadata' }, 'audience'],
    ['another recipient', { recipient: 'https://other.example/acs' }, 'Recipient'],
    ['another destination', { destination: 'https://other.example/acs' }, 'Destination'],
    ['another issuer', { issuer: 'https://stranger.example/metadata' }, 'issuer'],
    ['another request in the assertion', { subjectInResponseTo: '_other' }, 'different requests'],
    ['no request', { inResponseTo: undefined }, 'Open the start link'],
    ['an unknown request', { inResponseTo: '_unknown' }, 'pending sign-in'],
    ['no signature of the assertion', { signsAssertion: false, signsResponse: true }, 'not signed'],
    ['a signature with SHA-1', { signatureAlgorithm: algorithms.rsaSha1 }, 'not accepted'],
    ['a digest with SHA-1', { digestAlgorithm: algorithms.sha1 }, 'not accepted'],
    ['an HMAC with the certificate as its secret', { signatureAlgorithm: algorithms.hmacSha1 }, 'not accepted'],
  ]
  test.each(cases)('%s', async (_, changes, problem) => {
    expect(await refuse(okta.respond(provider.service, { ...(await newResponse()), ...changes }))).toContain(problem)
  })

  test('expired, not yet valid, or valid for too long; a minute of clock skew is accepted', async () => {
    const respond = async (from: number, until: number) => {
      const response = await newResponse()
      const period = { notBefore: response.now + from, notOnOrAfter: response.now + until }
      return okta.respond(provider.service, { ...response, ...period })
    }
    expect(await refuse(await respond(-hours(1), -seconds(61)))).toContain('has expired')
    expect(await refuse(await respond(seconds(62), minutes(5)))).toContain('not valid yet')
    expect(await refuse(await respond(-minutes(1), hours(25)))).toContain('valid for too long')
    expect((await postResponse(provider, await respond(-hours(1), -seconds(50)))).status).toBe(303)
    expect((await postResponse(provider, await respond(seconds(50), minutes(5)))).status).toBe(303)
  })
})

const stated = (text: string): string => /<ds:X509Certificate>[^<]*/.exec(text)?.[0] ?? ''

describe('A key is refused', () => {
  test('of another identity provider', async () => {
    const response = { ...(await newResponse()), issuer: okta.entityID }
    expect(await refuse(stranger.respond(provider.service, response))).toContain('certificate that is not configured')
    // Also if the signature does not state its certificate.
    const xml = stranger.respondXml(provider.service, response).replace(/<ds:KeyInfo>[^]*?<\/ds:KeyInfo>/, '')
    expect(await refuse(encode(xml))).toContain('signature is not valid')
    // Or states the trusted one.
    const signed = stranger.respondXml(provider.service, response)
    const trusted = stated(okta.respondXml(provider.service, response))
    expect(await refuse(encode(signed.replace(stated(signed), trusted)))).toContain('signature is not valid')
  })

  test('of another organization', async () => {
    const evil = await makeOrganization(octavo, 'Evil')
    const theirs = await addProvider(evil, stranger)
    // The provider of another organization answers a request of this one.
    const response = await newResponse()
    await refuse(stranger.respond(provider.service, response))
    await refuse(stranger.respond(theirs.service, response))
    expect(await refuse(stranger.respond(theirs.service, response), theirs)).toContain('pending sign-in')
  })

  test('that was replaced, while both keys of a rollover are accepted', async () => {
    const next = new IdentityProvider('okta')
    const params = { ...acme.params, samlProviderId: provider.id }
    const update = (certificate: string) =>
      acme.owner.api.updateOrganizationSamlProvider({ params, body: { certificate } })
    await update(okta.certificate + next.certificate)
    for (const issuer of [okta, next]) {
      const reply = await postResponse(provider, issuer.respond(provider.service, await newResponse()))
      expect(reply.status).toBe(303)
    }
    await update(next.certificate)
    await refuse(okta.respond(provider.service, await newResponse()))
    await update(okta.certificate)
  })
})

describe('A response is accepted once', () => {
  test('and refused when it is sent again, also for another request', async () => {
    const encoded = okta.respond(provider.service, { ...(await newResponse()), signsResponse: true })
    expect((await postResponse(provider, encoded)).status).toBe(303)
    expect(await refuse(encoded)).toContain('used before')
    const assertionId = '_reused'
    const respond = async () => okta.respond(provider.service, { ...(await newResponse()), assertionId })
    expect((await postResponse(provider, await respond())).status).toBe(303)
    expect(await refuse(await respond())).toContain('used before')
  })

  test('and only one of many concurrent ones succeeds', async () => {
    const encoded = okta.respond(provider.service, await newResponse())
    const replies = await Promise.all(Array.from({ length: 8 }, () => postResponse(provider, encoded)))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, ...Array.from({ length: 7 }, () => 400)])
  })
})

// Only PostgreSQL can be shared by several servers.
testOn('postgres')('a response that one server accepted is refused by another one', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'octavo-second-'))
  const config = { ...octavo.server.app.config, dataFolder, url: octavo.url, trustedProxies: 1 }
  const log = createLog({ level: 'silent', format: 'json' })
  const second = await startServer(config, { clock: octavo.clock.now, log })
  onTestFinished(async () => {
    await second.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const encoded = okta.respond(provider.service, await newResponse())
  const host = new URL(octavo.url).host
  const post = (base: string) =>
    fetch(`${base}/saml/${provider.id}/acs`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-host': host },
      body: new URLSearchParams({ SAMLResponse: encoded }).toString(),
    })
  const servers = [octavo.url, second.address as string]
  const replies = await Promise.all([...servers, ...servers].map(post))
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400])
})

test('a response with a strong algorithm and both signatures is accepted', async () => {
  const strong = { signatureAlgorithm: algorithms.rsaSha512, digestAlgorithm: algorithms.sha512, signsResponse: true }
  const reply = await postResponse(provider, okta.respond(provider.service, { ...(await newResponse()), ...strong }))
  expect(reply.status).toBe(303)
})

test('too many requests from one network are refused', async () => {
  octavo.clock.advance(minutes(2))
  const statuses: number[] = []
  for (let index = 0; index < 305; index++) statuses.push((await postResponse(provider, 'x')).status)
  expect([statuses.filter((status) => status === 400).length, statuses.at(-1)]).toEqual([300, 429])
})
