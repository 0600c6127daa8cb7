import { describe, expect, test } from 'vitest'
import { createDocument, paragraph } from '../../src/content/document/build.ts'
import { completeDocument } from '../../src/content/document/complete.ts'
import { assignKeys, withoutKeys } from '../../src/content/document/assign-keys.ts'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Block, Document, Table } from '../../src/content/document/nodes.ts'
import { mapReferences, collectReferences } from '../../src/content/document/references.ts'
import { restoreStoredDocument } from '../../src/content/document/restore.ts'
import { documentText } from '../../src/content/document/text.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { textNode } from '../support/blocks.ts'

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options).document
const print = (document: Document) => printPage({ document }, verbatimReferences)
const tableOf = ({ nodes: [table] }: Document): Table => table as Table
const titles = (document: Document) => Object.values(tableOf(document).data.definition).map(({ title }) => title)
const source = '| ![i](a.png) | [L](x.md) | **B** c | D |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |\n'

describe('table headers that are not plain text', () => {
  test('are stored as fragments, for pipe tables and HTML tables', () => {
    const document = parse(source)
    const { definition } = tableOf(document).data
    expect(Object.values(definition).map(({ title, header }) => [title, header])).toEqual([
      ['', 'r0c1'],
      ['', 'r0c2'],
      ['', 'r0c3'],
      ['D', undefined],
    ])
    const html =
      '<table><thead><tr><th><a href="x.md">L</a></th><th width="100">D</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>\n'
    expect(tableOf(parse(html)).data.definition['c1']).toMatchObject({ title: '', header: 'r0c1' })
    expect(print(parse(html))).toBe(html)
  })

  test('are unchanged after printing and parsing', () => {
    const document = parse(source)
    expect(print(document).split('\n')[0]).toContain('[L](x.md)')
    expect(parse(print(document))).toEqual(document)
    const edited = withoutKeys(assignKeys(document, parse(source.replace('| 4 |', '| 5 |'))))
    const printed = splicePage(source, { document: edited }, options)
    expect(printed).toContain('[L](x.md)')
    expect(printed).toContain('a.png')
  })

  test('are included in the text and the references of the document', () => {
    const document = parse(source)
    expect(documentText(document)).toBe('L B c D\n1 2 3 4')
    expect(Array.from(collectReferences(document))).toHaveLength(2)
    const changed = mapReferences(document, (ref) => (ref.kind === 'url' ? { kind: 'url', url: `y/${ref.url}` } : ref))
    expect(print(changed)).toContain('[L](y/x.md)')
  })

  test('have a title in replies that is not stored', () => {
    const stored = assignKeys(undefined, parse(source))
    const reply = completeDocument(stored)
    expect(titles(reply)).toEqual(['', 'L', 'B c', 'D'])
    expect(restoreStoredDocument(readDocument(reply), stored)).toEqual(stored)
    expect(restoreStoredDocument(readDocument(reply), undefined)).toEqual(stored)
  })

  test('are replaced by a title that a client changed', () => {
    const stored = assignKeys(undefined, parse(source))
    const [column] = Object.keys(tableOf(stored).data.definition).slice(1)
    const reply = structuredClone(completeDocument(stored))
    ;(tableOf(reply).data.definition[column as string] as { title: string }).title = 'Other'
    const restored = restoreStoredDocument(readDocument(reply), stored)
    expect(print(restored)).toContain('| Other ')
    expect(print(restored)).not.toContain('x.md')
    expect(print(restored)).toContain('a.png')
  })

  test('keep their ids when they are edited', () => {
    const before = assignKeys(undefined, parse(source))
    const after = assignKeys(before, parse(source.replace('**B** c', '**B** d')))
    expect(Object.keys(tableOf(after).data.definition)).toEqual(Object.keys(tableOf(before).data.definition))
    expect(tableOf(after).fragments.map(({ fragment }) => fragment)).toEqual(
      tableOf(before).fragments.map(({ fragment }) => fragment),
    )
    expect(assignKeys(before, parse(source))).toEqual(before)
  })
})

describe('merging table headers', () => {
  const base = assignKeys(undefined, parse(source))
  const side = (from: string, to: string) => assignKeys(base, parse(source.replace(from, to)))

  test('combines a header edited by one side with a cell edited by the other', async () => {
    const { document, conflicts } = await mergeDocuments(base, side('**B** c', '**B** new'), side('| 4 |', '| 5 |'))
    expect(conflicts).toEqual([])
    expect(documentText(document)).toBe('L B new D\n1 2 3 5')
  })

  test('combines a title that one side changed to a link with a cell edited by the other', async () => {
    const { document, conflicts } = await mergeDocuments(base, side('| D |', '| [D](d.md) |'), side('| 4 |', '| 5 |'))
    expect(conflicts).toEqual([])
    expect(print(document)).toContain('[D](d.md)')
  })

  test('has a conflict on a header that both sides changed, and keeps ours', async () => {
    const { document, conflicts } = await mergeDocuments(
      base,
      side('| D |', '| [D](d.md) |'),
      side('| D |', '| [E](e.md) |'),
    )
    expect(conflicts).toHaveLength(1)
    expect(conflicts[0]).toMatchObject({ parts: [{ part: expect.stringMatching(/^columns\/.*\/header$/) }] })
    expect(print(document)).toContain('[D](d.md)')
    expect(print(document)).not.toContain('e.md')
  })

  test('has a conflict if one side replaced a header by text and the other edited it, and keeps ours', async () => {
    const plain = side('[L](x.md)', 'Plain')
    const edited = side('[L](x.md)', '[Link](x.md)')
    for (const [ours, theirs, kept] of [
      [plain, edited, 'Plain'],
      [edited, plain, '[Link](x.md)'],
    ] as const) {
      const { document, conflicts } = await mergeDocuments(base, ours, theirs)
      expect(conflicts.length).toBeGreaterThan(0)
      expect(print(document)).toContain(kept)
    }
  })
})

test('a header that refers to a missing fragment is empty', () => {
  const document = createDocument([
    {
      ...tableOf(parse('| A |\n| --- |\n| 1 |\n')),
      fragments: [{ object: 'fragment', fragment: 'r1c1', nodes: [paragraph([textNode('1')])] }],
    } as Block,
  ])
  const broken = structuredClone(document)
  ;(tableOf(broken).data.definition['c1'] as { header?: string }).header = 'gone'
  expect(documentText(readDocument(broken))).toBe('1')
  expect(titles(completeDocument(broken))).toEqual([''])
  expect(print(readDocument(broken))).toContain('| 1')
})
