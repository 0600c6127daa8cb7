import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { startUpload, fetchText, upload } from '../support/files.ts'
import { readLiveOutline, readMarkdownAt, formatOutline, startImport } from '../support/imports.ts'
import { imageHeaders } from '../support/pictures.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type ZipEntry, createZip } from '../support/zip.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const put = (name: string, bytes: string | Uint8Array) =>
  upload(octavo.admin, octavo.admin.organizationId, name, typeof bytes === 'string' ? bytes : new Uint8Array(bytes))

const packed = (files: Record<string, string | Uint8Array>) =>
  createZip(Object.entries(files).map(([name, content]): ZipEntry => ({ name, content, isDeflated: true })))

/** Imports files into a new space. */
async function importFiles(...files: [name: string, bytes: string | Uint8Array][]) {
  const spaceId = await emptySpace(octavo.admin)
  const keys: string[] = []
  for (const [name, bytes] of files) keys.push(await put(name, bytes))
  const run = await startImport(octavo.admin, { type: 'file', files: keys }, { space: spaceId })
  return { spaceId, run: await run.waitForEnd() }
}

test('Markdown and HTML files become pages in the given order, with links between them', async () => {
  const { spaceId, run } = await importFiles(
    ['zebra.md', '# Zebra\n\nSee [the ape](ape.md).'],
    ['ape.html', '<title>Ape</title><main><h1>Ape</h1><p>See <a href="zebra.md#x">the zebra</a>.</p></main>'],
    ['No title.md', 'Only text'],
    ['SUMMARY.md', '# All of it\n\nIn short'],
  )
  expect(run).toMatchObject({ status: 'completed', importedResources: 4, totalResources: 4, warnings: [] })
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  expect(formatOutline(pages)).toBe('Zebra, Ape, No title, All of it')
  const [zebra, ape] = pages
  expect(await readMarkdownAt(octavo.admin, spaceId, 'zebra')).toContain(`[the ape](/pages/${ape?.id})`)
  expect(await readMarkdownAt(octavo.admin, spaceId, 'ape')).toContain(`[the zebra](/pages/${zebra?.id}#x)`)
})

test('an archive in repository layout is imported without its top folder', async () => {
  const { api } = octavo.admin
  const png = imageHeaders.png(5, 4)
  const { spaceId, run } = await importFiles([
    'docs.zip',
    packed({
      'docs-main/.gitbook.yaml': 'root: ./manual/\n',
      'docs-main/manual/README.md':
        '# Start\n\n![](.gitbook/assets/shot.png)\n\n{% include ".gitbook/includes/note.md" %}',
      'docs-main/manual/SUMMARY.md':
        '# Contents\n\n* [Start](README.md)\n\n## Basics\n\n* [Install](basics/install.md)\n',
      'docs-main/manual/basics/install.md': '# Install\n\nBack to [the start](../README.md), or [nowhere](gone.md).',
      'docs-main/manual/.gitbook/assets/shot.png': png,
      'docs-main/manual/.gitbook/includes/note.md': 'Mind the gap',
      'docs-main/manual/.gitbook/vars.yaml': 'product: Octavo\n',
      'docs-main/.git/config': 'secret',
    }),
  ])
  const revision = await api.getCurrentRevision({ params: { spaceId } })
  expect(formatOutline(revision.pages)).toBe('Start, Basics (Install)')
  expect(revision.reusableContents).toMatchObject([{ title: 'note' }])
  expect(revision.variables).toEqual({ product: 'Octavo' })
  expect(revision.files).toMatchObject([{ name: 'shot.png', dimensions: { width: 5, height: 4 } }])
  expect(await fetchText(revision.files[0]?.downloadURL ?? '')).toBe(await new Response(png).text())
  expect(run.pages).toMatchObject([
    { title: 'Start', type: 'page' },
    { title: 'Basics', type: 'folder' },
    { title: 'Install' },
  ])
  expect(run).toMatchObject({ status: 'completed', importedResources: 2, warningCount: 1 })
  expect(run.warnings).toMatchObject([
    { file: 'manual/basics/install.md', line: 3, message: expect.stringContaining('gone.md') },
  ])
})

