import { describe, expect, test } from 'vitest'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Document, Table } from '../../src/content/document/nodes.ts'
import { parseEdited, parseWithKeys, printDocument } from '../support/edited-documents.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

// One side deletes some of several equal siblings and the other edits some. Which ones were deleted is ambiguous, but not how
// many: no deletion and no edit may be lost without a conflict.

const kinds: Record<string, (texts: readonly string[]) => string> = {
  paragraphs: (texts) => texts.join('\n\n'),
  'list items': (texts) => texts.map((text) => `* ${text}`).join('\n'),
  'items of ordered lists': (texts) => texts.map((text, at) => `${at + 1}. ${text}`).join('\n'),
  'table rows': (texts) => ['| Name | Note |', '| --- | --- |', ...texts.map((text) => `| ${text} | n |`)].join('\n'),
  'code lines': (texts) => ['```js', ...texts, '```'].join('\n'),
  'paragraphs in a hint': (texts) => `{% hint style="info" %}\n${texts.join('\n\n')}\n{% endhint %}`,
}

const same = 'Repeat the step above'
const around = (markdown: string, isAlone: boolean) => (isAlone ? markdown : `Before all.\n\n${markdown}\n\nAfter all.`)

/** Counts the occurrences of each text in a document. */
function count(document: Document, texts: readonly string[]): number[] {
  const markdown = printDocument(document)
  return texts.map((text) => markdown.split(text).length - 1)
}

describe.each(Object.entries(kinds))('equal %s', (_, write) => {
  test('merge a deletion with an edit of the second one, or conflict', async () => {
    const before = parseWithKeys(write([same, same, same]))
    const shorter = parseEdited(before, write([same, same]))
    for (const edit of ['Repeat the second step above', 'Other words']) {
      const changed = parseEdited(before, write([same, edit, same]))
      for (const [ours, theirs] of [
        [shorter, changed],
        [changed, shorter],
      ] as const) {
        const { document, conflicts } = await mergeDocuments(before, ours, theirs)
        if (conflicts.length === 0) expect(count(document, [same, edit])).toEqual([1, 1])
      }
    }
  })

  test('lose no deletion and no edit in a merge without conflicts', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const chance = seededRandom(seed)
      const size = randomInteger(chance, 2, 7)
      const isAlone = randomInteger(chance, 0, 1) === 0
      const texts = Array.from({ length: size }, () => same)
      const deleted = randomInteger(chance, 1, size - 1)
      const edits = texts.map((text, at) => {
        const choice = randomInteger(chance, 0, 3)
        return choice === 0 ? `Edit ${at} other words` : choice === 1 ? `${text} edit${at}` : text
      })
      const isInserted = randomInteger(chance, 0, 3) === 0
      const withNew = isInserted ? edits.toSpliced(randomInteger(chance, 0, size), 0, 'Inserted here') : edits
      const before = parseWithKeys(around(write(texts), isAlone))
      const shorter = parseEdited(before, around(write(texts.slice(deleted)), isAlone))
      const changed = parseEdited(before, around(write(withNew), isAlone))
      for (const [ours, theirs] of [
        [shorter, changed],
        [changed, shorter],
      ] as const) {
        const { document, conflicts } = await mergeDocuments(before, ours, theirs)
        if (conflicts.length > 0) continue
        const own = withNew.filter((text) => text !== same)
        const [rest = 0, ...found] = count(document, [same, ...own])
        const marked = own.filter((text) => text.startsWith(same)).length
        expect({ seed, found, rest: rest - marked }).toEqual({
          seed,
          found: own.map(() => 1),
          rest: texts.length - deleted - own.length + (isInserted ? 1 : 0),
        })
      }
    }
  })

  test('keep all keys when some of them are edited', () => {
    const texts = Array.from({ length: 80 }, () => same)
    const before = parseWithKeys(write(texts))
    const after = parseEdited(
      before,
      write(texts.with(10, 'Other words').with(40, `${same} too`).with(70, 'More words')),
    )
    expect(allKeys(after)).toEqual(allKeys(before))
  })
})

/** Returns the document without its texts: the keys of all blocks and the names of rows. */
function allKeys(document: Document): unknown {
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === 'leaves' || name === 'values' ? undefined : name === 'records' ? Object.keys(value as object) : value,
    ),
  )
}

const tableOf = (document: Document) => document.nodes[0] as Table
const indexesOf = (document: Document) =>
  Object.values(tableOf(document).data.records).map(({ orderIndex }) => orderIndex)
const namesOf = (document: Document) => Object.keys(tableOf(document).data.records)

describe('order indexes of rows', () => {
  const before = parseWithKeys('| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |')
  const without = (row: number): Document => {
    const table = tableOf(before)
    const records = Object.fromEntries(Object.entries(table.data.records).filter((_, at) => at !== row))
    return { ...before, nodes: [{ ...table, data: { ...table.data, records } }] }
  }

  test('are kept when a row was deleted and the Markdown is parsed again', () => {
    const shorter = without(1)
    expect(indexesOf(shorter)).toEqual(['000001', '000003', '000004'])
    const again = parseEdited(shorter, printDocument(shorter))
    expect(again.nodes[0]).toEqual({ ...tableOf(shorter), fragments: tableOf(again).fragments })
    expect(indexesOf(parseEdited(shorter, printDocument(shorter).replace('5', 'five')))).toEqual([
      '000001',
      '000003',
      '000004',
    ])
    expect(indexesOf(parseEdited(shorter, printDocument(shorter).replace(/^\| 5 .*\n/m, '')))).toEqual([
      '000001',
      '000004',
    ])
  })

  test('are renumbered when rows are reordered or added', () => {
    const shorter = without(1)
    const moved = parseEdited(shorter, '| a | b |\n| --- | --- |\n| 5 | 6 |\n| 1 | 2 |\n| 7 | 8 |')
    expect(indexesOf(moved)).toEqual(['000001', '000002', '000003'])
    const [first, second, third] = namesOf(shorter)
    expect(namesOf(moved)).toEqual([second, first, third])
    const longer = parseEdited(shorter, `${printDocument(shorter).trimEnd()}\n| 9 | 10 |`)
    expect(indexesOf(longer)).toEqual(['000001', '000002', '000003', '000004'])
  })
})
