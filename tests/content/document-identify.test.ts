import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import { assignKeys, withoutKeys } from '../../src/content/document/assign-keys.ts'
import type { Block, Document, Table } from '../../src/content/document/nodes.ts'
import {
  DocumentEditor,
  parseEdited,
  collectKeys,
  parseWithKeys,
  printDocument,
  parseDocument,
} from '../support/edited-documents.ts'

/** Returns the keys of the top-level blocks by their Markdown. */
const keys = (document: Document) =>
  Object.fromEntries(document.nodes.map((block) => [printDocument(createDocument([block])).trimEnd(), block.key]))

test('gives every block a unique key that is the same in every run', () => {
  const markdown = '* a\n* b\n\n{% hint style="info" %}\nc\n{% endhint %}\n\n***\n\n***'
  expect(new Set(collectKeys(parseWithKeys(markdown))).size).toBe(collectKeys(parseWithKeys(markdown)).length)
  expect(collectKeys(parseWithKeys(markdown))).not.toContain('none')
  expect(parseWithKeys(markdown)).toEqual(parseWithKeys(markdown))
})

test('keeps the keys of moved and edited blocks and gives an inserted block a new one', () => {
  const before = parseWithKeys('The first paragraph of all\n\nThe second one\n\nAnd a third')
  const after = parseEdited(before, 'New\n\nAnd a third\n\nThe first paragraph of them all\n\nThe second one')
  expect(keys(after)).toMatchObject({
    'And a third': keys(before)['And a third'],
    'The first paragraph of them all': keys(before)['The first paragraph of all'],
    'The second one': keys(before)['The second one'],
  })
  expect(Object.values(keys(before))).not.toContain(keys(after)['New'])
})

test('keeps the key of a block that is moved past others and edited at once', () => {
  const [a, b, c] = ['One paragraph about apples', 'Another paragraph about green pears', 'A last one about plums']
  const before = parseWithKeys(`${a}\n\n${b}\n\n${c}`)
  const edited = `${b} and quinces`
  const swapped = parseEdited(before, `${c} and figs\n\n${edited}\n\n${a}`)
  expect(keys(swapped)).toEqual({ [`${c} and figs`]: keys(before)[c], [edited]: keys(before)[b], [a]: keys(before)[a] })
  const nested = parseEdited(before, `{% hint style="info" %}\n${edited}\n{% endhint %}\n\n${a}`)
  expect((nested.nodes[0] as Extract<Block, { type: 'hint' }>).nodes[0]?.key).toBe(keys(before)[b])
})

test('gives a block a new key if it shares only few words with a deleted one elsewhere', () => {
  const before = parseWithKeys('First of all\n\nAnother paragraph about green pears\n\nLast of all')
  const after = parseEdited(before, 'Last of all\n\nAnother note about blue plums\n\nFirst of all')
  expect(Object.values(keys(before))).not.toContain(keys(after)['Another note about blue plums'])
})

test('keeps the key of a rewritten block between unchanged blocks if its type is the same', () => {
  const before = parseWithKeys('## Title\n\nOld words\n\n***')
  expect(parseEdited(before, '## Title\n\nSomething else\n\n***').nodes[1]?.key).toBe(before.nodes[1]?.key)
  expect(parseEdited(before, '## Title\n\n```\nOld words\n```\n\n***').nodes[1]?.key).not.toBe(before.nodes[1]?.key)
})

test('keeps the key of a nested block that leaves its container', () => {
  const before = parseWithKeys('{% hint style="info" %}\nAlpha beta\n\nGamma delta\n{% endhint %}\n\nLast')
  const after = parseEdited(before, '{% hint style="info" %}\nAlpha beta\n{% endhint %}\n\nLast\n\nGamma delta')
  const hint = before.nodes[0] as Extract<Block, { type: 'hint' }>
  expect(after.nodes[0]?.key).toBe(hint.key)
  expect(after.nodes[2]?.key).toBe(hint.nodes[1]?.key)
})

test('keeps given keys that are valid and unique and replaces the others', () => {
  const [one, two, three] = parseDocument('One\n\nTwo\n\nThree').nodes as [Block, Block, Block]
  const { nodes } = assignKeys(
    undefined,
    createDocument([
      { ...one, key: 'k-1' },
      { ...two, key: 'k-1' },
      { ...three, key: 'not valid' },
    ]),
  )
  expect(nodes[0]?.key).toBe('k-1')
  expect(nodes[1]?.key).toMatch(/^[a-z2-7]{12}$/)
  expect(nodes[2]?.key).toMatch(/^[a-z2-7]{12}$/)
})

test('gives equal insertions the same key at the same position and another key elsewhere', () => {
  const before = parseWithKeys('One\n\nTwo')
  const inserted = parseEdited(before, 'One\n\nNew\n\nTwo').nodes[1]?.key
  expect(parseEdited(before, 'One\n\nNew\n\nTwo\n\nMore').nodes[1]?.key).toBe(inserted)
  expect(parseEdited(before, 'One\n\nTwo\n\nNew').nodes[2]?.key).not.toBe(inserted)
})

test('keeps the names of rows, columns and cells when a row and a column are inserted first', () => {
  const before = parseWithKeys('| Name | Port |\n| --- | --- |\n| http | 80 |\n| ssh | 22 |')
  const after = parseEdited(
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

test('returns a document that equals the parsed one after its keys are removed', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const author = new DocumentEditor('base', seed)
    const before = author.document()
    const after = parseDocument(printDocument(author.change(before)))
    expect(withoutKeys(assignKeys(before, after))).toEqual(after)
  }
})

const many = (from: number) => Array.from({ length: 5000 }, (_, index) => `Line ${from + index} of many`).join('\n\n')

test('matches 2,500 common blocks of two documents with 5,000 blocks each', () => {
  const before = parseWithKeys(many(0))
  const after = parseEdited(before, many(2500))
  expect(after.nodes.slice(0, 2500).map(({ key }) => key)).toEqual(before.nodes.slice(2500).map(({ key }) => key))
})
