import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportRepository } from '../../src/content/repository/export.ts'
import { importRepository } from '../../src/content/repository/import.ts'
import type { GitBlob, GitCommit } from '../../src/contract/revision.ts'
import { newId } from '../../src/kernel/ids.ts'
import {
  createRevision,
  getRevision,
  moveSpaceHead,
  storeRevisionExport,
} from '../../src/domain/revisions/revisions.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import { MemoryFolder, gitOid } from '../support/folder.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api
const now = '2026-01-01T00:00:00.000Z'

const commit = (oid: string): GitCommit => ({
  oid,
  message: 'Explain the engine',
  createdByService: false,
  createdByGitBook: false,
  url: `https://git.example.com/manual/commit/${oid}`,
  ref: 'refs/heads/main',
})

const firstCommit = commit('a'.repeat(40))

/** Files of a repository whose content is in a subdirectory. */
const repository = {
  '.gitbook.yaml': 'root: ./docs/\n',
  'docs/SUMMARY.md': `# Table of contents

* [Start](README.md)
* [Not there](gone.md)

## Basics

* [Guide](guide/README.md)
  * [First](guide/first.md)
    * [Second](guide/second.md)
  * [Elsewhere](https://example.com)
`,
  'docs/README.md': '# Start\n\n![](.gitbook/assets/pic.png)\n',
  'docs/guide/README.md': '# Guide\n',
  'docs/guide/first.md': '# First\n\nOnce upon a time\n',
  'docs/guide/second.md': '# Second\n',
  'docs/.gitbook/assets/pic.png': 'The bytes of a picture',
  'docs/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind the gap\n',
}

interface ImportInto {
  spaceId: string
  git?: GitCommit
  directory?: string
}

/** Imports a folder as the live content of a space and returns the revision id. */
function importInto(folder: MemoryFolder, { spaceId, git, directory = '' }: ImportInto): Promise<string> {
  const { database, openObjects, queue } = octavo.server.app
  return database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const { root_hash: root, listing_hash: listing } = await getRevision(db, space, space.revision_id)
    const objects = openObjects(db, space.organization_id)
    const imported = await importRepository(objects, folder, {
      newId,
      now,
      directory,
      ...(listing !== null && { before: { root, listing } }),
    })
    await objects.flush()
    const id = newId()
    await createRevision(
      { db, openObjects },
      {
        id,
        space,
        rootHash: imported.root,
        type: 'edits',
        parents: [space.revision_id],
        createdBy: octavo.admin.id,
        createdAt: now,
        listed: imported,
        ...(git && { git }),
      },
    )
    const context = { db, enqueue: queue.enqueue, now: () => now, openObjects }
    expect(await moveSpaceHead(context, space, id)).toBe(true)
    return id
  })
}

const directory = 'products/handbook'

/** Creates a space and imports the repository into it from a directory of a larger repository. */
async function importedSpace() {
  const spaceId = await emptySpace(octavo.admin)
  const folder = new MemoryFolder(repository)
  const revisionId = await importInto(folder, { spaceId, git: firstCommit, directory })
  return { spaceId, folder, revisionId }
}

const placeOf = (path: keyof typeof repository): GitBlob => ({
  oid: gitOid(repository[path]),
  path: `${directory}/${path}`,
})

const places = {
  start: placeOf('docs/README.md'),
  guide: placeOf('docs/guide/README.md'),
  first: placeOf('docs/guide/first.md'),
  second: placeOf('docs/guide/second.md'),
  picture: placeOf('docs/.gitbook/assets/pic.png'),
  note: placeOf('docs/.gitbook/includes/note.md'),
}

type Query = Record<string, boolean>

