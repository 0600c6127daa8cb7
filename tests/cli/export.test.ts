import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, updatePage, writePage } from '../support/content.ts'
import { corpusFolders } from '../support/corpus.ts'
import { runCommand } from '../support/command.ts'
import { ownRepositories } from '../support/repositories.ts'
import { readFiles, folderForTest, writeFiles } from '../support/disk.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { runOctavo } from '../support/process.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let server: TestServer
let env: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  env = { OCTAVO_DATA: server.server.app.config.dataFolder }
})
afterAll(() => server.stop())

const manifest = '.octavo-export.json'

/** A text whose encoding is not UTF-8; an export must keep its bytes. */
const utf16 = Buffer.from('\ufeff# Ein Titel\n\nGrüße.\n', 'utf16le')

const files = {
  '.gitbook.yaml': 'root: ./docs/\n',
  'docs/README.md': '# Home\n\n* One\n* Two\n\nSee [the guide](guide.md).\n',
  'docs/SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Old](old/page.md)\n* [BOM](bom.md)\n* [Latin](latin.md)\n* [Little](little-endian.md)\n* [Big](big-endian.md)\n* [Empty](empty.md)\n',
  'docs/guide.md': '---\nauthor: Ada\n---\n\n# Guide\n\nSome __strong__ words.\n\nA second paragraph.\n',
  'docs/old/page.md': '# Old\n\nWill go.\n',
  'docs/.gitbook/assets/logo.bin': Buffer.from([0, 1, 2, 255, 254]),
  'docs/bom.md': Buffer.from('\ufeff# BOM\r\n\r\nLines of Windows.\r\n'),
  'docs/latin.md': Buffer.from('# Caf\u00e9\n\nna\u00efve, and no line end', 'latin1'),
  'docs/little-endian.md': utf16,
  'docs/big-endian.md': Buffer.from(utf16).swap16(),
  'docs/empty.md': '',
  'LICENSE.md': '# Not content\n',
}

async function importedSpace(folder: string): Promise<string> {
  const spaceId = await emptySpace(server.admin)
  const { exitCode, stderr } = await runCommand(['import', folder, '--space', spaceId], env)
  expect({ exitCode, stderr: stderr.replace(/^.*…\n/gm, '') }).toEqual({ exitCode: 0, stderr: '' })
  return spaceId
}

const runExport = (spaceId: string, folder: string, ...more: string[]) =>
  runCommand(['export', '--space', spaceId, folder, ...more], env)

/** Returns the id of the page at a path. */
async function pageAt(spaceId: string, pagePath: string): Promise<string> {
  return (await server.admin.api.getPageByPath({ params: { spaceId, pagePath } })).id
}

/** Returns the files in a folder except the manifest of the export. */
function contentOf(folder: string): Record<string, string> {
  const { [manifest]: _, ...content } = readFiles(folder)
  return content
}

test('exports unedited files byte for byte and changes only the edited block of an edited page', async () => {
  const original = folderForTest(files)
  const spaceId = await importedSpace(original)
  const folder = join(folderForTest(), 'new')
  const first = await runOctavo(['export', '--space', spaceId, folder], env)
  expect(first).toMatchObject({ exitCode: 0 })
  expect(first.stdout).toMatch(new RegExp(`^Wrote 11 files to ${folder} and removed 0; 0 were up to date\\.`))
  const { 'LICENSE.md': _, ...content } = readFiles(original)
  expect(contentOf(folder)).toEqual(content)

  const guide = await pageAt(spaceId, 'guide')
  const words = 'Some **strong** words.\n\nA second paragraph, edited.'
  await editLive(server.admin, spaceId, writePage(guide, words))
  const second = await runExport(spaceId, folder)
  expect(second.stdout).toMatch(/^Wrote 1 file to \S+ and removed 0; 10 were up to date\./)
  const text = files['docs/guide.md'].replace('A second paragraph.', 'A second paragraph, edited.')
  expect(contentOf(folder)).toEqual({ ...content, 'docs/guide.md': text })

  // The folder of the import has no export manifest; an export updates it as well.
  const third = await runExport(spaceId, original)
  expect(third.stdout).toMatch(/^Wrote 1 file /)
  expect(contentOf(original)).toEqual({ ...content, 'LICENSE.md': files['LICENSE.md'], 'docs/guide.md': text })
})

