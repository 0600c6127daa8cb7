import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type RangedArchive, ArchiveError, readArchive, stripTopFolder } from '../../src/files/archive.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { createZip } from '../support/zip.ts'

const limits = { maxFiles: 100, maxBytes: 1_000_000, maxFileBytes: 500_000 }

async function read(source: Parameters<typeof readArchive>[0], changed: Partial<typeof limits> = {}) {
  const files: Record<string, string> = {}
  for await (const { path, bytes } of readArchive(source, { ...limits, ...changed })) {
    files[path] = Buffer.from(bytes).toString()
  }
  return files
}

async function refusal(source: Parameters<typeof readArchive>[0], changed: Partial<typeof limits> = {}) {
  const error: unknown = await read(source, changed).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ArchiveError)
  return (error as ArchiveError).message
}

/** Returns an archive that is read in parts; `reads` counts the reads. */
function inParts(bytes: Buffer): RangedArchive & { reads: number } {
  return {
    size: bytes.length,
    reads: 0,
    async *read(start, end) {
      this.reads++
      const middle = (start + end) >> 1
      yield bytes.subarray(start, middle)
      yield bytes.subarray(middle, end)
    },
  }
}

test('extracts files unchanged from a buffer, a file and a source read in parts', async () => {
  const long = 'Octavo '.repeat(20_000)
  const archive = createZip([
    { name: 'docs/', mode: 0o040755 },
    { name: 'docs/README.md', content: '# Hello' },
    { name: 'docs/long ü.md', content: long, isDeflated: true },
    { name: 'docs/empty.md' },
  ])
  const expected = { 'docs/README.md': '# Hello', 'docs/long ü.md': long, 'docs/empty.md': '' }
  expect(await read(archive)).toEqual(expected)
  expect(await read(new Uint8Array(archive))).toEqual(expected)
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.zip'), archive)
  expect(await read(join(folder, 'a.zip'))).toEqual(expected)
  expect(await read(inParts(archive))).toEqual(expected)
})

test('reads the records of many files in few reads', async () => {
  const source = inParts(createZip(Array.from({ length: 100 }, (_, index) => ({ name: `${index}.md` }))))
  expect(Object.keys(await read(source))).toHaveLength(100)
  expect(source.reads).toBeLessThan(10)
})

test('skips symbolic links, system files and paths outside the archive', async () => {
  const link = { content: '/etc/passwd', mode: 0o120777 }
  const names = [
    '/etc/passwd',
    '../up.md',
    'a/../../up.md',
    '..\\up.md',
    'C:\\x.md',
    'c:x.md',
    'a\0b.md',
    '\\\\host\\x.md',
  ]
  const leftBehind = ['__MACOSX/._a.md', 'a/.DS_Store', '.DS_Store']
  const archive = createZip([
    ...[...names, ...leftBehind].map((name) => ({ name, content: 'no' })),
    { name: 'link.md', ...link },
    { name: './a//b/./c.md', content: 'yes' },
    { name: 'windows\\d.md', content: 'yes', mode: 0 },
    { name: 'dots..md', content: 'yes' },
  ])
  expect(await read(archive)).toEqual({ 'a/b/c.md': 'yes', 'windows/d.md': 'yes', 'dots..md': 'yes' })
})

test('enforces size and file limits regardless of the declared sizes', async () => {
  const bomb = { name: 'bomb.md', content: Buffer.alloc(2_000_000), isDeflated: true, size: 10 }
  expect(await refusal(createZip([bomb]))).toBe('bomb.md is larger than 500000 bytes')
  expect(await refusal(createZip([{ ...bomb, isDeflated: false }]))).toBe('bomb.md is larger than 500000 bytes')
  const half = { content: Buffer.alloc(400_000), isDeflated: true }
  const many = createZip(['a', 'b', 'c'].map((name) => ({ name, ...half })))
  expect(await refusal(many)).toBe('The files of the archive exceed the size limit')
  expect(Object.keys(await read(many, { maxBytes: 1_200_000 }))).toEqual(['a', 'b', 'c'])
  const files = ['a', 'b', 'c'].map((name) => ({ name }))
  expect(await refusal(createZip(files), { maxFiles: 2 })).toBe('The archive contains more than 2 files')
  const folders = Array.from({ length: 30 }, (_, index) => ({ name: `${index}/` }))
  expect(await refusal(createZip(folders), { maxFiles: 2 })).toBe('The archive contains more than 2 files')
})

test('rejects an unreadable, encrypted or unsupported archive with a specific message', async () => {
  const good = createZip([{ name: 'a.md', content: 'text', isDeflated: true }])
  const notZip = 'The file is not a ZIP archive or is damaged'
  expect(await refusal(Buffer.from('hello'))).toBe(notZip)
  expect(await refusal(new Uint8Array())).toBe(notZip)
  expect(await refusal(good.subarray(0, good.length - 10))).toBe(notZip)
  expect(await refusal('/nowhere/at/all.zip')).toBe(notZip)
  const damaged = 'The archive is damaged and could not be extracted'
  expect(await refusal(createZip([{ name: 'a.md', content: 'text', checksum: 1 }]))).toBe(damaged)
  expect(await refusal(createZip([{ name: 'a.md', content: 'text', method: 8 }]))).toBe(damaged)
  expect(await refusal(good.subarray(20))).toMatch(/damaged/)
  expect(await refusal(createZip([{ name: 'a.md', content: 'x', flags: 1 }]))).toBe('The archive is password-protected')
  expect(await refusal(createZip([{ name: 'a.md', content: 'x', method: 14 }]))).toBe(
    'a.md uses an unsupported compression method',
  )
})

test('a damaged archive either extracts or fails with ArchiveError', async () => {
  const chance = seededRandom(7)
  const good = createZip([
    { name: 'a.md', content: 'Text '.repeat(50), isDeflated: true },
    { name: 'b/c.md', content: 'Other' },
  ])
  let refused = 0
  for (let round = 0; round < 500; round++) {
    const damaged = Buffer.from(good)
    for (let flips = 0; flips < 3; flips++)
      damaged[randomInteger(chance, 0, damaged.length - 1)] = randomInteger(chance, 0, 255)
    const source = round % 2 === 0 ? damaged : inParts(damaged)
    const error: unknown = await read(source).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error === undefined) continue
    expect(error).toBeInstanceOf(ArchiveError)
    refused++
  }
  expect(refused).toBeGreaterThan(100)
})

test('removes a top folder that all files share', () => {
  expect(stripTopFolder(['repo-main/README.md', 'repo-main/a/b.md'])).toEqual(['README.md', 'a/b.md'])
  expect(stripTopFolder(['repo/README.md', 'other/b.md'])).toEqual(['repo/README.md', 'other/b.md'])
  expect(stripTopFolder(['repo/README.md', 'repository/b.md'])).toEqual(['repo/README.md', 'repository/b.md'])
  expect(stripTopFolder(['README.md'])).toEqual(['README.md'])
  expect(stripTopFolder(['.gitbook/assets/a.png'])).toEqual(['.gitbook/assets/a.png'])
  expect(stripTopFolder([])).toEqual([])
})
