import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseForgiving } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatim } from '../../src/content/markdown/references.ts'

/** Real repositories beside this one; where they are not, there is nothing to read. */
const corpus = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus')
const files = existsSync(corpus)
  ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  : []
if (files.length === 0) console.log('There is no corpus beside the checkout: its files are not read.')

function isExpression(source: string): boolean {
  try {
    parseForgiving(source)
    return true
  } catch {
    return false
  }
}

const parse = (source: string) => parsePage(source, { references: verbatim, isExpression })

test.skipIf(files.length === 0)(
  'what is printed of a real file is read as the same document, and printed the same again',
  () => {
    for (const file of files) {
      const page = parse(readFileSync(join(corpus, file), 'utf8'))
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
    const source = readFileSync(join(corpus, file), 'utf8')
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
