import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { editLive, emptySpace, insertPage, propose, updatePage } from '../support/content.ts'
import { spaceWith } from '../support/content-space.ts'
import { makeOrganization } from '../support/organization.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Props = Record<string, unknown>

const sourceOf = (spec: string, props: Props = {}) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})

const insertComputed = (spec: string, props: Props = {}, more: Record<string, unknown> = {}) => ({
  operation: 'insert_page',
  type: 'computed',
  computed: sourceOf(spec, props),
  ...more,
})

const operation = (summary: string, tags: string[], more: Record<string, unknown> = {}) => ({
  summary,
  tags,
  responses: { 200: { description: 'OK' } },
  ...more,
})

/** Returns a specification with two tags and three operations. */
const storeSpec = (paths: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  petSpec('Store', {
    tags: [{ name: 'pets', 'x-displayName': 'Pets and owners', description: 'All about *pets*.' }, { name: 'orders' }],
    paths: {
      '/pets': { get: operation('List pets', ['pets'], { operationId: 'listPets' }) },
      '/pets/{id}': { delete: operation('Remove a pet', ['pets']) },
      '/orders': { post: operation('Place an order', ['orders'], { operationId: 'placeOrder' }) },
      ...paths,
    },
    components: { schemas: { Pet: { type: 'object' } } },
    ...more,
  })

const put = (slug: string, document: unknown) => putSpec(octavo.admin, slug, { text: JSON.stringify(document) })

let specs = 0
/** Stores a specification under a new slug. */
async function addSpec(document: unknown): Promise<string> {
  const slug = `spec-${++specs}`
  await put(slug, document)
  return slug
}

function outlineOf(pages: readonly RevisionPage[]): string[] {
  return pages.flatMap((page) =>
    'path' in page ? [`${page.path}: ${page.title}`, ...outlineOf(page.pages)] : [`${page.type}: ${page.title}`],
  )
}

const readOutline = async (spaceId: string) =>
  outlineOf((await octavo.admin.api.listPages({ params: { spaceId } })).pages)

describe('a computed page', () => {
  test('is replaced by a page for each tag', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId, params } = await spaceWith(
      octavo.admin,
      insertPage('# First'),
      insertComputed(spec, { models: true, downloadLink: true }),
      insertPage('# Last'),
    )
    expect(await readOutline(spaceId)).toEqual([
      'first: First',
      'pets-and-owners: Pets and owners',
      'orders: orders',
      'models: Models',
      'last: Last',
    ])
    const page = await octavo.admin.api.getPageByPath({
      params: { ...params, pagePath: 'pets-and-owners' },
      query: { format: 'markdown', 'format.markdown.refs': 'stable' },
    })
    expect('markdown' in page && page.markdown).toBe(
      `# Pets and owners\n\nAll about _pets_.\n\n{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n[OpenAPI ${spec}](/openapi/${spec})\n{% endopenapi-operation %}\n\n{% openapi-operation spec="${spec}" path="/pets/{id}" method="delete" %}\n[OpenAPI ${spec}](/openapi/${spec})\n{% endopenapi-operation %}\n`,
    )
  })

  test('is replaced by a page for each operation', async () => {
    const spec = await addSpec(storeSpec({ '/status': { get: operation('Status', []) } }))
    const { spaceId } = await spaceWith(
      octavo.admin,
      insertPage('# Reference', { ref: 'reference' }),
      insertComputed(spec, { grouping: 'by-operation' }, { into: 'reference' }),
    )
    expect(await readOutline(spaceId)).toEqual([
      'reference: Reference',
      'reference/operations: Operations',
      'reference/operations/get-status: Status',
      'reference/pets-and-owners: Pets and owners',
      'reference/pets-and-owners/list-pets: List pets',
      'reference/pets-and-owners/delete-pets-id: Remove a pet',
      'reference/orders: orders',
      'reference/orders/place-order: Place an order',
    ])
    const { base } = await publishSpaces(octavo, [spaceId])
    const html = await (await fetch(`${base}reference/orders`)).text()
    expect(html).toMatch(/<b class="method method-post">POST<\/b>[^]*Place an order/)
    expect(html).toMatch(/<li>.*<a [^>]*href="[^"]*\/reference\/orders\/place-order"[^>]*>Place an order<\/a>/)
  })

  test('at the top level is replaced by groups of tags, elsewhere by their tags', async () => {
    const spec = await addSpec(storeSpec({}, { 'x-tagGroups': [{ name: 'Sales', tags: ['orders'] }] }))
    const { spaceId } = await spaceWith(octavo.admin, insertComputed(spec))
    expect(await readOutline(spaceId)).toEqual([
      'pets-and-owners: Pets and owners',
      'sales: Sales',
      'sales/orders: orders',
    ])
    const group = { operation: 'insert_group', title: 'API', ref: 'api' }
    const { spaceId: other } = await spaceWith(octavo.admin, group, insertComputed(spec, {}, { into: 'api' }))
    expect(await readOutline(other)).toEqual(['api: API', 'api/orders: orders', 'api/pets-and-owners: Pets and owners'])
  })

  test('is returned as declared with computed=false', async () => {
    const spec = await addSpec(storeSpec())
    const { params, pages } = await spaceWith(octavo.admin, insertComputed(spec, { models: true }))
    const { api } = octavo.admin
    const declared = await api.listPages({ params, query: { computed: 'false' } })
    expect(declared.pages).toMatchObject([
      { id: pages[0], type: 'computed', computed: sourceOf(spec, { models: true }) },
    ])
    const { pages: generated } = await api.getCurrentRevision({ params })
    expect(generated.map(({ type }) => type)).toEqual(['document', 'document', 'document'])
    expect((await api.listPages({ params })).pages.map(({ id }) => id)).toEqual(generated.map(({ id }) => id))
  })

  test('has a link to a public document only', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId, params } = await spaceWith(octavo.admin, insertComputed(spec, { downloadLink: true }))
    expect(await readOutline(spaceId)).not.toContain('link: OpenAPI specification')
    const at = { organizationId: octavo.admin.organizationId, specSlug: spec }
    await octavo.admin.api.updateOpenApiSpecBySlug({ params: at, body: { visibility: 'public' } })
    await waitUntil(async () => (await readOutline(spaceId)).includes('link: OpenAPI specification'), 'the link')
    const { pages } = await octavo.admin.api.listPages({ params })
    expect(pages.at(-1)).toMatchObject({ type: 'link', target: { kind: 'openapi', spec } })
    const { base } = await publishSpaces(octavo, [spaceId])
    const [, href = ''] = /href="([^"]+\/openapi\/[^"]+)"/.exec(await (await fetch(base)).text()) ?? []
    expect(await (await fetch(new URL(href, base))).json()).toEqual(storeSpec())
  })

  test('generates nothing from a specification that does not exist, and pages once it does', async () => {
    const spec = `later-${++specs}`
    const { spaceId, pages } = await spaceWith(octavo.admin, insertPage('# Only'), insertComputed(spec))
    expect(await readOutline(spaceId)).toEqual(['only: Only'])
    await put(spec, storeSpec())
    expect(await readOutline(spaceId)).toEqual(['only: Only', 'pets-and-owners: Pets and owners', 'orders: orders'])
    const at = { organizationId: octavo.admin.organizationId, specSlug: spec }
    await octavo.admin.api.deleteOpenApiSpecBySlug({ params: at })
    await waitUntil(async () => (await readOutline(spaceId)).length === 1, 'the removal of the generated pages')
    await editLive(
      octavo.admin,
      spaceId,
      updatePage(pages[1] ?? '', { computed: sourceOf(await addSpec(storeSpec())) }),
    )
    expect(await readOutline(spaceId)).toContain('orders: orders')
  })

  test('keeps the IDs of pages when the specification changes', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId, params } = await spaceWith(octavo.admin, insertComputed(spec, { grouping: 'by-operation' }))
    const idsByTitle = async () => {
      const ids = new Map<string, string>()
      const visit = (pages: readonly RevisionPage[]): void => {
        for (const page of pages) {
          ids.set(page.title, page.id)
          if ('pages' in page) visit(page.pages)
        }
      }
      visit((await octavo.admin.api.listPages({ params })).pages)
      return ids
    }
    const before = await idsByTitle()
    await put(spec, storeSpec({ '/pets': { get: operation('Find pets', ['orders'], { operationId: 'findPets' }) } }))
    expect(await readOutline(spaceId)).toContain('orders/find-pets: Find pets')
    const after = await idsByTitle()
    expect(after.get('Find pets')).toBe(before.get('List pets'))
    expect(after.get('orders')).toBe(before.get('orders'))
  })

  test('shows its pages in change requests with the current specification', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId } = await spaceWith(octavo.admin, insertPage('# Only'))
    const { params, edit } = await propose(octavo.admin, spaceId)
    await edit(insertComputed(spec))
    const readRequest = async () => outlineOf((await octavo.admin.api.listPagesInChangeRequest({ params })).pages)
    expect(await readRequest()).toContain('orders: orders')
    await octavo.admin.api.mergeChangeRequest({ params })
    expect(await readOutline(spaceId)).toContain('orders: orders')
  })

  test.each([
    [{ computed: undefined }],
    [{ computed: { ...sourceOf('x'), type: 'builtin:other' } }],
    [{ computed: sourceOf('x', { doc: 'models' }) }],
    [{ computed: sourceOf('x', { grouping: 'by-color' }) }],
    [{ document: { markdown: 'Text' } }],
    [{ type: 'document' }],
  ])('is refused with %j', async (more) => {
    const spaceId = await emptySpace(octavo.admin)
    await expect(editLive(octavo.admin, spaceId, insertComputed('x', {}, more))).rejects.toMatchObject({ status: 400 })
  })

  test('does not use specifications of other organizations', async () => {
    const spec = await addSpec(storeSpec())
    const { owner, space } = await makeOrganization(octavo)
    const { id: spaceId } = await space('Other')
    await editLive(owner, spaceId, insertComputed(spec))
    const { pages } = await owner.api.listPages({ params: { spaceId } })
    expect(pages.map(({ title }) => title)).toEqual(['Welcome'])
  })
})

