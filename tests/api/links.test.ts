import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContentLocation, LinkItem } from '../../src/contract/links.ts'
import { updateLinks } from '../../src/links/update-links.ts'
import { editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { spaceWith } from '../support/content-space.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { seededRandom } from '../support/random.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// The server has no worker, so that links which are listed were stored by the edit itself.
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ ROLES: 'api' })
})
afterAll(() => octavo.stop())

/** Returns a location as a short text. */
function describeLocation(location: ContentLocation): string {
  switch (location.kind) {
    case 'page': {
      const { page, internalLocation } = location
      return internalLocation?.type === 'anchor' ? `${page}#${internalLocation.anchor}` : page
    }
    case 'url':
      return location.url
    case 'file':
      return location.file
    case 'reusable-content':
      return location.reusableContent
    default:
      return location.kind
  }
}

const describeItems = (items: readonly LinkItem[]): string[] =>
  items.map(({ status, targetReference }) => `${status} ${describeLocation(targetReference)}`).sort()

const listSpace = async (spaceId: string, query: { status?: 'ok' | 'broken' | 'in-app' } = {}) =>
  describeItems((await octavo.admin.api.listSpaceLinks({ params: { spaceId }, query })).items)

const listBacklinks = async (spaceId: string, pageId: string): Promise<string[]> =>
  (await octavo.admin.api.listSpacePageBacklinks({ params: { spaceId, pageId } })).items.map(describeLocation).sort()

test('the links of a page have a status, a target and locations', async () => {
  const { admin, url } = octavo
  const { spaceId, page, edit, revision } = await spaceWith(admin, insertPage('# Target\n\n## Part\n\nText'))
  const target = page(0)
  const app = `${url}/app/spaces/${spaceId}`
  const markdown = [
    '# Source',
    `[page](/pages/${target}) and [again](/pages/${target})`,
    `[anchor](/pages/${target}#part), [title](/pages/${target}#target), [no anchor](/pages/${target}#gone)`,
    `[no page](/pages/missing), [path](missing.md), [site](https://example.com/a), [app](${app})`,
    '## Here\n\n[own](#here), [none](#there)',
  ].join('\n\n')
  const [source = ''] = await edit(insertPage(markdown))
  const params = { spaceId, pageId: source }
  const reply = await admin.api.listPageLinksInSpace({ params })
  expect(describeItems(reply.items)).toEqual(
    [
      `ok ${target}`,
      `ok ${target}#part`,
      `ok ${target}#target`,
      `broken ${target}#gone`,
      'broken missing',
      'broken missing.md',
      'ok https://example.com/a',
      `in-app ${app}`,
      `ok ${source}#here`,
      `broken ${source}#there`,
    ].sort(),
  )
  expect(reply).toMatchObject({ count: 10, stats: { total: 10, broken: { total: 4, changeRequest: 0 } } })
  const versionContext = { type: 'revision', revision: await revision() }
  const common = { organization: admin.organizationId, space: spaceId, versionContext }
  const item = reply.items.find(({ targetReference }) => describeLocation(targetReference) === `${target}#part`)
  expect(item).toEqual({
    status: 'ok',
    relation: 'reference',
    targetReference: { kind: 'page', ...common, page: target, internalLocation: { type: 'anchor', anchor: 'part' } },
    locationReferences: [
      { kind: 'page', ...common, page: source, internalLocation: { type: 'node', node: expect.any(String) } },
    ],
  })
  const broken = await admin.api.listPageLinksInSpace({ params, query: { status: 'broken', limit: '3' } })
  const rest = await admin.api.listPageLinksInSpace({ params, query: { status: 'broken', page: broken.next?.page } })
  expect([broken.count, broken.items.length, rest.items.length, rest.next]).toEqual([4, 3, 1, undefined])
  expect(await listSpace(spaceId)).toEqual(describeItems(reply.items))
  expect(await listSpace(spaceId, { status: 'in-app' })).toEqual([`in-app ${app}`])
  await expect(admin.api.listPageLinksInSpace({ params: { spaceId, pageId: 'none' } })).rejects.toThrow('No page')
})

const writeLinks = (...urls: string[]) => urls.map((url) => `[x](https://example.com/${url})`).join(' ')

