import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/schema/tables.ts'
import { Viewpoint, anonymousVisitor } from '../../src/publishing/visibility.ts'
import { editLive, insertPage, updatePage, writePage } from '../support/content.ts'
import { makeSearchableSpace, searchSnippets, searchTitles, waitUntilSearchable } from '../support/search.ts'
import { type TestServer, engine, startTestServer } from '../support/server.ts'

// Which words match which, and in which order pages are found. Both engines must pass with the same expectations.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function spaceWith(...pages: string[]) {
  const space = await makeSearchableSpace(octavo, ...pages.map((markdown) => insertPage(markdown)))
  return { ...space, found: (query: string) => searchTitles(octavo.admin, space.spaceId, query) }
}

/** Updates the statistics of PostgreSQL and sets the number of sections in them. */
async function pretendLargeIndex(db: Db): Promise<void> {
  await sql`analyze search_sections`.execute(db)
  await sql`update pg_class set reltuples = 10000 where oid = 'search_sections'::regclass`.execute(db)
}

// The first test, because PostgreSQL's statistics are read by the first search and then reused for a minute. Searches of
// an index that PostgreSQL considers large are prepared statements, so all tests of this file use them.
test('finds only pages of the searched space, whether it has most or few of all sections', async () => {
  const sections = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\nA narwhal`)
  const large = await spaceWith(`# Large\n\n${sections.join('\n\n')}`)
  const small = await spaceWith('# Small\n\nA narwhal and a beluga', '# Other\n\nA beluga')
  if (engine === 'postgres') await pretendLargeIndex(octavo.server.app.database.reader)
  expect(await large.found('narwhal')).toEqual(['Large'])
  expect(await small.found('narwhal')).toEqual(['Small'])
  expect(await large.found('narwhal beluga')).toEqual(['Large'])
  // PostgreSQL does not search the index for a prefix of words that most sections contain.
  expect(await small.found('beluga na')).toEqual(['Small'])
  expect(await small.found('beluga a-na')).toEqual(['Small'])
  expect(await large.found('na')).toEqual(['Large'])
})

test('corrects each kind of typo in each part of a word', async () => {
  const { found, pages, spaceId } = await spaceWith('# Zebrafish\n\nText')
  const typos = ['ebrafish', 'xebrafish', 'zebbrafish', 'zebarfish', 'zebrfaish', 'zebrafxsh', 'zebrafsh', 'zebrafishs']
  const correct = () => Promise.all(typos.map((typo) => found(`${typo} text`)))
  expect(await correct()).toEqual(typos.map(() => ['Zebrafish']))

  // An index that an earlier version has written has no reversed words, and is written again with the next change.
  const { transaction } = octavo.server.app.database
  await transaction(async (db) => {
    await db.updateTable('search_vocabulary').set({ reversed: '' }).where('space_id', '=', spaceId).execute()
    await db.updateTable('search_states').set({ format: 6 }).where('space_id', '=', spaceId).execute()
  })
  await editLive(octavo.admin, spaceId, updatePage(pages[0] ?? '', { description: 'Changed' }))
  await waitUntilSearchable(octavo, spaceId)
  expect(await correct()).toEqual(typos.map(() => ['Zebrafish']))
})

test('finds words with one typo if few pages contain what was typed', async () => {
  const { found } = await spaceWith(
    '# Webhooks\n\nReceive a webhook for each event.',
    '# Configuration\n\nSet the environment variables.',
    '# Cats\n\nPurring.',
    '# Поиск\n\nДокументация и настройки',
  )
  for (const typo of ['webook', 'wwebhook', 'wehbook', 'webhool', 'webhook']) {
    expect(await found(typo), typo).toEqual(['Webhooks'])
  }
  expect(await found('enviroment variables')).toEqual(['Configuration'])
  expect(await found('receive webook')).toEqual(['Webhooks'])
  // The last word may be incomplete and contain a typo.
  expect(await found('confgurat')).toEqual(['Configuration'])
  expect(await found('настройкы')).toEqual(['Поиск'])
  // Neither short words, nor phrases in quotes, nor two typos.
  expect(await found('cst')).toEqual([])
  expect(await found('"webook"')).toEqual([])
  expect(await found('wbook')).toEqual([])
})

test('pages with the typed word come before pages with a similar word', async () => {
  const { found } = await spaceWith('# Form\n\nNothing', '# Other\n\nA fork in the road', '# Fork\n\nNothing')
  expect(await found('form')).toEqual(['Form', 'Fork', 'Other'])
  expect(await found('fork')).toEqual(['Fork', 'Other', 'Form'])
})