describe('computing without storing', () => {
  test('returns pages and documents of a source', async () => {
    const spec = await addSpec(storeSpec())
    const { params } = await spaceWith(octavo.admin)
    const { api } = octavo.admin
    const source = sourceOf(spec, { grouping: 'by-operation' }) as never
    const { pages, files } = await api.getComputedRevision({ params, body: { source, seed: 'seed' } })
    expect([outlineOf(pages), files]).toEqual([
      [
        'pets-and-owners: Pets and owners',
        'pets-and-owners/list-pets: List pets',
        'pets-and-owners/delete-pets-id: Remove a pet',
        'orders: orders',
        'orders/place-order: Place an order',
      ],
      [],
    ])
    const [tag] = pages
    if (tag?.type !== 'document' || !tag.computed) throw new Error('The page has no source')
    expect(tag.documentId).toBeUndefined()
    const computed = { source: tag.computed as never, seed: tag.computedSeed ?? '' }
    const document = await api.getComputedDocument({ params, body: computed })
    expect(document.nodes.map(({ type }) => type)).toEqual(['paragraph', 'openapi-operation', 'openapi-operation'])
    expect((await api.listPages({ params })).pages).toEqual([])
  })

  test('fails for missing specifications, tags and operations', async () => {
    const spec = await addSpec(storeSpec())
    const { params } = await spaceWith(octavo.admin)
    const compute = (name: string, props: Props) =>
      refusal(
        octavo.admin.api.getComputedDocument({ params, body: { source: sourceOf(name, props) as never, seed: 's' } }),
      )
    expect(await compute('missing', { doc: 'models' })).toBe('404')
    expect(await compute(spec, { doc: 'tag', page: 'missing' })).toBe('404')
    expect(await compute(spec, { doc: 'operation', page: '/pets', method: 'patch' })).toBe('404')
    expect(await compute(spec, { grouping: 'by-tag' })).toMatch(/^400 /)
  })
})