test('the links of a space contain each target once, in pages of results', async () => {
  const { admin } = octavo
  const { spaceId, page, edit } = await spaceWith(admin, insertPage('# Target'))
  await edit(
    insertPage(`# A\n\n${writeLinks('1', '2', '3')}\n\n[t](/pages/${page(0)})`),
    insertPage(`# B\n\n${writeLinks('2', '3', '4')}\n\n[gone](/pages/none)`),
  )
  const seen: string[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const reply = await admin.api.listSpaceLinks({ params: { spaceId }, query: { limit: '2', page: cursor } })
    expect(reply).toMatchObject({ count: 6, stats: { total: 6, broken: { total: 1 } } })
    seen.push(...describeItems(reply.items))
    cursor = reply.next?.page
  }
  expect(seen.sort()).toEqual(
    ['1', '2', '3', '4']
      .map((name) => `ok https://example.com/${name}`)
      .concat(`ok ${page(0)}`, 'broken none')
      .sort(),
  )
  const reply = await admin.api.listSpaceLinks({ params: { spaceId }, query: { status: 'ok' } })
  expect(reply).toMatchObject({ count: 5, items: { length: 5 } })
  const shared = reply.items.find(({ targetReference }) => describeLocation(targetReference).endsWith('/2'))
  expect(shared?.locationReferences).toHaveLength(2)
})

test('deleting or renaming a page changes the status of the links to it at once', async () => {
  const { admin } = octavo
  const { spaceId, page, edit } = await spaceWith(
    admin,
    insertPage('# Guide\n\n## Install\n\nText'),
    insertPage('# Other'),
  )
  const guide = page(0)
  await edit(
    writePage(page(1), `# Other\n\n[a](/pages/${guide}) [b](/pages/${guide}#install) [c](/pages/${guide}#guide)`),
  )
  expect(await listSpace(spaceId)).toEqual([`ok ${guide}`, `ok ${guide}#guide`, `ok ${guide}#install`])
  await edit(updatePage(guide, { title: 'Manual' }))
  expect(await listSpace(spaceId, { status: 'broken' })).toEqual([`broken ${guide}#guide`])
  await edit(writePage(guide, '# Manual\n\n## Set up\n\nText'))
  expect(await listSpace(spaceId, { status: 'broken' })).toEqual([`broken ${guide}#guide`, `broken ${guide}#install`])
  await edit(writePage(guide, '# Guide\n\n## Install\n\nText'), updatePage(guide, { title: 'Guide' }))
  expect(await listSpace(spaceId, { status: 'broken' })).toEqual([])
  expect(await listBacklinks(spaceId, guide)).toEqual([page(1), page(1), page(1)])
  await edit({ operation: 'delete_page', page: guide })
  expect(await listSpace(spaceId)).toEqual([`broken ${guide}`, `broken ${guide}#guide`, `broken ${guide}#install`])
  const { stats } = await admin.api.listSpaceLinks({ params: { spaceId } })
  expect(stats).toEqual({ total: 3, broken: { total: 3, changeRequest: 0 } })
  await edit({ operation: 'delete_page', page: page(1) })
  expect(await admin.api.listSpaceLinks({ params: { spaceId } })).toEqual({
    count: 0,
    items: [],
    stats: { total: 0, broken: { total: 0, changeRequest: 0 } },
  })
})

test('links between spaces are listed on both sides, for people who can see both', async () => {
  const { admin } = octavo
  const library = await spaceWith(admin, insertPage('# Book\n\n## Chapter\n\nText'))
  const reading = await spaceWith(admin)
  const book = library.page(0)
  const [note = ''] = await reading.edit(
    insertPage(`# Note\n\n[book](/spaces/${library.spaceId}/pages/${book}#chapter) [all](/spaces/${library.spaceId})`),
  )
  expect(await listSpace(reading.spaceId)).toEqual([`ok ${book}#chapter`, 'ok space'])
  expect(await listBacklinks(library.spaceId, book)).toEqual([note])

  const reader = await octavo.member('read', 'reader')
  await admin.api.updateSpaceById({ params: library.params, body: { defaultLevel: null } })
  const hidden = await reader.api.listSpaceLinks({ params: reading.params })
  expect(describeItems(hidden.items)).toEqual([`broken ${book}#chapter`, 'broken space'])
  expect(hidden.stats.broken.total).toBe(2)
  expect(JSON.stringify(hidden)).not.toContain(await library.revision())
  const hiddenBroken = await reader.api.listSpaceLinks({ params: reading.params, query: { status: 'broken' } })
  expect([hiddenBroken.count, hiddenBroken.items.length]).toEqual([2, 2])
  const hiddenOk = await reader.api.listSpaceLinks({ params: reading.params, query: { status: 'ok' } })
  expect(hiddenOk).toMatchObject({ count: 0, items: [] })
  expect(
    (await reader.api.listPageLinksInSpace({ params: { ...reading.params, pageId: note } })).stats.broken.total,
  ).toBe(2)

  await admin.api.updateSpaceById({ params: library.params, body: { defaultLevel: 'read' } })
  await admin.api.updateSpaceById({ params: reading.params, body: { defaultLevel: null } })
  expect(await reader.api.listSpacePageBacklinks({ params: { ...library.params, pageId: book } })).toEqual({
    count: 0,
    items: [],
  })

  await library.edit(writePage(book, '# Book\n\n## Contents'))
  expect(await listSpace(reading.spaceId, { status: 'broken' })).toEqual([`broken ${book}#chapter`])
  await library.edit(writePage(book, '# Book\n\n## Chapter'))
  await admin.api.deleteSpaceById({ params: library.params })
  expect(await listSpace(reading.spaceId)).toEqual([`broken ${book}#chapter`, 'broken space'])
  await admin.api.restoreSpace({ params: library.params })
  expect(await listSpace(reading.spaceId)).toEqual([`ok ${book}#chapter`, 'ok space'])
})

