import { expect, test } from 'vitest'
import { documentOf } from '../../src/content/document/build.ts'
import { identify, withoutKeys } from '../../src/content/document/identify.ts'
import type { Block, Document, Table } from '../../src/content/document/nodes.ts'
import { Author, edited, keysOf, page, print, read } from '../support/edited-documents.ts'

/** The keys of the blocks at the top, by what they say. */
const keys = (document: Document) =>
  Object.fromEntries(document.nodes.map((block) => [print(documentOf([block])).trimEnd(), block.key]))

test('every block has a key, the same in every run', () => {
  const markdown = '* a\n* b\n\n{% hint style="info" %}\nc\n{% endhint %}\n\n***\n\n***'
  expect(new Set(keysOf(page(markdown))).size).toBe(keysOf(page(markdown)).length)
  expect(keysOf(page(markdown))).not.toContain('none')
  expect(page(markdown)).toEqual(page(markdown))
})

test('what is put before, moved or edited keeps its key', () => {
  const before = page('The first paragraph of all\n\nThe second one\n\nAnd a third')
  const after = edited(before, 'New\n\nAnd a third\n\nThe first paragraph of them all\n\nThe second one')
  expect(keys(after)).toMatchObject({
    'And a third': keys(before)['And a third'],
    'The first paragraph of them all': keys(before)['The first paragraph of all'],
    'The second one': keys(before)['The second one'],
  })
  expect(Object.values(keys(before))).not.toContain(keys(after)['New'])
})

test('a lone block in the place of another of its type is that block, rewritten', () => {
  const before = page('## Title\n\nOld words\n\n***')
  expect(edited(before, '## Title\n\nSomething else\n\n***').nodes[1]?.key).toBe(before.nodes[1]?.key)
  expect(edited(before, '## Title\n\n```\nOld words\n```\n\n***').nodes[1]?.key).not.toBe(before.nodes[1]?.key)
})

test('blocks inside others are told apart too, and keep their keys when they leave', () => {
  const before = page('{% hint style="info" %}\nAlpha beta\n\nGamma delta\n{% endhint %}\n\nLast')
  const after = edited(before, '{% hint style="info" %}\nAlpha beta\n{% endhint %}\n\nLast\n\nGamma delta')
  const hint = before.nodes[0] as Extract<Block, { type: 'hint' }>
  expect(after.nodes[0]?.key).toBe(hint.key)
  expect(after.nodes[2]?.key).toBe(hint.nodes[1]?.key)
})

test('keys that come with blocks are kept when they are valid and unique', () => {
  const [one, two, three] = read('One\n\nTwo\n\nThree').nodes as [Block, Block, Block]
  const { nodes } = identify(
    undefined,
    documentOf([
      { ...one, key: 'k-1' },
      { ...two, key: 'k-1' },
      { ...three, key: 'not valid' },
    ]),
  )
  expect(nodes[0]?.key).toBe('k-1')
  expect(nodes[1]?.key).toMatch(/^[a-z2-7]{12}$/)
  expect(nodes[2]?.key).toMatch(/^[a-z2-7]{12}$/)
})

test('equal insertions at one place get equal keys, at different places different ones', () => {
  const before = page('One\n\nTwo')
  const inserted = edited(before, 'One\n\nNew\n\nTwo').nodes[1]?.key
  expect(edited(before, 'One\n\nNew\n\nTwo\n\nMore').nodes[1]?.key).toBe(inserted)
  expect(edited(before, 'One\n\nTwo\n\nNew').nodes[2]?.key).not.toBe(inserted)
})

test('a row at the top and a column at the left do not rename the others', () => {
  const before = page('| Name | Port |\n| --- | --- |\n| http | 80 |\n| ssh | 22 |')
  const after = edited(
    before,
    '| Nr | Name | Port |\n| --- | --- | --- |\n| 0 | dns | 53 |\n| 1 | http | 80 |\n| 2 | ssh | 22 |',
  )
  const [old, now] = [before.nodes[0] as Table, after.nodes[0] as Table]
  expect(now.key).toBe(old.key)
  expect(now.data.view.columns.slice(1)).toEqual(old.data.view.columns)
  expect(Object.keys(now.data.records).slice(1)).toEqual(Object.keys(old.data.records))
  const names = now.fragments.map(({ fragment }) => fragment)
  expect(names).toEqual(expect.arrayContaining(old.fragments.map(({ fragment }) => fragment)))
  expect(new Set(names).size).toBe(9)
})

test('without keys a document is as it was read, whatever happened to its names', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const author = new Author('base', seed)
    const before = author.document()
    const after = read(print(author.change(before)))
    expect(withoutKeys(identify(before, after))).toEqual(after)
  }
})

const many = (from: number) => Array.from({ length: 5000 }, (_, index) => `Line ${from + index} of many`).join('\n\n')

test('very many blocks are matched in one go', () => {
  const before = page(many(0))
  const after = edited(before, many(2500))
  expect(after.nodes.slice(0, 2500).map(({ key }) => key)).toEqual(before.nodes.slice(2500).map(({ key }) => key))
})
