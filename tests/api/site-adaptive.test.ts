import { GitBookAPI, type SiteAdaptiveJSONSchema } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a site in the organization of the admin. */
async function newSite(): Promise<{ organizationId: string; siteId: string }> {
  const { api, organizationId } = octavo.admin
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Handbook' } })
  return { organizationId, siteId: site.id }
}

const claims = {
  isBeta: { type: 'boolean', description: 'Takes part in the beta' },
  plan: { type: 'string', enum: ['free', 'pro'], description: 'What they pay for' },
}

const schemaOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  additionalProperties: false,
})

test('a site has no schema until one is set, and setting it again replaces it', async () => {
  const { api } = octavo.admin
  const params = await newSite()
  expect(await refusal(api.getSiteAdaptiveSchema({ params }))).toBe('404')
  expect(await api.listSiteAdaptiveTemplateConditions({ params })).toEqual({ items: [] })
  expect((await api.getSiteById({ params })).adaptiveContent).toEqual({ enabled: false })

  const first = await api.updateSiteAdaptiveSchema({ params, body: { jsonSchema: schemaOf(claims) } })
  expect(first).toEqual({
    object: 'site-adaptive-schema',
    jsonSchema: schemaOf(claims),
    updatedAt: expect.stringMatching(/^2026-01-01T/) as string,
  })
  octavo.clock.advance(1000)
  const jsonSchema = schemaOf({ isBeta: { type: 'boolean' } })
  const second = await api.updateSiteAdaptiveSchema({ params, body: { jsonSchema } })
  expect(second.jsonSchema).toEqual(jsonSchema)
  expect(Date.parse(second.updatedAt) - Date.parse(first.updatedAt)).toBeGreaterThan(1000)
  expect(await api.getSiteAdaptiveSchema({ params })).toEqual(second)
  expect((await api.getSiteById({ params })).adaptiveContent.schemaUpdatedAt).toBe(second.updatedAt)
  expect(await api.listSiteAdaptiveTemplateConditions({ params })).toEqual({
    items: [
      { description: 'visitor.claims.isBeta: true', condition: 'visitor.claims.isBeta === true' },
      { description: 'visitor.claims.isBeta: false', condition: 'visitor.claims.isBeta === false' },
    ],
  })
})

test('rejects an invalid schema with the path of each error and changes nothing', async () => {
  const { api, token } = octavo.admin
  const params = await newSite()
  const before = await api.updateSiteAdaptiveSchema({ params, body: { jsonSchema: schemaOf(claims) } })
  const refused = (jsonSchema: Record<string, unknown>) =>
    refusal(api.updateSiteAdaptiveSchema({ params, body: { jsonSchema } }))

  expect(await refused(schemaOf({ x: { type: 'integer', description: '' }, y: { $ref: '#' } }))).toBe(
    '400 body.jsonSchema.properties.x.type body.jsonSchema.properties.y.type',
  )
  expect(await refused({ ...schemaOf({}), allOf: [] })).toBe('400 body.jsonSchema.allOf')
  expect(await refused(schemaOf(JSON.parse('{"__proto__":{"type":"boolean"}}') as Record<string, unknown>))).toBe(
    '400 body.jsonSchema.properties.__proto__',
  )
  // Deeper bodies are rejected before they are parsed.
  const levels = 120
  const deep = '{"type":"object","description":"","additionalProperties":false,"properties":{"a":'
  const path = `/v1/orgs/${params.organizationId}/sites/${params.siteId}/adaptive-schema`
  for (const body of [
    `{"jsonSchema":${deep.repeat(levels).replace('"description":"",', '')}null${'}}'.repeat(levels)}}`,
    '{"jsonSchema":[]}',
    '{"jsonSchema":null}',
    '{}',
  ]) {
    const reply = await octavo.fetch(path, { method: 'PUT', token, body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      error: { details: [{ path: expect.stringMatching(/^body\.jsonSchema/) as string }] },
    })
  }
  expect(await api.getSiteAdaptiveSchema({ params })).toEqual(before)
})

test('readers of a site can read its schema, and only creators can set it', async () => {
  const params = await newSite()
  const body = { jsonSchema: schemaOf(claims) }
  await octavo.admin.api.updateSiteAdaptiveSchema({ params, body })

  const [creator, reviewer, guest, stranger] = await Promise.all([
    octavo.member('create', 'Creator'),
    octavo.member('review', 'Reviewer'),
    octavo.member(null, 'Guest'),
    octavo.person('Stranger'),
  ])
  await creator.api.updateSiteAdaptiveSchema({ params, body })
  expect(await reviewer.api.getSiteAdaptiveSchema({ params })).toMatchObject(body)
  expect(await refusal(reviewer.api.updateSiteAdaptiveSchema({ params, body }))).toBe('403')
  for (const { api } of [guest, stranger]) {
    expect(await refusal(api.getSiteAdaptiveSchema({ params }))).toBe('404')
    expect(await refusal(api.updateSiteAdaptiveSchema({ params, body }))).toBe('404')
    expect(await refusal(api.listSiteAdaptiveTemplateConditions({ params }))).toBe('404')
  }
})

test('the official client can set a schema and list its template conditions', async () => {
  const { organizationId, siteId } = await newSite()
  const { orgs } = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const jsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
      company: {
        type: 'object',
        description: 'Company',
        properties: {
          seats: { type: 'number', description: 'Seats' },
          isPartner: { type: 'boolean', description: 'Partner' },
        },
        additionalProperties: false,
      },
      teams: { type: 'array', description: 'Teams', items: { type: 'string', description: 'A team' } },
      unsigned: {
        type: 'object',
        description: 'Unsigned claims of the site visitor.',
        properties: { 'code language': { type: 'string', enum: ["it's"], description: 'Language' } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  } as unknown as SiteAdaptiveJSONSchema

  await expect(orgs.getSiteAdaptiveSchema(organizationId, siteId)).rejects.toMatchObject({ code: 404 })
  const { data: set } = await orgs.updateSiteAdaptiveSchema(organizationId, siteId, { jsonSchema })
  expect(set).toMatchObject({ object: 'site-adaptive-schema', jsonSchema })
  expect((await orgs.getSiteAdaptiveSchema(organizationId, siteId)).data).toEqual(set)
  const { data } = await orgs.listSiteAdaptiveTemplateConditions(organizationId, siteId)
  expect(data.items.map(({ condition }) => condition)).toEqual([
    "visitor.claims.plan === 'free'",
    "visitor.claims.plan === 'pro'",
    'visitor.claims.company.isPartner === true',
    'visitor.claims.company.isPartner === false',
    String.raw`visitor.claims.unsigned['code language'] === 'it\'s'`,
  ])
})
