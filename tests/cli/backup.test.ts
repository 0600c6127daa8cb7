import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { RevisionFile } from '../../src/contract/revision.ts'
import { createFolderBlobs } from '../../src/storage/blobs.ts'
import { runCommand } from '../support/command.ts'
import { editLive, insertPage, propose, readLive } from '../support/content.ts'
import { addFiles, inlineFile, fetchText } from '../support/files.ts'
import { homeForTest, migratedHomeForTest } from '../support/home.ts'
import { type ServerProcess, runOctavo, startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId, listAllTeams } from '../support/teams.ts'

const folderOf = (env: Record<string, string>) => env['OCTAVO_DATA'] as string
const blobsOf = (env: Record<string, string>) => createFolderBlobs(join(folderOf(env), 'blobs'))

/** Waits between requests, which would otherwise take the processor time that the backup needs. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

test('a backup of a running server contains every change and file acknowledged before the backup started', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const organizationId = await getOrganizationId(server.api())
  // Covers an empty file, a small one, and one larger than a single part of the backup.
  const files = [Buffer.alloc(0), Buffer.from('small'), randomBytes(2_500_000)]
  const hashes = await Promise.all(files.map((bytes) => blobsOf(env).put(bytes)))
  const spaceId = await emptySpaceIn(server, organizationId)
  const [page] = await editLive({ api: server.api() }, spaceId, insertPage('# Guide\n\nThe first words.'))
  const proposal = await propose({ api: server.api() }, spaceId)
  const [proposed] = await proposal.edit(insertPage('# Proposed\n\nNot live yet.'))

  const acknowledged: string[] = []
  const enough = new AbortController()
  const write = async (writer: number) => {
    for (let number = 1; !enough.signal.aborted; number++) {
      const title = `${writer}-${number}`
      await server.api().createOrganizationTeam({ params: { organizationId }, body: { title } })
      acknowledged.push(title)
      await pause()
    }
  }
  const acknowledgedFiles: string[] = []
  const writeFiles = async () => {
    for (let number = 1; !enough.signal.aborted; number++) {
      const name = `file ${number}`
      await addFiles({ api: server.api() }, spaceId, inlineFile(name, `The bytes of ${name}.`))
      acknowledgedFiles.push(name)
      await pause()
    }
  }
  const writers = Promise.all([write(1), write(2), write(3), writeFiles()])
  await waitUntil(
    async () => acknowledged.length > 20 && acknowledgedFiles.length > 5,
    'some teams and files are written',
  )
  const [before, filesBefore] = [[...acknowledged], [...acknowledgedFiles]]
  const file = join(folderOf(await homeForTest()), 'octavo.backup')
  const backup = await runOctavo(['backup', file], env)
  enough.abort()
  await writers
  expect(backup.stderr).toBe('Copying the database…\nChecking the backup…\n')
  expect(backup.stdout).toMatch(new RegExp(`^Wrote and verified ${file}: \\d+ rows, \\d+ files\\.\\n$`))
  expect(acknowledged.length).toBeGreaterThan(before.length)

  const empty = await homeForTest()
  const restored = await runOctavo(['restore', file], empty)
  expect(restored).toMatchObject({ exitCode: 0 })
  expect(restored.stdout).toMatch(/^Restored \d+ rows and \d+ files into /)
  const second = await startServerProcess(empty)
  const titles = await titlesIn(second)
  expect(before.filter((title) => !titles.includes(title))).toEqual([])
  expect(titles.filter((title) => !acknowledged.includes(title))).toEqual([])
  for (const [index, hash] of hashes.entries()) {
    expect(Buffer.compare((await blobsOf(empty).get(hash)) ?? Buffer.from('absent'), files[index] as Buffer)).toBe(0)
  }
  expect(leftovers(empty)).toEqual([])

  const person = { api: second.api() }
  expect((await readLive(person, spaceId, page ?? '')).markdown).toContain('The first words.')
  const restoredFiles = await allFiles(person, spaceId)
  expect(filesBefore.filter((name) => !restoredFiles.some((one) => one.name === name))).toEqual([])
  // Files added while the backup was written must be readable too if their rows are in it.
  for (const { name, downloadURL } of restoredFiles) {
    const { pathname, search } = new URL(downloadURL)
    expect(await fetchText(`${second.url}${pathname}${search}`)).toBe(`The bytes of ${name}.`)
  }
  expect(await person.api.mergeChangeRequest({ params: proposal.params })).toMatchObject({ result: 'merge' })
  expect((await readLive(person, spaceId, proposed ?? '')).markdown).toContain('Not live yet.')
})

test('restore refuses a non-empty folder without --replace; with it, a running server returns the restored data', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const organizationId = await getOrganizationId(server.api())
  const add = (title: string) => server.api().createOrganizationTeam({ params: { organizationId }, body: { title } })
  await add('Before')
  const kept = await blobsOf(env).put(Buffer.from('kept'))
  const file = join(folderOf(await homeForTest()), 'octavo.backup')
  await runCommand(['backup', file], env)
  await add('After')
  await blobsOf(env).delete(kept)

  const refused = await runCommand(['restore', file], env)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /octavo restore: The data folder is not empty\. Use `--replace` to replace its content/,
  )
  expect(await titlesIn(server)).toEqual(['After', 'Before'])
  expect(await blobsOf(env).get(kept)).toBeUndefined()

  expect(await runCommand(['restore', file, '--replace'], env)).toMatchObject({ exitCode: 0 })
  expect(await titlesIn(server)).toEqual(['Before'])
  expect((await blobsOf(env).get(kept))?.toString()).toBe('kept')
  await add('Afterwards')
  expect(await titlesIn(server)).toEqual(['Afterwards', 'Before'])
})

test('restore rejects a damaged, truncated, foreign or missing file and changes nothing', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  await server.api().createOrganizationTeam({
    params: { organizationId: await getOrganizationId(server.api()) },
    body: { title: 'A title that is nowhere else' },
  })
  const folder = folderOf(await homeForTest())
  const path = (name: string) => join(folder, name)
  await runCommand(['backup', path('good')], env)
  const good = readFileSync(path('good'))
  const flipped = Buffer.from(good)
  // Flips a bit in the text of a row, which the database engine does not detect.
  flipped[good.indexOf('A title that is nowhere else')]! ^= 1
  const files: Record<string, [content: Buffer | string, told: RegExp]> = {
    flipped: [flipped, /is damaged: its checksum does not match/],
    half: [good.subarray(0, good.length / 2), /is not a backup of Octavo, or it is incomplete/],
    letter: ['Dear Sir or Madam', /is not a backup of Octavo, or it is incomplete/],
  }
  for (const [name, [content]] of Object.entries(files)) writeFileSync(path(name), content)
  const target = { OCTAVO_DATA: path('target') }
  const names = [...Object.keys(files), 'absent']
  const outcomes = await Promise.all(names.map((name) => runCommand(['restore', path(name), '--replace'], target)))
  outcomes.forEach(({ exitCode, stdout, stderr }, index) => {
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    const [, told = /The file \S+ does not exist/] = files[names[index] as string] ?? []
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(told)
  })
  expect(existsSync(path('target'))).toBe(false)
  expect(readdirSync(folder).sort()).toEqual([...Object.keys(files), 'good'].sort())

  const onRunning = await runCommand(['restore', path('flipped'), '--replace'], env)
  expect(onRunning.exitCode).toBe(1)
  expect(await titlesIn(server)).toEqual(['A title that is nowhere else'])
})

test('backup fails for an existing file, a missing target folder and a missing database', async () => {
  const env = await migratedHomeForTest()
  const folder = folderOf(await homeForTest())
  const taken = join(folder, 'taken')
  writeFileSync(taken, 'precious')
  const [over, nowhere, nothing] = await Promise.all([
    runCommand(['backup', taken], env),
    runCommand(['backup', join(folder, 'no', 'where')], env),
    runCommand(['backup', join(folder, 'new')], { OCTAVO_DATA: join(folder, 'none') }),
  ])
  expect(over).toMatchObject({ exitCode: 1, stderr: `octavo backup: ${taken} already exists\n` })
  expect(nowhere).toMatchObject({
    exitCode: 1,
    stderr: `octavo backup: The folder ${join(folder, 'no')} does not exist\n`,
  })
  expect(nothing.exitCode).toBe(1)
  expect(nothing.stderr).toMatch(/^octavo backup: No database was found at \S+\n$/)
  expect(readFileSync(taken, 'utf8')).toBe('precious')
  expect(readdirSync(folder)).toEqual(['taken'])
})

test('restore into a running server rebuilds its search index and links', async () => {
  const [source, target] = [await homeForTest(), await homeForTest()]
  const file = join(folderOf(source), 'octavo.backup')
  const [from, to] = [await startServerProcess(source), await startServerProcess(target)]
  const { page, spaceId } = await searchablePage(from, 'aurochs')
  await searchablePage(to, 'mammoth')
  await runCommand(['backup', file], source)
  expect(await runCommand(['restore', file, '--replace'], target)).toMatchObject({ exitCode: 0 })
  const found = await waitUntil(() => findIn(to.api(), spaceId, 'aurochs'), 'the page is found')
  expect(found).toEqual([page])
  const links = await waitUntil(async () => {
    const { items } = await to.api().listSpaceLinks({ params: { spaceId } })
    return items.length > 0 && items
  }, 'the link is listed')
  expect(links).toMatchObject([{ targetReference: { kind: 'url', url: 'https://example.com/aurochs' } }])
  const params = { organizationId: await getOrganizationId(to.api()) }
  const mammoths = await to.api().searchOrganizationContent({ params, query: { query: 'mammoth' } })
  expect(mammoths.items).toEqual([])
})

async function searchablePage(server: ServerProcess, word: string) {
  const spaceId = await emptySpaceIn(server, await getOrganizationId(server.api()))
  const [page] = await editLive(
    { api: server.api() },
    spaceId,
    insertPage(`# Page\n\n${word} on [a site](https://example.com/${word})`),
  )
  await waitUntil(() => findIn(server.api(), spaceId, word), 'the page is found')
  return { page, spaceId }
}

async function findIn(api: Client, spaceId: string, query: string): Promise<string[] | undefined> {
  const { items } = await api.searchSpaceContent({ params: { spaceId }, query: { query } })
  return items.length > 0 ? items.map(({ id }) => id) : undefined
}

async function emptySpaceIn(server: ServerProcess, organizationId: string): Promise<string> {
  const { id } = await server.api().createSpace({ params: { organizationId }, body: { title: 'Guide', empty: true } })
  return id
}

async function allFiles({ api }: { api: Client }, spaceId: string): Promise<RevisionFile[]> {
  const { revision: revisionId } = await api.getSpaceById({ params: { spaceId } })
  return (await api.getRevisionById({ params: { spaceId, revisionId } })).files
}

async function titlesIn(server: ServerProcess): Promise<string[]> {
  const teams = await listAllTeams(server.api(), await getOrganizationId(server.api()))
  return teams.map(({ title }) => title).sort()
}

/** Returns the temporary files left in the data folder. */
function leftovers(env: Record<string, string>): string[] {
  return readdirSync(folderOf(env)).filter((name) => name.startsWith('.'))
}
