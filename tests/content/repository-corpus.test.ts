import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import { exportRepository } from '../../src/content/repository/export.ts'
import { importRepository } from '../../src/content/repository/import.ts'
import { Draft } from '../../src/content/revision/draft.ts'
import { type Objects, readObject } from '../../src/content/revision/objects.ts'
import { type PageNode, openTree, readPageNodes } from '../../src/content/revision/tree.ts'
import { testRepositories } from '../support/repositories.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'

function readFolder(folder: string): MemoryFolder {
  const contents = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) contents.set(name, readFileSync(path, 'latin1'))
  }
  // Text files are UTF-8; all other files remain bytes.
  for (const [name] of contents)
    if (/\.(?:md|ya?ml)$/.test(name)) contents.set(name, readFileSync(join(folder, name), 'utf8'))
  return new MemoryFolder(contents)
}

let ids = 0
const options = () => ({ newId: () => `id${ids++}`, now: '2026-01-01T00:00:00.000Z' })

function documentPages(nodes: readonly PageNode[]): PageNode[] {
  return nodes
    .flatMap((node) => [node, ...documentPages(node.children)])
    .filter(({ entry }) => entry.type === 'document')
}

/** Appends a sentence to a page and returns the new root. */
async function withWords(objects: Objects, root: string, id: string): Promise<string> {
  const tree = await openTree(objects, root)
  const draft = new Draft(tree)
  const page = await draft.getPage(id)
  const { document } = page.body.document
    ? await readObject(objects, 'document', page.body.document)
    : { document: createDocument([]) }
  const paragraph = {
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'One more sentence.', marks: [] }] }],
  } as const
  const hash = objects.write({ kind: 'document', document: { ...document, nodes: [...document.nodes, paragraph] } })
  await draft.updatePage(id, (body) => ({ ...body, document: hash }))
  return draft.commit()
}

/** Returns the lines added to a text in their order, or undefined if a line was removed. */
function addedLines(before: readonly string[], after: readonly string[]): string[] | undefined {
  const added: string[] = []
  let at = 0
  for (const line of after) {
    if (line === before[at]) at++
    else added.push(line)
  }
  return at === before.length ? added : undefined
}

async function comesBack(path: string): Promise<void> {
  const objects = new CountingObjects()
  const folder = readFolder(path)
  const first = await importRepository(objects, folder, options())
  expect(first.pages, path).toBeGreaterThan(0)
  const exported = await exportRepository(objects, {
    before: first,
    after: first.root,
    isTaken: (one) => folder.contents.has(one),
  })
  expect(exported.changes, path).toEqual([])
  folder.readPaths = []
  const second = await importRepository(objects, folder, { ...options(), before: first })
  expect(folder.readPaths).toEqual([])
  expect(second.root).toBe(first.root)
  expect(second.listing).toBe(first.listing)
  expect(second.problems).toEqual(first.problems)
}

/**
 * Checks that appending a sentence to a page changes nothing else. Skips pages that end inside `<center>`, because their
 * last block is reprinted.
 */
async function changesAlone(path: string): Promise<void> {
  const objects = new CountingObjects()
  const folder = readFolder(path)
  const first = await importRepository(objects, folder, options())
  const tree = await openTree(objects, first.root)
  const pages = documentPages(await readPageNodes(objects, tree.root.pages))
  const some = pages.filter((_, index) => index % Math.ceil(pages.length / 10) === 0)
  for (const { entry } of some) {
    const after = await withWords(objects, first.root, entry.id)
    const { changes } = await exportRepository(objects, {
      before: first,
      after,
      isTaken: (one) => folder.contents.has(one),
    })
    const [change] = changes
    // A page without a file gets a new file, and the table of contents a link to it.
    if (change && !folder.contents.has(change.path)) continue
    expect(changes.map(({ path: changed }) => changed)).toHaveLength(1)
    const text = change && 'text' in change ? change.text : ''
    const source = folder.contents.get(change?.path ?? '') ?? ''
    if (/<\/center>\s*$/.test(source)) continue
    const [before, later] = [source, text].map((written) => written.replace(/[\r\n]+$/, '').split(/\r?\n/))
    const added = addedLines(before ?? [], later ?? [])
    expect(
      added?.filter((line) => line !== ''),
      change?.path,
    ).toEqual(['One more sentence.'])
  }
}

describe.each(testRepositories())('repository $name', ({ path }) => {
  test('is imported and exported without changes, and imported again without reading a file', () => comesBack(path))

  test('differs after an edit only by the added sentence in the file of the page', () => changesAlone(path))
})