const operationsIn = (markdown = '') => Array.from(markdown.matchAll(/path="([^"]+)"/g), ([, path]) => path)

describe('a page with a document and a source', () => {
  test('keeps its text before and after operations, and shows the rest at the end', async () => {
    const spec = await addSpec(storeSpec())
    const block = `{% openapi-operation spec="${spec}" path="/pets/{id}" method="delete" %}\n[OpenAPI](/openapi/${spec})\n{% endopenapi-operation %}`
    const { page, read } = await spaceWith(
      octavo.admin,
      insertPage(`# Pets\n\nBefore.\n\n${block}\n\nAfter.`, { computed: sourceOf(spec, { doc: 'tag', page: 'pets' }) }),
    )
    const { markdown } = await read(page(0))
    expect(operationsIn(markdown)).toEqual(['/pets/{id}', '/pets'])
    expect(markdown).toMatch(/^# Pets\n\nBefore\.\n\n\{% openapi-operation [^]*\n\nAfter\.\n\nAll about/)
    await put(spec, petSpec('Store', { tags: [], paths: {} }))
    expect(operationsIn((await read(page(0))).markdown)).toEqual(['/pets/{id}'])
    expect((await read(page(0))).markdown).toContain('After.')
  })

  test('has generated pages below it, also with front matter', async () => {
    const spec = await addSpec(storeSpec())
    const yaml = `computed:\n  type: builtin:openapi\n  props:\n    models: false\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: ${spec}`
    const { spaceId } = await spaceWith(octavo.admin, insertPage(`---\n${yaml}\n---\n\n# Reference\n\nIntroduction.`))
    expect(await readOutline(spaceId)).toEqual([
      'reference: Reference',
      'reference/pets-and-owners: Pets and owners',
      'reference/orders: orders',
    ])
  })
})

const open = (url: string) => fetch(url, { redirect: 'manual' })
const text = async (url: string) => (await open(url)).text()

test('edits keep what was generated', async () => {
  const spec = await addSpec(storeSpec())
  const { spaceId, pages, page, edit, read } = await spaceWith(
    octavo.admin,
    insertPage('# First'),
    insertComputed(spec),
    insertPage('# Pets', { computed: sourceOf(spec, { doc: 'tag', page: 'pets' }) }),
  )
  const outline = await readOutline(spaceId)
  const { markdown } = await read(page(2))
  await edit(updatePage(page(0), { title: 'Begin' }))
  expect(await readOutline(spaceId)).toEqual(outline.map((line) => line.replace('First', 'Begin')))
  expect((await read(page(2))).markdown).toBe(markdown)
  await edit(updatePage(page(2), { document: { markdown: 'Written' } }))
  expect((await read(page(2))).markdown).toMatch(/Written\n\nAll about/)
  await edit({ operation: 'delete_page', page: pages[1] })
  expect(await readOutline(spaceId)).toEqual(['first: Begin', 'pets: Pets'])
})

describe('generated pages on a site', () => {
  test('are in the navigation, the sitemap, llms.txt and Markdown', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId } = await spaceWith(octavo.admin, insertPage('# First'), insertComputed(spec))
    const { base } = await publishSpaces(octavo, [spaceId])
    expect(await text(base)).toContain('>Pets and owners<')
    expect((await open(`${base}pets-and-owners`)).status).toBe(200)
    for (const name of ['sitemap-pages.xml', 'llms.txt']) expect(await text(base + name)).toContain('pets-and-owners')
    expect(await text(`${base}pets-and-owners.md`)).toContain('All about _pets_')
  })

  test('are live with the next request after a new version, and former addresses redirect', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId } = await spaceWith(
      octavo.admin,
      insertPage('# First'),
      insertComputed(spec, { grouping: 'by-operation' }),
    )
    const { base } = await publishSpaces(octavo, [spaceId])
    expect(await text(base)).not.toContain('>Find pets<')
    expect((await open(`${base}pets-and-owners/list-pets`)).status).toBe(200)
    await put(spec, storeSpec({ '/pets': { get: operation('Find pets', ['orders'], { operationId: 'findPets' }) } }))
    expect((await open(`${base}orders/find-pets`)).status).toBe(200)
    const moved = await open(`${base}pets-and-owners/list-pets`)
    expect([moved.status, moved.headers.get('location')]).toEqual([307, `${base}orders/find-pets`])
    await put(spec, storeSpec({ '/pets': { get: operation('Get pets', ['pets'], { operationId: 'getPets' }) } }))
    for (const path of ['pets-and-owners/list-pets', 'orders/find-pets'])
      expect((await open(base + path)).headers.get('location')).toContain('/pets-and-owners/get-pets')
  })

  test('are hidden by the condition of the computed page', async () => {
    const spec = await addSpec(storeSpec())
    const { spaceId } = await spaceWith(
      octavo.admin,
      insertPage('# First'),
      insertComputed(spec, {}, { condition: 'visitor.claims.isBeta' }),
    )
    const { base } = await publishSpaces(octavo, [spaceId])
    expect((await open(`${base}orders`)).status).toBe(404)
    expect(await text(`${base}llms.txt`)).not.toContain('orders')
  })
})

/** Returns a specification with a word in a parameter. */
const specAbout = (word: string) =>
  storeSpec({
    '/pets': {
      get: operation('List pets', ['pets'], {
        parameters: [{ name: `${word}Filter`, in: 'query', description: `Limits the ${word} of the list` }],
      }),
    },
  })

test('search finds the text of operations on generated and written pages, also of new versions', async () => {
  const spec = await addSpec(specAbout('zebra'))
  const block = `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n[x](/openapi/${spec})\n{% endopenapi-operation %}`
  const { spaceId, params } = await spaceWith(octavo.admin, insertComputed(spec), insertPage(`# Written\n\n${block}`))
  await waitUntilSearchable(octavo, spaceId)
  const search = async (query: string) => {
    const { items } = await octavo.admin.api.searchSpaceContent({ params, query: { query } })
    return items.map(({ title }) => title).sort()
  }
  expect(await search('zebra')).toEqual(['Pets and owners', 'Written'])
  expect(await search('zebrafilter')).toEqual(['Pets and owners', 'Written'])
  await put(spec, specAbout('walrus'))
  await waitUntil(async () => (await search('walrus')).length === 2, 'the new version is indexed')
  expect(await search('zebra')).toEqual([])
})
