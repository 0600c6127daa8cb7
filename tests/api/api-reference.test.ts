import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function open(path: string): Promise<string> {
  const reply = await octavo.fetch(path)
  expect([path, reply.status]).toEqual([path, 200])
  return reply.text()
}

const readable = (html: string): string =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('\u200b', '').replace(/\s+/g, ' ')

/** Returns the text of a page with its tags replaced by spaces. */
const words = (html: string): string => readable(html.replace(/<[^>]*>/g, ' '))

/** Returns the text of a page with its tags removed, because syntax highlighting splits code into elements. */
const letters = (html: string): string => readable(html.replace(/<[^>]*>/g, ''))

test('the overview lists every operation of the OpenAPI document with its own anchor', async () => {
  const document = (await (await octavo.fetch('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  expect(operations.length).toBeGreaterThan(200)
  const overview = await open('/docs/api')
  for (const { operationId } of operations) {
    expect(overview).toContain(`<li id="${operationId}"><a href="/docs/api/${operationId}">`)
  }
})

test('the page of an operation shows its access, parameters, responses and code samples', async () => {
  const html = await open('/docs/api/createOrganizationTeam')
  const shown = words(html)
  expect(html).toContain('<h1 class="page-title">Create a team</h1>')
  expect(shown).toContain('PUT /v1 /orgs/ {organizationId} /teams')
  expect(shown).toContain('Access The role admin in the organization')
  expect(shown).toContain('Scope organization:members:write')
  expect(shown).toContain('organizationId string required')
  expect(shown).toContain('title string required not empty at most 64 characters')
  expect(shown).toContain('201 Created')
  expect(shown).toContain('404 The resource does not exist, or the caller cannot see it Error')
  expect(letters(html)).toContain(`curl -X PUT "${octavo.url}/v1/orgs/organization_123/teams"`)
  expect(letters(html)).toContain(
    "const { data } = await client.orgs.createOrganizationTeam(organizationId, { title: 'Example team' })",
  )
  expect(letters(html)).toContain('"object": "team"')
  for (const id of ['path', 'body', 'responses']) expect(html).toContain(`<h2 class="part-title" id="${id}">`)
  expect(html).toContain('id="body.title"')
  for (const language of ['JavaScript', 'Python', 'Go', 'Java', 'C#', 'PHP', 'Ruby'])
    expect(html).toContain(`data-tab="${language}"`)
})

test('reference pages have a content security policy, return 304 for a known ETag and use immutable assets', async () => {
  const reply = await octavo.fetch('/docs/api/getSpaceById')
  const policy = reply.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'; object-src 'none'; ")
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'")
  const etag = reply.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  // The first reply may lack syntax highlighting, so the ETag can change once.
  const again = await waitUntil(async () => {
    const known = (await octavo.fetch('/docs/api/getSpaceById')).headers.get('etag') ?? ''
    const next = await octavo.fetch('/docs/api/getSpaceById', { headers: { 'if-none-match': known } })
    return next.status === 304 && next
  }, 'the page stays the same')
  expect(await again.text()).toBe('')
  const html = await reply.text()
  for (const [, address = ''] of html.matchAll(/(?:href|src)="(\/~assets\/[^"]+)"/g)) {
    const asset = await octavo.fetch(address)
    expect([address, asset.status]).toEqual([address, 200])
    expect(asset.headers.get('cache-control')).toContain('immutable')
  }
})

test('the reference returns 404 for unknown pages and redirects a URL with a trailing slash', async () => {
  for (const path of [
    '/docs/api/nowhere',
    '/docs/api/schemas/nowhere',
    '/docs/api/schemas/constructor',
    '/docs/api/__proto__',
    '/docs/api/%E0%A4%A',
  ]) {
    expect([path, (await octavo.fetch(path)).status]).toEqual([path, 404])
  }
  const reply = await octavo.fetch('/docs/api/teams/', { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([307, '/docs/api/teams'])
  expect((await octavo.fetch('/docs/api', { method: 'POST' })).status).toBe(404)
})