test('links in reusable contents, and anchors that pages get from them', async () => {
  const { admin } = octavo
  const { spaceId, edit, page } = await spaceWith(admin, insertPage('# Target'))
  const { changes } = await admin.api.updateSpaceContent({
    params: { spaceId },
    body: {
      changes: [
        {
          operation: 'insert_reusable_content',
          title: 'Shared',
          document: { markdown: `## Shared part\n\n[t](/pages/${page(0)})` },
        },
      ],
    },
  })
  const created = changes.find((change) => change.object === 'created_reusable_content')
  const shared = created?.reusableContent ?? ''
  const [including = ''] = await edit(insertPage(`# Including\n\n{% include "/reusable-content/${shared}" %}`))
  await edit(insertPage(`# Linking\n\n[s](/pages/${including}#shared-part)`))
  expect(await listBacklinks(spaceId, page(0))).toEqual([shared])
  expect(await listSpace(spaceId)).toEqual([`ok ${including}#shared-part`, `ok ${page(0)}`, `ok ${shared}`].sort())
  const update = (markdown: string) =>
    edit({ operation: 'update_reusable_content', reusableContent: shared, document: { markdown } })
  await update('## Renamed part')
  expect(await listSpace(spaceId)).toEqual([`broken ${including}#shared-part`, `ok ${shared}`].sort())
  await edit({ operation: 'delete_reusable_content', reusableContent: shared })
  expect(await listSpace(spaceId, { status: 'ok' })).toEqual([])
})

test('files have backlinks from pages, covers and other spaces', async () => {
  const { admin } = octavo
  const { spaceId, edit } = await spaceWith(admin)
  const [added] = await addFiles(admin, spaceId, inlineFile('a.txt', 'Text'))
  const file = added?.id ?? ''
  const pages = await edit(
    insertPage(`# Image\n\n![a](/files/${file})`),
    insertPage('# Cover', { cover: { ref: { kind: 'file', file }, yPos: 0 } }),
  )
  const other = await emptySpace(admin)
  const [elsewhere = ''] = await editLive(admin, other, insertPage(`# Other\n\n[f](/spaces/${spaceId}/files/${file})`))
  const list = (query: { limit?: string; page?: string | undefined }) =>
    admin.api.listSpaceFileBacklinks({ params: { spaceId, fileId: file }, query })
  const first = await list({ limit: '2' })
  const second = await list({ page: first.next?.page })
  expect([first.count, first.items.length, second.items.length]).toEqual([3, 2, 1])
  expect([...first.items, ...second.items].map(describeLocation).sort()).toEqual([...pages, elsewhere].sort())
  await edit({ operation: 'delete_files', files: [file] })
  expect(await listSpace(other)).toEqual([`broken ${file}`])
  await expect(list({})).rejects.toThrow('No file')
})

