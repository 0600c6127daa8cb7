import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { expect, test } from 'vitest'
import { leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { type ParsedPage, parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { isLong } from '../support/long.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { markdownFiles } from '../support/repositories.ts'
import { withEditedWord } from '../support/word-edits.ts'

const options = { references: verbatimReferences, isExpression }
const parse = (source: string) => parsePage(source, options)
const text = (value: string): Block => paragraph([{ object: 'text', leaves: [leaf(value)] }])

/** Milliseconds for a test, because the corpus has thousands of files. */
const timeout = 120_000

/** Returns all files of this repository and a random part of the files of the corpus. */
const sampleFiles = (chance: () => number, part: number) =>
  markdownFiles().filter(({ isOwn }) => isOwn || chance() < part)

test('prints an unedited page exactly as its source', { timeout }, () => {
  const chance = seededRandom(10)
  for (const { name: file, read } of sampleFiles(chance, isLong ? 1 : 0.1)) {
    const source = read()
    const page = parse(source)
    expect({ file, isSame: splicePage(source, page, options) === source }).toEqual({ file, isSame: true })
    // Stored documents have block keys and stable table ids.
    const stored = { ...page, document: assignKeys(undefined, page.document) }
    expect({ file, isSame: splicePage(source, stored, options) === source }).toEqual({ file, isSame: true })
  }
})

const isList = (block: Block | undefined) => block?.type.startsWith('list-') ?? false

/** Tags of hand-written API descriptions are parsed to several blocks; editing one of them prints all of them. */
const hasOwnRange = ({ start, end }: { start: number; end: number }, { locatedBlocks }: ParsedPage) =>
  end > start && !locatedBlocks.some((other) => other.start === end && other.end === end)

test('an edit keeps the source of all other blocks', { timeout }, () => {
  const chance = seededRandom(20)
  for (const { name: file, read } of sampleFiles(chance, isLong ? 1 : 0.05)) {
    const source = read()
    const page = parse(source)
    const { locatedBlocks, document } = page
    if (locatedBlocks.length === 0) continue
    const at = randomInteger(chance, 0, locatedBlocks.length - 1)
    const to = randomInteger(chance, 0, locatedBlocks.length - 1)
    const edits: Record<string, (blocks: readonly Block[]) => readonly Block[]> = {
      edit: (blocks) => blocks.with(at, text('Edited.')),
      insert: (blocks) => blocks.toSpliced(at, 0, text('Inserted.')),
      remove: (blocks) => blocks.toSpliced(at, 1),
      move: (blocks) => blocks.toSpliced(at, 1).toSpliced(to, 0, blocks[at] as Block),
    }
    const kind = Object.keys(edits)[randomInteger(chance, 0, 3)] as string
    const change = edits[kind] as (typeof edits)[string]
    const nodes = change(document.nodes)
    const result = splicePage(source, { ...page, document: { ...document, nodes } }, options)
    const after = parse(result)
    expect({ file, kind, title: after.title, nodes: after.document.nodes }).toEqual({
      file,
      kind,
      title: page.title,
      nodes,
    })
    // Adjacent lists cannot both keep their marker.
    const isFree = (block: Block, index: number) => !isList(block) || ![nodes[index - 1], nodes[index + 1]].some(isList)
    const free = new Set(nodes.filter(isFree))
    for (const { start, end } of locatedBlocks.filter((one) => free.has(one.block) && hasOwnRange(one, page))) {
      expect({ file, kind, isKept: result.includes(source.slice(start, end)) }).toEqual({ file, kind, isKept: true })
    }
  }
})

test('editing a word changes exactly one line', { timeout }, () => {
  const chance = seededRandom(30)
  for (const { name: file, read } of sampleFiles(chance, isLong ? 1 : 0.1)) {
    const source = read()
    const page = parse(source)
    const document = withEditedWord(page.document, chance, 'Zebra')
    if (!document) continue
    const edited = document.nodes.findIndex((block) => JSON.stringify(block).includes('Zebra'))
    const located = page.locatedBlocks[edited]
    if (!located || !hasOwnRange(located, page)) continue
    const result = splicePage(source, { ...page, document }, options)
    const [before, after] = [source.split('\n'), result.split('\n')]
    const changed = before.filter((line, index) => line !== after[index])
    expect({ file, lines: after.length, changed: changed.length }).toEqual({ file, lines: before.length, changed: 1 })
  }
})
