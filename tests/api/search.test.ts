import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable, makeSearchableSpace, searchSnippets, searchTitles } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a space with these pages and waits until it is indexed. */
async function spaceWith(...changes: Change[]) {
  const { spaceId, pages } = await makeSearchableSpace(octavo, ...changes)
  return {
    spaceId,
    pages,
    edit: async (...more: Change[]) => {
      const made = await editLive(octavo.admin, spaceId, ...more)
      await waitUntilSearchable(octavo, spaceId)
      return made
    },
    found: (query: string) => searchTitles(octavo.admin, spaceId, query),
    search: (query: object) => octavo.admin.api.searchSpaceContent({ params: { spaceId }, query }),
  }
}

test('ranks matches in the title first, then headings, then descriptions and text', async () => {
  const { found } = await spaceWith(
    insertPage(`# Body\n\n${'What webhooks do, and webhooks again. '.repeat(20)}`),
    insertPage('# Described\n\nSomething', { description: 'All about webhooks' }),
    insertPage('# Headed\n\nText\n\n## Webhooks and more\n\nText'),
    insertPage('# Guide to webhooks\n\nText'),
    insertPage('# Webhooks\n\nText'),
    insertPage('# Another\n\nNothing of that'),
  )
  const titles = await found('webhooks')
  expect(titles.slice(0, 3)).toEqual(['Webhooks', 'Guide to webhooks', 'Headed'])
  expect(titles.slice(3).sort()).toEqual(['Body', 'Described'])
})

test('a result contains the path, ancestors, description and matching sections of a page', async () => {
  const { spaceId, search, edit } = await spaceWith(insertPage('# Guides', { description: 'How to' }))
  const { items: parents } = await search({ query: 'guides' })
  const parent = parents[0]?.id ?? ''
  const text = '# Install\n\nGet the package first.\n\n## On Linux\n\nUnpack the archive, then run the script.'
  const [page] = await edit(insertPage(text, { into: parent, description: 'In five minutes' }))
  const { items, count, next } = await search({ query: 'archive' })
  const [found] = items
  const app = octavo.server.app.urls.app(`/spaces/${spaceId}/pages/${page}`)
  expect({ count, next }).toEqual({ count: 1, next: undefined })
  expect(found).toMatchObject({
    id: page,
    title: 'Install',
    description: 'In five minutes',
    path: 'guides/install',
    ancestors: [{ title: 'Guides' }],
    rank: 1,
    urls: { app },
    sections: [
      {
        id: 'on-linux',
        title: 'On Linux',
        body: 'Unpack the archive, then run the script.',
        urls: { app: `${app}#on-linux` },
      },
    ],
  })
  expect(found?.sections[0]?.path).toBe('guides/install#on-linux')
  expect(found?.score).toBeGreaterThan(0)
  // The words of a query can be spread over the title of a page and its sections.
  expect((await search({ query: 'install archive' })).items[0]?.sections).toMatchObject([{ id: 'on-linux' }])
})

test('matches words without case and accents, by prefix, and as phrases', async () => {
  const { found } = await spaceWith(
    insertPage('# Café\n\nA crème brûlée in the Straße, naïve façade'),
    insertPage('# Order\n\nfirst second third'),
    insertPage('# Reverse\n\nthird second first'),
    insertPage('# Names\n\nSet max_body_length to 1.2.3 in octavo.yaml'),
    insertPage('# Русский\n\nПоиск по Документации'),
  )
  expect(await found('CREME brulee')).toEqual(['Café'])
  expect(await found('cafè')).toEqual(['Café'])
  expect(await found('strasse')).toEqual(['Café'])
  expect(await found('документ')).toEqual(['Русский'])
  expect(await found('fir')).toHaveLength(2)
  // Only the last word may be a prefix, and not inside quotation marks.
  expect(await found('"second third"')).toEqual(['Order'])
  expect(await found('"third second"')).toEqual(['Reverse'])
  expect(await found('"second thi"')).toEqual([])
  expect(await found('max_body')).toEqual(['Names'])
  expect(await found('1.2.3')).toEqual(['Names'])
  expect(await found('3.2.1')).toEqual([])
  // If no page contains all words, pages with some of them are returned.
  expect((await found('first nowhere')).sort()).toEqual(['Order', 'Reverse'])
})

test('matches any part of a text in a language without spaces between words', async () => {
  const { found, search } = await spaceWith(
    insertPage('# 全文検索の仕組み\n\n東京都のドキュメントを検索します。'),
    insertPage('# 京都\n\n索検ではない'),
    insertPage('# 안내\n\n문서를 검색하는 방법'),
  )
  expect(await found('検索')).toEqual(['全文検索の仕組み'])
  expect(await found('ドキュメント')).toEqual(['全文検索の仕組み'])
  expect(await found('京都')).toEqual(['京都', '全文検索の仕組み'])
  expect(await found('검색')).toEqual(['안내'])
  expect((await search({ query: '東京都' })).items[0]?.sections[0]?.body).toContain('東京都のドキュメント')
})