test('a change request has its own links and backlinks, and lists what it breaks', async () => {
  const { admin } = octavo
  const { spaceId, page } = await spaceWith(
    admin,
    insertPage('# Target\n\n## Part'),
    insertPage('# Removed'),
    insertPage('# Plain'),
  )
  const [target, removed, plain] = [page(0), page(1), page(2)]
  const [source = ''] = await editLive(
    admin,
    spaceId,
    insertPage(`# Source\n\n[a](/pages/${target}#part) [b](/pages/${removed})`),
  )
  const { params, edit, merge } = await propose(admin, spaceId)
  await edit(
    { operation: 'delete_page', page: removed },
    writePage(plain, `# Plain\n\n[t](/pages/${target}) [r](/pages/${removed})`),
  )
  const backlinks = async (pageId: string) =>
    (await admin.api.listChangeRequestPageBacklinks({ params: { ...params, pageId } })).items.map(describeLocation)
  expect((await backlinks(target)).sort()).toEqual([plain, source].sort())
  expect(await listBacklinks(spaceId, target)).toEqual([source])
  const ofPage = await admin.api.listPageLinksInChangeRequest({ params: { ...params, pageId: plain } })
  expect(describeItems(ofPage.items)).toEqual([`broken ${removed}`, `ok ${target}`])
  expect(ofPage.stats.broken).toEqual({ total: 1, changeRequest: 1 })
  expect(ofPage.items[0]?.targetReference).toMatchObject({
    versionContext: { type: 'changeRequest', changeRequest: params.changeRequestId },
  })
  const all = await admin.api.listChangeRequestLinks({ params })
  expect(describeItems(all.items)).toEqual([`broken ${removed}`, `ok ${target}`])
  const brokenItem = all.items.find(({ status }) => status === 'broken')
  expect(brokenItem?.locationReferences?.map(describeLocation).sort()).toEqual([plain, source].sort())
  expect(all.stats.broken).toEqual({ total: 1, changeRequest: 1 })
  await edit(writePage(source, '# Source'))
  expect(await backlinks(target)).toEqual([plain])
  expect((await admin.api.listChangeRequestPageBacklinks({ params: { ...params, pageId: target } })).count).toBe(1)
  await merge()
  expect(await listSpace(spaceId)).toEqual([`broken ${removed}`, `ok ${target}`])
})

const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()

/** Returns the stored links of a space. */
async function dumpRows(spaceId: string) {
  const { reader } = octavo.server.app.database
  const links = await reader.selectFrom('links').selectAll().where('space_id', '=', spaceId).execute()
  const targets = await reader.selectFrom('link_targets').selectAll().where('space_id', '=', spaceId).execute()
  const counts = await reader.selectFrom('link_counts').selectAll().where('space_id', '=', spaceId).execute()
  return { links: sorted(links), targets: sorted(targets), counts: sorted(counts.filter(({ count }) => count > 0)) }
}

async function runUpdate(spaceId: string): Promise<void> {
  const { database, openObjects } = octavo.server.app
  const { signal } = new AbortController()
  const { reader: db, transaction } = database
  await updateLinks({ db, openObjects, signal, transaction: (work) => transaction(work) }, spaceId)
}

test('links stored by many edits are the same as those of a new computation', async () => {
  const { admin } = octavo
  const spaces = [await spaceWith(admin), await spaceWith(admin)]
  // Deleted pages remain in the list, so that later pages link to them.
  const pages: { space: number; id: string; isDeleted: boolean }[] = []
  const random = seededRandom(7)
  const pick = (count: number) => Math.floor(random() * count)
  const writeMarkdown = (number: number) => {
    const links = Array.from({ length: pick(4) }, () => {
      const target = pages[pick(pages.length + 1)]
      if (!target) return `[u](https://example.com/${pick(5)})`
      const anchor = ['', '#part-1', '#part-2'][pick(3)]
      return `[p](/spaces/${spaces[target.space]?.spaceId}/pages/${target.id}${anchor})`
    })
    return `# Page ${number}\n\n## Part ${pick(3)}\n\n${links.join(' ')}`
  }
  for (let number = 0; number < 60; number++) {
    const index = pick(2)
    const space = spaces[index] as (typeof spaces)[number]
    const existing = pages.filter((page) => page.space === index && !page.isDeleted)
    const chosen = existing[pick(existing.length)]
    const action = pick(5)
    if (action === 0 && chosen) {
      await space.edit({ operation: 'delete_page', page: chosen.id })
      chosen.isDeleted = true
    } else if (action <= 2 && chosen) await space.edit(writePage(chosen.id, writeMarkdown(number)))
    else {
      const [id = ''] = await space.edit(insertPage(writeMarkdown(number)))
      pages.push({ space: index, id, isDeleted: false })
    }
  }
  for (const { spaceId } of spaces) {
    const before = await dumpRows(spaceId)
    expect(before.links.length).toBeGreaterThan(5)
    const { database } = octavo.server.app
    await database.transaction((db) =>
      db.updateTable('link_states').set({ format: 0 }).where('space_id', '=', spaceId).execute(),
    )
    await runUpdate(spaceId)
    expect(await dumpRows(spaceId)).toEqual(before)
  }
})
