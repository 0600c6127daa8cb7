import { expect, test } from 'vitest'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatim } from '../../src/content/markdown/references.ts'
import { corpusFiles, readCorpusFile } from '../support/corpus.ts'

const files = corpusFiles()

const parse = (source: string) => parsePage(source, { references: verbatim, isExpression })

test.skipIf(files.length === 0)(
  'what is printed of a real file is read as the same document, and printed the same again',
  () => {
    for (const file of files) {
      const page = parse(readCorpusFile(file))
      const printed = printPage(page, verbatim)
      const again = parse(printed)
      expect({ file, title: again.title, document: again.document }).toEqual({
        file,
        title: page.title,
        document: page.document,
      })
      expect({ file, printed: printPage(again, verbatim) }).toEqual({ file, printed })
    }
  },
)

test.skipIf(files.length === 0)('blocks of a real file stand in order, without overlap, where the source says', () => {
  for (const file of files) {
    const source = readCorpusFile(file)
    let end = 0
    for (const placed of parse(source).placed) {
      expect({ file, ok: placed.start >= end && placed.end > placed.start && placed.end <= source.length }).toEqual({
        file,
        ok: true,
      })
      end = placed.end
    }
  }
})