test('treats the query syntax of databases as plain text and accepts any input', async () => {
  const { found: titles, spaceId } = await spaceWith(
    insertPage('# Operators\n\nNEAR and OR and NOT are words; title is too'),
  )
  for (const query of [
    'near',
    'OR',
    'not',
    'title:is',
    '"near and or"',
    'NEAR(near and, 2)',
    'near*',
    '^near',
    '-near',
  ]) {
    expect(await titles(query), query).toEqual(['Operators'])
  }
  for (const query of [
    '"',
    '""',
    "'",
    '*',
    '%',
    ':*',
    '&',
    '|',
    '!',
    '<->',
    '()',
    '\\',
    '@',
    `@${spaceId}`,
    'scope:x',
    ';--',
  ]) {
    expect(await titles(query), query).toEqual([])
  }
  const random = seededRandom(11)
  const pieces = [
    '"',
    "'",
    '*',
    '(',
    ')',
    ':',
    '-',
    '^',
    '&',
    '|',
    '!',
    '<->',
    '{',
    '}',
    '\\',
    ' ',
    'near',
    'AND',
    'OR',
  ]
  const odd = ['ü', '検', '\u0301', '\ud800', '🦊', '\u0000', '@', ',', 'x', 'ﬃ', 'ิ', 'ﾞ', '½', '𝒜', '\u200d', '١']
  const any = [...pieces, ...odd]
  const { organizationId } = octavo.admin
  for (let round = 0; round < 300; round++) {
    const chosen = Array.from(
      { length: randomInteger(random, 1, 20) },
      () => any[randomInteger(random, 0, any.length - 1)],
    )
    const query = chosen.join('')
    const found = searchSnippets(octavo, { organizationId, spaceIds: [spaceId], query, reader: 'member' })
    await expect(found, JSON.stringify(query)).resolves.toBeInstanceOf(Array)
  }
})

test('finds pages by their current content after edits, renames, moves and deletions', async () => {
  const { found, search, edit, pages } = await spaceWith(
    insertPage('# Alpha\n\nzebra crossing'),
    insertPage('# Beta\n\nzebra stripes'),
    insertPage('# Gamma\n\nother'),
  )
  const [alpha = '', beta = '', gamma = ''] = pages
  expect(await found('zebra')).toHaveLength(2)
  await edit(writePage(alpha, '# Alpha\n\ngiraffe'))
  expect(await found('zebra')).toEqual(['Beta'])
  expect(await found('giraffe')).toEqual(['Alpha'])
  await edit(updatePage(gamma, { title: 'Antelope' }))
  expect(await found('gamma')).toEqual([])
  expect(await found('antelope')).toEqual(['Antelope'])
  await edit(updatePage(beta, { into: gamma }))
  expect((await search({ query: 'zebra' })).items).toMatchObject([
    { id: beta, path: 'gamma/beta', ancestors: [{ title: 'Antelope' }] },
  ])
  await edit({ operation: 'delete_page', page: beta })
  expect(await found('zebra')).toEqual([])
})

test('finds the content of a change request only after it is merged', async () => {
  const { found, spaceId } = await spaceWith(insertPage('# Page\n\nText'))
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(insertPage('# Draft\n\nquokka'))
  expect(await found('quokka')).toEqual([])
  await proposal.merge()
  await waitUntilSearchable(octavo, spaceId)
  expect(await found('quokka')).toEqual(['Draft'])
})

test('finds reusable content on the pages that include it, with its current text', async () => {
  const { found, edit, spaceId } = await spaceWith({
    operation: 'insert_reusable_content',
    title: 'Notice',
    document: { markdown: 'A pangolin.' },
  })
  expect(await found('pangolin')).toEqual([])
  const { reusableContents } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  const id = reusableContents[0]?.id ?? ''
  const reference = {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: id } },
  }
  const document = { document: { object: 'document', data: {}, nodes: [reference] } }
  await edit({ operation: 'insert_page', title: 'Reusing', document }, insertPage('# Other'))
  expect(await found('pangolin')).toEqual(['Reusing'])
  await edit({ operation: 'update_reusable_content', reusableContent: id, document: { markdown: 'An aardvark.' } })
  expect(await found('pangolin')).toEqual([])
  expect(await found('aardvark')).toEqual(['Reusing'])
  await edit({ operation: 'delete_reusable_content', reusableContent: id })
  expect(await found('aardvark')).toEqual([])
})

test('returns each result once, page by page, and rejects an invalid cursor or query', async () => {
  const { search } = await spaceWith(
    ...Array.from({ length: 7 }, (_, index) => insertPage(`# Page ${index}\n\nsame words here`)),
  )
  const pages = await readAllPages((page) => search({ query: 'words', limit: 3, page }))
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  expect(pages.flat().map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(7)
  expect(await search({ query: 'words', limit: 0 })).toMatchObject({ count: 7, items: [] })
  for (const page of ['x', Buffer.from('["-1"]').toString('base64url'), Buffer.from('["a"]').toString('base64url')]) {
    expect(await refusal(search({ query: 'words', page }))).toBe('400 query.page')
  }
  for (const query of ['', 'x'.repeat(513)]) expect(await refusal(search({ query }))).toBe('400 query.query')
})

test('the official client can read the results', async () => {
  const { spaceId } = await spaceWith(insertPage('# Wombat\n\nDigs\n\n## Burrows\n\nWombat burrows are deep'))
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data } = await client.spaces.searchSpaceContent(spaceId, { query: 'wombat' })
  expect(data.items).toMatchObject([{ title: 'Wombat', rank: 1, sections: [{ title: 'Burrows' }] }])
})