/** Returns the read operations of a space, a change request and a revision under common names. */
function readingsOf(spaceId: string, changeRequestId: string, revisionId: string) {
  const space = { spaceId }
  const request = { spaceId, changeRequestId }
  const revision = { spaceId, revisionId }
  return {
    space: {
      whole: (query: Query) => api().getCurrentRevision({ params: space, query }),
      pages: (query: Query) => api().listPages({ params: space, query }),
      page: (pageId: string, query: Query) => api().getPageById({ params: { ...space, pageId }, query }),
      pageAt: (pagePath: string, query: Query) => api().getPageByPath({ params: { ...space, pagePath }, query }),
      files: (query: Query) => api().listFiles({ params: space, query }),
      file: (fileId: string, query: Query) => api().getFileById({ params: { ...space, fileId }, query }),
      reusable: (reusableContentId: string, query: Query) =>
        api().getReusableContentById({ params: { ...space, reusableContentId }, query }),
    },
    changeRequest: {
      whole: (query: Query) => api().getRevisionOfChangeRequestById({ params: request, query }),
      pages: (query: Query) => api().listPagesInChangeRequest({ params: request, query }),
      page: (pageId: string, query: Query) =>
        api().getPageInChangeRequestById({ params: { ...request, pageId }, query }),
      pageAt: (pagePath: string, query: Query) =>
        api().getPageInChangeRequestByPath({ params: { ...request, pagePath }, query }),
      files: (query: Query) => api().listFilesInChangeRequestById({ params: request, query }),
      file: (fileId: string, query: Query) =>
        api().getFileInChangeRequestById({ params: { ...request, fileId }, query }),
      reusable: (reusableContentId: string, query: Query) =>
        api().getReusableContentInChangeRequestById({ params: { ...request, reusableContentId }, query }),
    },
    revision: {
      whole: (query: Query) => api().getRevisionById({ params: revision, query }),
      pages: (query: Query) => api().listPagesInRevisionById({ params: revision, query }),
      page: (pageId: string, query: Query) => api().getPageInRevisionById({ params: { ...revision, pageId }, query }),
      pageAt: (pagePath: string, query: Query) =>
        api().getPageInRevisionByPath({ params: { ...revision, pagePath }, query }),
      files: (query: Query) => api().listFilesInRevisionById({ params: revision, query }),
      file: (fileId: string, query: Query) => api().getFileInRevisionById({ params: { ...revision, fileId }, query }),
      reusable: (reusableContentId: string, query: Query) =>
        api().getReusableContentInRevisionById({ params: { ...revision, reusableContentId }, query }),
    },
  }
}

test('all read operations return the Git path and blob id of imported content unless `metadata=false`', async () => {
  const { spaceId, revisionId } = await importedSpace()
  const request = await propose(octavo.admin, spaceId)
  for (const reading of Object.values(readingsOf(spaceId, request.id, revisionId))) {
    const whole = await reading.whole({})
    expect(whole.pages).toMatchObject([
      { title: 'Start', git: places.start },
      { title: 'Not there' },
      {
        title: 'Basics',
        pages: [
          {
            title: 'Guide',
            git: places.guide,
            pages: [
              { title: 'First', git: places.first, pages: [{ title: 'Second', git: places.second }] },
              { title: 'Elsewhere' },
            ],
          },
        ],
      },
    ])
    expect(whole.pages[1]).not.toHaveProperty('git')
    expect(whole.files).toMatchObject([{ name: 'pic.png', git: places.picture }])
    expect(whole.reusableContents).toMatchObject([{ title: 'Note', git: places.note }])
    expect((await reading.pages({})).pages).toEqual(whole.pages)

    const [, missing, group] = whole.pages
    const guide = group && 'pages' in group ? group.pages[0] : undefined
    expect(await reading.page(guide?.id ?? '', {})).toEqual(guide)
    expect(await reading.page(group?.id ?? '', {})).toEqual(group)
    expect(await reading.pageAt('basics/guide', {})).toEqual(guide)
    expect(await reading.page(missing?.id ?? '', {})).toEqual(missing)
    const [file] = whole.files
    expect((await reading.files({})).items).toEqual([file])
    expect(await reading.file(file?.id ?? '', {})).toEqual(file)
    const [reusable] = whole.reusableContents
    expect(await reading.reusable(reusable?.id ?? '', {})).toEqual(reusable)

    const without = { metadata: false }
    const silent = [
      await reading.whole(without),
      await reading.pages(without),
      await reading.page(guide?.id ?? '', without),
      await reading.pageAt('basics/guide', without),
      await reading.files(without),
      await reading.file(file?.id ?? '', without),
      await reading.reusable(reusable?.id ?? '', without),
    ]
    expect(JSON.stringify(silent)).not.toContain('"git"')
    expect(silent[2]).toMatchObject({ title: 'Guide', pages: [{ title: 'First' }, { title: 'Elsewhere' }] })
  }
})