test('typos are corrected with words that were added after the first index', async () => {
  const { found, pages, spaceId } = await spaceWith('# Page\n\nText')
  expect(await found('rhinocerus')).toEqual([])
  await editLive(octavo.admin, spaceId, writePage(pages[0] ?? '', '# Page\n\nA rhinoceros.'))
  await waitUntilSearchable(octavo, spaceId)
  expect(await found('rhinocerus')).toEqual(['Page'])
})

test('words of pages that a visitor cannot see do not change which typos are corrected', async () => {
  const { spaceId } = await makeSearchableSpace(
    octavo,
    insertPage('# Open\n\nAll about projects.'),
    ...Array.from({ length: 5 }, (_, index) => insertPage(`# Hidden ${index}\n\nThe projectx plan.`, { hidden: true })),
  )
  const { organizationId } = octavo.admin
  const find = (query: string) =>
    searchSnippets(octavo, { organizationId, spaceIds: [spaceId], query, reader: Viewpoint.of(anonymousVisitor) })
  expect(await find('projectx')).toEqual(await find('projectz'))
})

test('finds other forms of a word in the language of the space', async () => {
  const { found, spaceId } = await spaceWith(
    '# Publishing\n\nPublish a site.',
    '# Installationen\n\nDie Häuser und Verbindungen.',
    '# Configured servers\n\nText',
  )
  expect(await found('configuring server')).toEqual(['Configured servers'])
  expect(await found('published')).toEqual(['Publishing'])
  expect(await found('"configuring servers"')).toEqual([])
  await octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { language: 'de' } })
  await waitUntilSearchable(octavo, spaceId)
  expect(await found('verbindung')).toEqual(['Installationen'])
  expect(await found('installation')).toEqual(['Installationen'])
})

test('ignores the words of questions', async () => {
  const { found } = await spaceWith(
    '# Customization\n\nHow do I do it? How can I create what I want on a page, and how do you do a thing?',
    '# Pages\n\n## Create a page\n\nCall the operation.',
    '# How to start\n\nBegin here.',
  )
  expect((await found('how do I create a page'))[0]).toBe('Pages')
  expect((await found('How can I create pages?'))[0]).toBe('Pages')
  expect((await found('how to'))[0]).toBe('How to start')
})

test('finds identifiers by their parts in any notation', async () => {
  const { found } = await spaceWith(
    '# Camel\n\nCall `createTableRow` first.',
    '# Snake\n\nCall `create_table_row` first.',
    '# Dotted\n\nCall `create.table.row` first.',
    '# Other\n\nCall `createRow`, not the table.',
  )
  const all = ['Camel', 'Dotted', 'Snake']
  for (const query of ['createTableRow', 'create_table_row', 'create.table.row']) {
    expect((await found(query)).sort(), query).toEqual(all)
  }
  expect(await found('"table row"')).toHaveLength(3)
  expect((await found('create row')).sort()).toEqual(['Camel', 'Dotted', 'Other', 'Snake'])
})

test('finds words of any kind while the last one is typed', async () => {
  const { found } = await spaceWith(
    '# Numbers\n\nSign in with OAuth2 and base64url.',
    '# Compound\n\nRechtsschutzversicherungsgesellschaft',
    '# Hindi\n\nहिन्दीभाषा',
    '# Camel\n\nCall `orderBookSnapshot`.',
  )
  for (const [word, title] of [
    ['oauth2', 'Numbers'],
    ['base64url', 'Numbers'],
    ['rechtsschutzversicherungsgesellschaft', 'Compound'],
    ['हिन्दीभाषा', 'Hindi'],
    ['orderbooksnapshot', 'Camel'],
    ['snapshot', 'Camel'],
  ] as const) {
    for (const length of [2, 3, 4, 5, 6, word.length - 1, word.length]) {
      const typed = word.slice(0, length)
      expect(await found(typed), typed).toEqual([title])
    }
  }
})

test('returns something sensible for hostile queries', async () => {
  const { found } = await spaceWith('# Target\n\nA needle in a haystack.')
  const long = 'x'.repeat(512)
  for (const query of [long, 'ab'.repeat(256), 'needle '.repeat(70).trim(), '"'.repeat(512), 'ﷺ'.repeat(100)]) {
    expect((await found(query)).length, query).toBeLessThanOrEqual(1)
  }
  expect(await found(`needle ${'haystack '.repeat(20)}`.trim())).toEqual(['Target'])
})

