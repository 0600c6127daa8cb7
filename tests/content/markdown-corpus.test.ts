import { expect, test } from 'vitest'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { markdownFiles } from '../support/repositories.ts'

const files = markdownFiles()

/** Long enough for a corpus of thousands of files. */
const timeout = 120_000

const parse = (source: string) => parsePage(source, { references: verbatimReferences, isExpression })

test('a printed file is parsed to the same document and printed the same again', { timeout }, () => {
  for (const { name: file, read } of files) {
    const page = parse(read())
    const printed = printPage(page, verbatimReferences)
    const again = parse(printed)
    expect({ file, title: again.title, document: again.document }).toEqual({
      file,
      title: page.title,
      document: page.document,
    })
    expect({ file, printed: printPage(again, verbatimReferences) }).toEqual({ file, printed })
  }
})

test('the source ranges of blocks are in order and do not overlap', { timeout }, () => {
  for (const { name: file, read } of files) {
    const source = read()
    let end = 0
    // Tags of hand-written API descriptions become several blocks; the ranges of all but the first are empty.
    for (const placed of parse(source).locatedBlocks) {
      expect({ file, ok: placed.start >= end && placed.end >= placed.start && placed.end <= source.length }).toEqual({
        file,
        ok: true,
      })
      end = placed.end
    }
  }
})