test('an imported revision contains its commit, edits have none, and the next import has a new one', async () => {
  const { spaceId, folder, revisionId } = await importedSpace()
  const params = { spaceId }
  const imported = await api().getCurrentRevision({ params })
  expect(imported.git).toEqual(firstCommit)
  const [start] = imported.pages
  const pageId = start?.id ?? ''

  const [added = ''] = await editLive(octavo.admin, spaceId, writePage(pageId, 'New words'), insertPage('# Added'))
  const edited = await api().getCurrentRevision({ params })
  expect(edited).not.toHaveProperty('git')
  expect(edited.pages.find(({ id }) => id === pageId)).toMatchObject({ git: places.start })
  expect(await api().getPageById({ params: { spaceId, pageId: added } })).not.toHaveProperty('git')

  const request = await propose(octavo.admin, spaceId)
  const file = { name: 'new.txt', contentType: 'text/plain', base64: 'YQ==' }
  await request.edit({ operation: 'insert_files', files: [file] })
  const { items: files } = await api().listFilesInChangeRequestById({ params: request.params })
  expect(files.map(({ name, git }) => [name, git])).toEqual([
    ['pic.png', places.picture],
    ['new.txt', undefined],
  ])
  await request.merge()
  expect(await api().getPageById({ params: { spaceId, pageId } })).toMatchObject({ git: places.start })

  const text = '# Start\n\nOther words\n'
  folder.contents.set('docs/README.md', text)
  const git = commit('b'.repeat(40))
  await importInto(folder, { spaceId, git, directory })
  expect(await api().getPageById({ params: { spaceId, pageId } })).toMatchObject({
    git: { oid: gitOid(text), path: `${directory}/docs/README.md` },
  })
  // A revision keeps its Git metadata after later imports.
  expect(await api().getPageInRevisionById({ params: { spaceId, revisionId, pageId } })).toMatchObject({
    git: places.start,
  })

  const { items } = await api().listRevisions({ params })
  expect(items.map((revision) => revision.git)).toEqual([git, undefined, undefined, firstCommit, undefined])
  const silent = await api().listRevisions({ params, query: { metadata: false } })
  expect(JSON.stringify(silent)).not.toContain('"git"')
})

test('the ETag changes with the Git metadata of unchanged content unless `metadata=false`', async () => {
  const { spaceId, folder } = await importedSpace()
  const tagOf = async (path: string) => {
    const reply = await octavo.fetch(`/v1/spaces/${spaceId}/content/${path}`, { token: octavo.admin.token })
    expect(reply.status).toBe(200)
    await reply.arrayBuffer()
    return reply.headers.get('etag')
  }
  const [told, silent] = [await tagOf('pages'), await tagOf('pages?metadata=false')]
  expect(await tagOf('pages')).toBe(told)
  expect(silent).not.toBe(told)
  await importInto(folder, { spaceId, directory: 'moved' })
  expect(await tagOf('pages')).not.toBe(told)
  expect(await tagOf('pages?metadata=false')).toBe(silent)
})

