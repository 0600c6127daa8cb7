import { expect, test } from 'vitest'
import { exportRepository } from '../../src/content/repository/export.ts'
import { importRepository } from '../../src/content/repository/import.ts'
import { readObject } from '../../src/content/revision/objects.ts'
import { iterateReachableHashes } from '../../src/content/revision/reachable-objects.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'

let ids = 0
const options = { newId: () => `id${ids++}`, now: '2026-01-01T00:00:00.000Z' }

test('the sources of all listed files are reachable from the listing, including the configuration', async () => {
  const objects = new CountingObjects()
  const folder = new MemoryFolder({
    '.gitbook.yaml': 'root: ./docs/\n',
    'docs/SUMMARY.md': '* [Start](README.md)\n',
    'docs/README.md': '# Start\n',
  })
  const { listing } = await importRepository(objects, folder, options)
  const texts: string[] = []
  for await (const hashes of iterateReachableHashes(objects, [listing])) {
    for (const object of await objects.read(hashes)) if (object.kind === 'source') texts.push(object.text)
  }
  expect(texts.sort()).toEqual([...folder.contents.values()].sort())
})

test('a listing keeps its directory until an import sets another one', async () => {
  const objects = new CountingObjects()
  const folder = new MemoryFolder({ 'README.md': '# Start\n' })
  const directoryIn = async (listing: string) => (await readObject(objects, 'listing', listing)).directory
  const first = await importRepository(objects, folder, { ...options, directory: 'products/handbook' })
  expect(await directoryIn(first.listing)).toBe('products/handbook')

  folder.contents.set('other.md', '# Other\n')
  const second = await importRepository(objects, folder, { ...options, before: first })
  expect(await directoryIn(second.listing)).toBe('products/handbook')
  const exported = await exportRepository(objects, { before: second, after: second.root, isTaken: () => false })
  expect(await directoryIn(await exported.list(new Map()))).toBe('products/handbook')

  const third = await importRepository(objects, folder, { ...options, before: second, directory: '' })
  expect(await directoryIn(third.listing)).toBe('')
})