test('an archive without SUMMARY.md becomes a tree of its folders, including HTML and images', async () => {
  const { api } = octavo.admin
  const { spaceId } = await importFiles(
    ['first.md', '# First'],
    [
      'site.zip',
      packed({
        'index.html':
          '<title>Home</title><main><h1>Home</h1><p><a href="guide/">Guide</a></p><p><img src="img/a.png"></p></main>',
        'guide/index.html': '<title>Guide</title><main><h1>Guide</h1><p><a href="../index.html">Home</a></p></main>',
        'guide/notes.md': '# Notes\n\n![](../img/a.png)',
        'img/a.png': imageHeaders.png(1, 1),
      }),
    ],
  )
  const revision = await api.getCurrentRevision({ params: { spaceId } })
  expect(formatOutline(revision.pages)).toBe('First, Home, Guide (Notes)')
  expect(revision.files).toMatchObject([{ name: 'a.png' }])
  const home = await readMarkdownAt(octavo.admin, spaceId, 'readme')
  const guide = await api.getPageByPath({ params: { spaceId, pagePath: 'guide' } })
  expect(home).toContain(`[Guide](/pages/${guide.id})`)
  expect(home).toContain(`/files/${revision.files[0]?.id}`)
  expect(await readMarkdownAt(octavo.admin, spaceId, 'guide/notes')).toContain(`/files/${revision.files[0]?.id}`)
})

test('groups become pages when imported into a page, and duplicate slugs get a number', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const [parent = ''] = await editLive(octavo.admin, spaceId, insertPage('# Parent'))
  await editLive(octavo.admin, spaceId, insertPage('# Install', { into: parent }))
  const key = await put(
    'a.zip',
    packed({
      'SUMMARY.md': '* [Install](install.md)\n\n## Basics\n\n* [More](more.md)\n',
      'install.md': '# Install\n\nOther text',
      'more.md': '# More',
    }),
  )
  const run = await startImport(octavo.admin, { type: 'file', files: [key] }, { space: spaceId, page: parent })
  expect(await run.waitForEnd()).toMatchObject({ status: 'completed' })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Parent (Install, Install, Basics (More))')
  expect(await readMarkdownAt(octavo.admin, spaceId, 'parent/install-1')).toContain('Other text')
  const more = await api.getPageByPath({ params: { spaceId, pagePath: 'parent/basics/more' } })
  expect(more).toMatchObject({ title: 'More' })
})

test('rejects unknown, unfinished and unsupported uploads with 400, and reports damaged files', async () => {
  const { api, organizationId, spaceId } = octavo.admin
  const start = (...files: string[]) =>
    refusal(
      api.startImportRun({
        params: { organizationId },
        body: { source: { type: 'file', files }, target: { space: spaceId } },
      }),
    )
  expect(await start()).toBe('400 body.source.files')
  expect(await start(...Array.from({ length: 51 }, () => 'x'))).toBe('400 body.source.files')
  const good = await put('a.md', '# A')
  expect(await start(good, 'unknown')).toBe('400 body.source.files.1')
  const { key: unfinished } = await startUpload(octavo.admin, organizationId, { name: 'b.md' })
  expect(await start(unfinished)).toBe('400 body.source.files.0')
  expect(await start(await put('a.docx', 'x'))).toBe('400 body.source.files.0')

  const before = await readLiveOutline(octavo.admin, spaceId)
  const reasonOf = async (name: string, bytes: string | Uint8Array) => {
    const run = await startImport(
      octavo.admin,
      { type: 'file', files: [good, await put(name, bytes)] },
      { space: spaceId },
    )
    return (await run.waitForEnd()).reason
  }
  expect(await reasonOf('broken.zip', 'no archive')).toBe('broken.zip: The file is not a ZIP archive or is damaged')
  const { run } = await importFiles(['empty.zip', packed({ 'a.txt': 'x' })])
  expect(run.reason).toBe('The files contain no pages: neither Markdown nor HTML was found')
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe(before)
})
