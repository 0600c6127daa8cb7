import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, updatePage } from '../support/content.ts'
import { inlineFile } from '../support/files.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken, visit } from '../support/visits.ts'

// API reads with the token of a visitor return only the content that the visitor may see.

let octavo: TestServer
let world: Awaited<ReturnType<typeof makeWorld>>
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeWorld()
})
afterAll(() => octavo.stop())

const file = (id: string) => `{% file src="/files/${id}" %}`
const forPro = "visitor.claims.plan == 'pro'"

async function makeWorld() {
  const { admin } = octavo
  const { api, organizationId } = admin
  const spaceId = await emptySpace(admin, 'Manual')
  const files = await api.updateSpaceContent({
    params: { spaceId },
    body: {
      changes: [
        {
          operation: 'insert_files',
          files: [
            inlineFile('open.txt', 'for all'),
            inlineFile('pro.txt', 'for pro'),
            inlineFile('unused.txt', 'for nobody'),
          ],
        },
      ],
    },
  })
  const [open, pro, unused] = (files.insertedFiles ?? []).map(({ id }) => id) as [string, string, string]
  const secret = `{% if ${forPro} %}\nSecret words\n\n${file(pro)}\n{% endif %}`
  const [home = '', parent = '', hidden = ''] = await editLive(
    admin,
    spaceId,
    insertPage(`# Home\n\nWelcome\n\n${file(open)}\n\n${secret}`),
    insertPage('# For pro\n\nProfessional words', { condition: forPro }),
    insertPage('# Hidden\n\nAside', { hidden: true }),
  )
  const [child = ''] = await editLive(admin, spaceId, insertPage('# Below\n\nDeep words', { into: parent }))
  await editLive(admin, spaceId, {
    operation: 'insert_reusable_content',
    title: 'Reused',
    document: { markdown: 'Reused words' },
  })
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Visits', spaces: [spaceId] } })
  const params = { organizationId, siteId: site.id }
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  const address = (await api.publishSite({ params })).urls.published ?? ''
  const free = await visit(octavo, address)
  const paying = await visit(octavo, address, { jwtToken: await signVisitorToken(octavo, params, { plan: 'pro' }) })
  const revisionId = (await api.getSpaceById({ params: { spaceId }, query: {} })).revision
  return { params, spaceId, revisionId, home, parent, child, hidden, files: { open, pro, unused }, free, paying }
}

interface Titled {
  title: string
  pages?: Titled[]
}
const titlesOf = (pages: readonly Titled[]): string[] =>
  pages.flatMap(({ title, pages: below = [] }) => [title, ...titlesOf(below)])

test('every operation that returns pages contains only those visible to the visitor', async () => {
  const { spaceId, revisionId, free, paying } = world
  const params = { spaceId, revisionId }
  for (const [{ api }, titles] of [
    [free, ['Home', 'Hidden']],
    [paying, ['Home', 'For pro', 'Below', 'Hidden']],
  ] as const) {
    const ways = await Promise.all([
      api.getRevisionById({ params, query: {} }),
      api.getCurrentRevision({ params, query: {} }),
      api.listPages({ params, query: {} }),
      api.listPagesInRevisionById({ params, query: {} }),
    ])
    for (const { pages } of ways) expect(titlesOf(pages as Titled[])).toEqual(titles)
  }
})

test('returns 404 for a page whose condition fails, and for its descendants', async () => {
  const { spaceId, revisionId, free, paying, parent, child, hidden } = world
  for (const pageId of [parent, child]) {
    const params = { spaceId, revisionId, pageId }
    const reads = (api: typeof free.api) => [
      api.getPageById({ params, query: { format: 'markdown' } }),
      api.getPageInRevisionById({ params, query: {} }),
      api.getPageDocumentInRevisionById({ params, query: {} }),
      api.listSpacePageMetaLinks({ params }),
      api.listRevisionPageMetaLinks({ params }),
      api.getPageByPath({
        params: { ...params, pagePath: pageId === parent ? 'for-pro' : 'for-pro/below' },
        query: {},
      }),
    ]
    expect(new Set(await Promise.all(reads(free.api).map(refusal)))).toEqual(new Set(['404']))
    expect(new Set(await Promise.all(reads(paying.api).map(refusal)))).toEqual(new Set(['was not refused']))
  }
  const page = await free.api.getPageById({ params: { spaceId, pageId: hidden }, query: {} })
  expect(page.title).toBe('Hidden')
})

test('documents contain only content visible to the visitor, for every value of `evaluated`', async () => {
  const { spaceId, revisionId, home, free, paying } = world
  const params = { spaceId, revisionId, pageId: home }
  for (const evaluated of ['true', 'false', 'deterministic-only'] as const) {
    const texts = async ({ api }: typeof free) => {
      const page = await api.getPageById({ params, query: { format: 'markdown', evaluated } })
      const document = await api.getPageDocumentInRevisionById({ params, query: { evaluated } })
      return `${JSON.stringify(page)} ${JSON.stringify(document)}`
    }
    expect(await texts(free)).not.toContain('Secret words')
    expect(await texts(free)).toContain('Welcome')
    expect((await texts(paying)).split('Secret words')).toHaveLength(3)
  }
})

test('lists only files that are used on pages visible to the visitor', async () => {
  const { spaceId, revisionId, free, paying, files } = world
  const listed = async ({ api }: typeof free) =>
    (await api.getRevisionById({ params: { spaceId, revisionId }, query: {} })).files.map(({ id }) => id).toSorted()
  expect(await listed(free)).toEqual([files.open])
  expect(await listed(paying)).toEqual([files.open, files.pro].toSorted())
})

test('visitors read only the live revision, without authors, history or reusable contents', async () => {
  const { spaceId, revisionId, home, free } = world
  const { api } = octavo.admin
  const revision = await free.api.getRevisionById({ params: { spaceId, revisionId }, query: {} })
  expect(revision).toMatchObject({ type: 'edits', reusableContents: [] })
  expect(revision).not.toHaveProperty('createdBy')
  expect(revision).not.toHaveProperty('git')
  const space = await free.api.getSpaceById({ params: { spaceId }, query: {} })
  expect(space).toMatchObject({ changeRequests: 0, mergeRules: { type: 'inherit' } })
  expect(await refusal(free.api.listRevisions({ params: { spaceId }, query: {} }))).toBe('403')
  await editLive(octavo.admin, spaceId, updatePage(home, { title: 'New home' }))
  expect(await refusal(free.api.getRevisionById({ params: { spaceId, revisionId }, query: {} }))).toBe('404')
  const current = (await api.getSpaceById({ params: { spaceId }, query: {} })).revision
  const now = await free.api.getRevisionById({ params: { spaceId, revisionId: current }, query: {} })
  expect(now.pages[0]?.title).toBe('New home')
})

test('replies to visitors with different claims have different ETags', async () => {
  const { spaceId, free, paying } = world
  const tagFor = async (token: string) =>
    (await octavo.fetch(`/v1/spaces/${spaceId}/content/pages`, { token })).headers.get('etag')
  expect(await tagFor(free.apiToken)).not.toBe(await tagFor(paying.apiToken))
  expect(await tagFor(free.apiToken)).toBe(await tagFor(free.apiToken))
})