test('exporting a revision adds Git metadata to its replies and changes their ETags', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage('# Page'))
  const { revision: revisionId } = await api().getSpaceById({ params: { spaceId } })
  const get = async (path: string) => {
    const address = `/v1/spaces/${spaceId}/revisions/${revisionId}${path}`
    const reply = await octavo.fetch(address, { token: octavo.admin.token })
    await reply.arrayBuffer()
    return { etag: reply.headers.get('etag'), caching: reply.headers.get('cache-control') }
  }
  const paths = ['', '/pages', `/page/${pageId}`, '/path/page']
  const before = await Promise.all(paths.map(get))
  for (const { caching } of before) expect(caching).toBe('private, no-cache')
  for (const path of paths) expect((await get(`${path}?metadata=false`)).caching).toContain('immutable')

  const { database, openObjects } = octavo.server.app
  await database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const { root_hash: root } = await getRevision(db, space, revisionId)
    const objects = openObjects(db, space.organization_id)
    const exported = await exportRepository(objects, { after: root, directory: '', isTaken: () => false })
    const texts = exported.changes.flatMap((change): [string, string][] =>
      'text' in change ? [[change.path, change.text]] : [],
    )
    const listing = await exported.list(new Map(texts.map(([path, text]) => [path, gitOid(text)])))
    await objects.flush()
    await storeRevisionExport(db, space, revisionId, { root, listing }, firstCommit)
  })
  const after = await Promise.all(paths.map(get))
  after.forEach(({ etag }, index) => expect(etag).not.toBe(before[index]?.etag))
  expect(await api().getRevisionById({ params: { spaceId, revisionId } })).toMatchObject({
    git: firstCommit,
    pages: [{ id: pageId, git: { path: 'README.md' } }],
  })
})

test('reads with `metadata=false` do not load the listing', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [page = ''] = await editLive(octavo.admin, spaceId, insertPage('# Page'))
  const absent = '0'.repeat(64)
  await octavo.server.app.database.transaction((db) =>
    db.updateTable('revisions').set({ listing_hash: absent }).where('space_id', '=', spaceId).execute(),
  )
  const query = { metadata: false }
  const params = { spaceId }
  expect((await api().getCurrentRevision({ params, query })).pages).toMatchObject([{ id: page }])
  expect((await api().listPages({ params, query })).pages).toMatchObject([{ id: page }])
  expect(await api().getPageById({ params: { spaceId, pageId: page }, query })).toMatchObject({ title: 'Page' })
  expect((await api().listFiles({ params, query })).items).toEqual([])
  expect(await refusal(api().getPageById({ params: { spaceId, pageId: page } }))).toBe('500')
})

test('the streamed page tree contains the Git path and blob id of hundreds of files', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const contents = new Map<string, string>()
  for (let chapter = 0; chapter < 6; chapter++) {
    contents.set(`chapter-${chapter}/README.md`, `# Chapter ${chapter}\n`)
    for (let page = 0; page < 50; page++) contents.set(`chapter-${chapter}/page-${page}.md`, `# Page ${page}\n`)
  }
  await importInto(new MemoryFolder(contents), { spaceId })
  const { pages } = await api().listPages({ params: { spaceId } })
  const found = new Map<string, string>()
  const note = (page: (typeof pages)[number]): void => {
    if (page.type === 'document' && page.git) found.set(page.git.path, page.git.oid)
    if ('pages' in page) page.pages.forEach(note)
  }
  pages.forEach(note)
  expect(found).toEqual(new Map([...contents].map(([path, text]) => [path, gitOid(text)])))
})

test('the official client reads Git metadata', async () => {
  const { spaceId } = await importedSpace()
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data: revision } = await client.spaces.getCurrentRevision(spaceId)
  expect(revision.git).toMatchObject({ oid: firstCommit.oid, createdByGitBook: false, ref: 'refs/heads/main' })
  expect(revision.reusableContents.map(({ git }) => git)).toEqual([places.note])
  const { data: page } = await client.spaces.getPageById(spaceId, revision.pages[0]?.id ?? '')
  expect(page.type === 'document' && page.git).toEqual(places.start)
  const { data: files } = await client.spaces.listFiles(spaceId)
  expect(files.items.map(({ git }) => git)).toEqual([places.picture])
  const { data: silent } = await client.spaces.getCurrentRevision(spaceId, { metadata: false })
  expect(silent).not.toHaveProperty('git')
})