test('removes files of deleted pages, but keeps files edited by hand and files that it did not write', async () => {
  const spaceId = await importedSpace(folderForTest(files))
  const folder = folderForTest({ 'docs/old/notes.txt': 'Mine.\n', 'other/README.md': '# Mine\n' })
  await runExport(spaceId, folder)
  const edited = { ...readFiles(folder) }
  const page = await pageAt(spaceId, 'page')
  await editLive(server.admin, spaceId, { operation: 'delete_page', page }, insertPage('# Added\n\nNew words.'))

  const dry = await runExport(spaceId, folder, '--dry-run')
  expect(dry.stdout.split('\n').slice(0, 3)).toEqual(['~ docs/SUMMARY.md', '+ docs/added.md', '- docs/old/page.md'])
  expect(readFiles(folder)).toEqual(edited)

  await runExport(spaceId, folder)
  expect(existsSync(join(folder, 'docs/old/page.md'))).toBe(false)
  expect(readFiles(folder)).toMatchObject({
    'docs/added.md': '# Added\n\nNew words.\n',
    'docs/old/notes.txt': 'Mine.\n',
    'other/README.md': '# Mine\n',
  })

  // The manifest of the last export identifies files of pages that were never imported.
  const added = await pageAt(spaceId, 'added')
  await editLive(server.admin, spaceId, writePage(added, 'Newer words.'))
  expect((await runExport(spaceId, folder)).stdout).toMatch(/^Wrote 1 file /)
  expect(readFileSync(join(folder, 'docs/added.md'), 'utf8')).toBe('# Added\n\nNewer words.\n')

  // Files edited by hand are neither overwritten nor removed.
  writeFiles(folder, { 'docs/guide.md': '# Changed by hand\n', 'docs/added.md': '# Also changed\n' })
  await editLive(server.admin, spaceId, { operation: 'delete_page', page: added })
  const refused = await runExport(spaceId, folder)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(/nothing was written, because these files .*\n {2}docs\/guide\.md\n$/)
  expect(readFiles(folder)).toMatchObject({
    'docs/guide.md': '# Changed by hand\n',
    'docs/added.md': '# Also changed\n',
  })
  const forced = await runExport(spaceId, folder, '--force')
  expect(forced.stdout).toContain('docs/added.md  is no longer part of the content but was changed; it is kept\n')
  expect(readFiles(folder)).toMatchObject({
    'docs/guide.md': files['docs/guide.md'],
    'docs/added.md': '# Also changed\n',
  })
})

test('does not write through symbolic links', async () => {
  const spaceId = await importedSpace(folderForTest(files))
  const elsewhere = folderForTest({ 'guide.md': '# Elsewhere\n' })
  const [linked, linkedFile] = [folderForTest(), folderForTest({ 'docs/README.md': '# x\n' })]
  symlinkSync(elsewhere, join(linked, 'docs'))
  rmSync(join(linkedFile, 'docs/README.md'))
  symlinkSync(join(elsewhere, 'guide.md'), join(linkedFile, 'docs/README.md'))
  const refused = [await runExport(spaceId, linked, '--force'), await runExport(spaceId, linkedFile, '--force')]
  for (const { exitCode, stderr } of refused) {
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/octavo export: docs(\/README\.md)? is a symbolic link and is not overwritten\n$/)
  }
  expect(readFiles(elsewhere)).toEqual({ 'guide.md': '# Elsewhere\n' })
  expect(existsSync(join(linked, '.gitbook.yaml'))).toBe(false)
})

test('exports a space that was never imported, also at an older revision; importing it back changes nothing', async () => {
  const spaceId = await emptySpace(server.admin)
  const [home = '', below = ''] = await editLive(
    server.admin,
    spaceId,
    insertPage('# Home\n\nWords.'),
    insertPage('# Below\n\nMore.'),
  )
  await editLive(server.admin, spaceId, updatePage(below, { title: 'Renamed' }))
  await addFiles(server.admin, spaceId, inlineFile('a b.txt', 'Bytes.'))
  const { revision } = await server.admin.api.getSpaceById({ params: { spaceId } })
  await editLive(server.admin, spaceId, writePage(home, 'Later words.'))
  const [newest, older] = [folderForTest(), folderForTest()]
  expect(await runExport(spaceId, newest)).toMatchObject({ exitCode: 0 })
  expect(await runExport(spaceId, older, '--revision', revision)).toMatchObject({ exitCode: 0 })
  expect(contentOf(newest)).toMatchObject({
    'README.md': '# Home\n\nLater words.\n',
    '.gitbook/assets/a b.txt': 'Bytes.',
  })
  expect(contentOf(older)).toEqual({ ...contentOf(newest), 'README.md': '# Home\n\nWords.\n' })

  const imported = await runCommand(['import', newest, '--space', spaceId], env)
  expect(imported.stdout).toMatch(/^2 pages, 2 read; pages and groups: 0 added, 0 changed, 0 removed\./m)
  expect((await runExport(spaceId, newest)).stdout).toMatch(/^Wrote 0 files /)
  const absent = await runExport(spaceId, newest, '--revision', 'none')
  expect(absent).toMatchObject({ exitCode: 1, stderr: 'octavo export: No revision was found\n' })
})

const [fromCorpus] = corpusFolders()
  .map((folder) => ({ ...folder, count: Object.keys(readFiles(folder.path)).length }))
  .filter(({ count }) => count > 15)
  .sort((a, b) => a.count - b.count)

test.each([...ownRepositories, ...(fromCorpus ? [fromCorpus] : [])])(
  'the repository $name is imported and exported with identical bytes',
  async ({ path }) => {
    const spaceId = await importedSpace(path)
    const folder = folderForTest()
    expect(await runExport(spaceId, folder)).toMatchObject({ exitCode: 0 })
    const [before, after] = [readFiles(path), contentOf(folder)]
    expect(Object.keys(after).length).toBeGreaterThan(5)
    expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => name in after)))
    // The table of contents and the files in .gitbook are always part of the content.
    const left = Object.keys(before).filter((name) => !(name in after))
    expect(left.filter((name) => name === 'SUMMARY.md' || name.startsWith('.gitbook'))).toEqual([])
  },
)
