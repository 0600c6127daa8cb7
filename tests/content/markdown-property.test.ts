import { expect, test } from 'vitest'
import type { Document } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { DocumentGenerator, words } from '../support/generated-documents.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

// Checks that printing and parsing restores generated documents, and documents of implausible sources.

test('generated documents are unchanged after printing and parsing', () => {
  for (let seed = 1; seed <= 850; seed++) {
    const document = new DocumentGenerator(seed).document()
    const printed = printPage({ document }, verbatimReferences)
    const read = parsePage(printed, { references: verbatimReferences, isExpression: () => true }).document
    expect({ seed, printed, read }).toEqual({ seed, printed, read: document })
  }
}, 120_000)

/** Pieces of Markdown and text whose meaning depends on their neighbors. */
const pieces = [
  ...words,
  ' ',
  '  ',
  '\t',
  '\n',
  '\\\n',
  '\n*\n\n    ',
  '\n1.\n\n    ',
  '**b**',
  '_i_',
  '~~s~~',
  '`c`',
  '[l](u)',
  '![a](b.png "t")',
  '[l]({{ site.url }}/u)',
  '<kbd title={`x`}>',
  '\n%%\nx\n%%\n',
  '$$m$$',
  '[p.md](p.md#a "mention")',
  '[^n]',
  '<br>',
  '<mark style="color:red;">',
  '</mark>',
  '<kbd>',
  '</kbd>',
  '<a href="u">',
  '</a>',
  '<code>',
  '</code>',
  '<i class="fa-star">:star:</i>',
  '<https://example.com>',
  '&#x20;',
  '&copy',
  'http://',
  'www.',
  '[ ]',
  '](',
  '][',
  '**',
  '\u00a0',
  '\u3000',
  '\ufeff',
]

/** Functions that put a text into a block of a page. */
const containers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `## ${text.replace(/\n/g, ' ')}`,
  (text) => `* ${text.replace(/\n/g, '\n  ')}`,
  (text) => `1. x\n   ${text.replace(/\n/g, '\n   ')}`,
  (text) => `> ${text.replace(/\n/g, '\n> ')}`,
  (text) => `{% hint style="info" %}\n${text}\n{% endhint %}`,
  (text) => `* x\n\n  {% hint style="info" %}\n${text}\n{% endhint %}\n* y`,
  (text) => `!!! note "x"\n    ${text.replace(/\n/g, '\n    ')}`,
  (text) => `=== "x"\n    ${text.replace(/\n/g, '\n    ')}\n\n=== "y"\n\n    z`,
  (text) => `> [!tip] y\n> ${text.replace(/\n/g, '\n> ')}`,
  (text) => `<Note>\n${text}\n</Note>`,
  (text) => `<table>\n<tr>\n<td>\n\n${text}\n\n</td>\n</tr>\n</table>`,
  (text) => `<ul>\n<li>\n\n${text}</li>\n</ul>`,
]

const parse = (source: string) =>
  parsePage(source, { references: verbatimReferences, isExpression: () => true }).document

test('a document parsed from random text is unchanged after printing and parsing, and prints the same text again', () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const chance = seededRandom(seed)
    const pick = <T>(items: readonly T[]) => items[randomInteger(chance, 0, items.length - 1)] as T
    const text = Array.from({ length: randomInteger(chance, 1, 8) }, () => pick(pieces)).join('')
    const source = `${pick(containers)(text)}\n\n[^n]: note\n`
    const document = withoutEmpty(parse(source))
    const printed = printPage({ document }, verbatimReferences)
    const again = withoutEmpty(parse(printed))
    expect({ seed, source, printed, document: again }).toEqual({ seed, source, printed, document })
    expect({ seed, source, printed: printPage({ document: again }, verbatimReferences) }).toEqual({
      seed,
      source,
      printed,
    })
  }
}, 120_000)

/** Removes empty paragraphs, which are not printed. */
function withoutEmpty(document: Document): Document {
  return { ...document, nodes: document.nodes.filter((block) => block.type !== 'paragraph' || block.nodes.length > 0) }
}
