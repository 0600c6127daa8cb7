import { expect, test } from 'vitest'
import { importRepository } from '../../src/content/repository/import.ts'
import { readObject } from '../../src/content/revision/objects.ts'
import { readSequence } from '../../src/content/revision/sequence.ts'
import { openGitListing } from '../../src/resources/content/git-listing.ts'
import { MemoryFolder, gitOid } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'

const told = { metadata: true }

/** Imports a repository of 400 pages and returns its listed items. */
async function importPages() {
  const contents = new Map<string, string>()
  for (let page = 0; page < 400; page++) contents.set(`part-${page % 25}/page-${page}.md`, `# Page ${page}\n`)
  const objects = new CountingObjects()
  let ids = 0
  const { listing } = await importRepository(objects, new MemoryFolder(contents), {
    newId: () => `id${String(ids++).padStart(6, '0')}`,
    now: '2026-01-01T00:00:00.000Z',
    directory: '',
  })
  const items = await readSequence(objects, (await readObject(objects, 'listing', listing)).items)
  objects.reads = 0
  return { contents, objects, items, content: { revision: { listing_hash: listing }, tree: { objects } } }
}

test('finds the place of one page without reading the places of the others', async () => {
  const { contents, objects, items, content } = await importPages()
  const { id, path } = items[200] as (typeof items)[number]
  const places = await openGitListing(content, told).findBlobs([id])
  expect(places).toEqual(new Map([[id, { oid: gitOid(contents.get(path) ?? ''), path }]]))
  // The listing, and one node of each of its two sequences.
  expect(objects.reads).toBe(3)
})

test('finding the places of all pages reads the listing once', async () => {
  const { contents, objects, items, content } = await importPages()
  const places = await openGitListing(content, told).findBlobs(items.map(({ id }) => id))
  const read = objects.reads
  const found = new Map([...places.values()].map(({ oid, path }) => [path, oid]))
  expect(found).toEqual(new Map([...contents].map(([path, text]) => [path, gitOid(text)])))

  objects.reads = 0
  const listing = await readObject(objects, 'listing', content.revision.listing_hash)
  await readSequence(objects, listing.files)
  await readSequence(objects, listing.items)
  expect(read).toBe(objects.reads)
})

test('reads nothing without a listing, without metadata or for an empty list of pages', async () => {
  const { objects, items, content } = await importPages()
  const ids = items.map(({ id }) => id)
  const unlisted = { ...content, revision: { listing_hash: null } }
  expect(await openGitListing(unlisted, told).findBlobs(ids)).toEqual(new Map())
  expect(await openGitListing(content, { metadata: false }).findBlobs(ids)).toEqual(new Map())
  expect(await openGitListing(content, told).findBlobs([])).toEqual(new Map())
  expect(objects.reads).toBe(0)
})