test('answers questions about the manual with the same pages on both engines', async () => {
  const names = ['api/pages', 'api/content', 'api/tokens', 'api/change-requests', 'api/merging', 'writing/git-sync']
  const more = ['publishing/custom-domains', 'publishing/customization-and-themes', 'operating/backup-and-upgrade']
  const sources = [...names, ...more].map((name) => readFileSync(join('docs', `${name}.md`), 'utf8'))
  const { found } = await spaceWith(...sources)
  const expected = {
    'use my own domain': 'Custom domains',
    'how do I make a backup': 'Backup and upgrade',
    'revoke an api token': 'API tokens',
    'resolve conflicts': 'Merging',
    'duplicate a space': 'Spaces and collections',
    'which fonts can I use': 'Customization and themes',
    webook: 'Git sync',
  }
  const best = await Promise.all(Object.keys(expected).map(async (query) => (await found(query))[0]))
  expect(best).toEqual(Object.values(expected))
})

test('orders pages by where words occur, how rare they are and how similar titles are, on both engines alike', async () => {
  const { found } = await spaceWith(
    '# Webhooks\n\nReceive events.\n\n## Retry a webhook\n\nFailed webhooks are sent again.',
    '# Events\n\nAn event can be sent to a webhook. A retry follows.',
    '# Retry policy\n\nRequests are repeated. This does not apply to a webhook.',
    '# Limits\n\nA timeout.\n\n## Webhook retries\n\nUp to five.',
    '# Changelog\n\nMany things.\n\n## 2.0\n\nWebhooks were added, and the retry of a webhook was fixed.',
    '# Timeouts\n\nA request has a timeout.',
  )
  const orders = {
    webhook: ['Webhooks', 'Limits', 'Changelog', 'Retry policy', 'Events'],
    'retry webhook': ['Webhooks', 'Limits', 'Retry policy', 'Changelog', 'Events'],
    'webhook retries': ['Webhooks', 'Limits', 'Retry policy', 'Changelog', 'Events'],
    'how do I retry a webhook?': ['Webhooks', 'Limits', 'Retry policy', 'Changelog', 'Events'],
    'webhok retry': ['Webhooks', 'Limits', 'Retry policy', 'Changelog', 'Events'],
    'webhook timeout': ['Timeouts', 'Webhooks', 'Limits', 'Changelog', 'Retry policy', 'Events'],
    'retry po': ['Retry policy'],
    '"a webhook"': ['Webhooks', 'Retry policy', 'Events', 'Changelog'],
  }
  const actual = Object.fromEntries(
    await Promise.all(Object.keys(orders).map(async (query) => [query, await found(query)] as const)),
  )
  expect(actual).toEqual(orders)
})

test('a question with words that no page has in common finds pages with some of them', async () => {
  const { found } = await spaceWith(
    '# Custom domains\n\nServe a site at an address of yours.',
    '# Sites\n\nUse a domain of your own.',
    '# Cats\n\nPurring.',
  )
  expect(await found('can I use custom domains')).toEqual(['Custom domains', 'Sites'])
  // Without words of a question, all words are required as long as a page contains them.
  expect(await found('use domain')).toEqual(['Sites'])
})

test('words that no page contains any more are removed from the vocabulary', async () => {
  const letters = Array.from('abcdefg')
  const rareWords = letters.flatMap((first) => letters.map((second) => `unused${first}${second}`))
  const { pages, spaceId } = await spaceWith(`# Page\n\n${rareWords.join(' ')}`, '# Other\n\nText')
  const countWords = async () => {
    const words = octavo.server.app.database.reader.selectFrom('search_vocabulary').where('space_id', '=', spaceId)
    return (await words.select('word').execute()).length
  }
  expect(await countWords()).toBeGreaterThan(rareWords.length)
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await editLive(octavo.admin, spaceId, writePage(pages[0] ?? '', `# Page\n\n${text}`))
    await waitUntilSearchable(octavo, spaceId)
  }
  expect(await countWords()).toBeLessThan(10)
})

test('a renamed page is found by its new title with a typo', async () => {
  const { found, pages, spaceId } = await spaceWith('# Before\n\nText')
  await editLive(octavo.admin, spaceId, updatePage(pages[0] ?? '', { title: 'Troubleshooting' }))
  await waitUntilSearchable(octavo, spaceId)
  expect(await found('troubleshoting')).toEqual(['Troubleshooting'])
})
