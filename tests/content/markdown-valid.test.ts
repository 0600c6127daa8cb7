import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DocumentTooLargeError } from '../../src/content/document/limits.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { randomDocument } from '../support/blocks.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { markdownFiles } from '../support/repositories.ts'

// Every document parsed from Markdown must pass the validation of submitted documents.

function expectValid(source: string, where: object): void {
  const { document } = parsePage(source, { references: verbatimReferences, isExpression })
  const sent: unknown = JSON.parse(JSON.stringify(document))
  try {
    const read = readDocument(sent)
    if (!isDeepStrictEqual(read, sent)) expect({ ...where, read }).toEqual({ ...where, read: sent })
  } catch (error) {
    if (!(error instanceof DocumentTooLargeError))
      throw new Error(JSON.stringify({ ...where, source }), { cause: error })
  }
}

describe('ids of headings', () => {
  test.each([
    ['<a id=""></a>', undefined],
    ['<a id="a b"></a>', undefined],
    ['<a id="a&#x22;b"></a>', undefined],
    ['<a id="a<b"></a>', undefined],
    ['<a href="#a" id="a"></a>', { id: 'a' }],
    ['<a href="#a&#x26;b" id="a&#x26;b"></a>', { id: 'a&b' }],
    ['<a href="#中文" id="中文"></a>', { id: '中文' }],
  ])('are parsed from %s, or ignored if they are invalid', (anchor, data) => {
    const { document } = parsePage(`Text\n\n## A ${anchor}\n`, { references: verbatimReferences, isExpression })
    const [, heading] = readDocument(JSON.parse(JSON.stringify(document))).nodes
    expect(heading).toMatchObject({ type: 'heading-1', nodes: [{ leaves: [{ text: 'A' }] }] })
    expect('data' in (heading ?? {}) ? heading?.data : undefined).toEqual(data)
    const printed = printPage({ document }, verbatimReferences)
    expect(parsePage(printed, { references: verbatimReferences, isExpression }).document).toEqual(document)
  })
})

/** Mostly invalid attribute values, inserted at each $ of the pieces below. */
const values = [
  '',
  ' ',
  '1.2.3',
  '1e999',
  '-1',
  'NaN',
  'constructor',
  '__proto__',
  'a b',
  '"',
  "'",
  '<',
  '\0',
  '\ud800',
  '&#0;',
  '中',
]
const pieces = [
  '\n',
  '\n\n',
  '\n\n    ',
  '* ',
  '1. ',
  '999999999. ',
  '* [x] ',
  '> ',
  '# ',
  '## ',
  '```js\n',
  '$$',
  '| a | b |\n| - | :-: |\n| 1 | 2 |\n',
  '[^1]',
  '\n\n[^1]: note\n\n',
  '[a](b)',
  '![a](b "c")',
  ':tada:',
  '**',
  '`',
  '&constructor;',
  '&#x110000;',
  '<constructor>',
  '</constructor>',
  '{% constructor %}',
  '{% endconstructor %}',
  ...['hint', 'tabs', 'tab', 'columns', 'code', 'updates', 'stepper', 'step', 'openapi-schemas', 'swagger'].flatMap(
    (name) => [`\n{% ${name} $ %}\n`, `\n{% end${name} %}\n`],
  ),
  '\n{% column width="$" valign="$" %}\n',
  '\n{% update date="$" tags="$" %}\n',
  '\n{% embed url="$" %}\n',
  '\n{% include "$" %}\n',
  '\n{% if $ %}\n',
  '\n{% @a/b __proto__="$" constructor="$" %}\n',
  '\n{% code collapsedLineCount="$" lineNumbers="$" %}\n```\na\n```\n{% endcode %}\n',
  '<details><summary>$</summary>',
  '</details>',
  '## A <a id="$"></a>\n\n',
  '<h2 align="$" id="$">a</h2>',
  '<p align="$">a</p>',
  '<figure><img src="$" alt="$" width="$" height="$"><figcaption>$</figcaption></figure>',
  '<ol start="$"><li>a</li>$</ol>',
  '<pre data-collapsed-line-count="$"><code class="lang-$">a\n<strong>b</strong></code></pre>',
  '<div data-gb-custom-block data-tag="$" data-style="$" data-expression="$">',
  '<div data-gb-custom-block data-tag="hint" data-style="$">a</div>',
  '<span data-gb-custom-inline data-tag="emoji" data-code="$">',
  '<mark style="color:$;">a</mark>',
  '<i class="fa-$"></i>',
  '<a href="$" class="button $" data-action="$" data-slug="$">a</a>',
  '<table><thead><tr><th width="$" data-type="rating" data-max="$">$</th><th data-type="$">b</th></tr></thead><tbody><tr><td rowspan="$" colspan="2">$</td><td>$</td></tr></tbody></table>',
  '<table><thead><tr><th data-type="number">a</th><th data-type="users">b</th><th data-type="files">c</th></tr></thead><tbody><tr><td>$</td><td><a href="$">$</a></td><td><a href="$">$</a></td></tr></tbody></table>',
]

test('malformed sources are parsed to valid documents', () => {
  const chance = seededRandom(5)
  const pick = <Item>(items: readonly Item[]) => items[randomInteger(chance, 0, items.length - 1)] as Item
  for (let round = 1; round <= 700; round++) {
    const source = Array.from({ length: randomInteger(chance, 1, 12) }, () => pick(pieces)).join('')
    expectValid(
      source.replace(/\$(?!\$)(?<!\$\$)/g, () => pick(values)),
      { round },
    )
  }
})

test('damaged Markdown of generated documents is parsed to valid documents', () => {
  const chance = seededRandom(6)
  for (let seed = 1; seed <= 300; seed++) {
    let source = printPage({ document: randomDocument(seed) }, verbatimReferences)
    for (let count = randomInteger(chance, 1, 8); count > 0; count--) {
      const at = randomInteger(chance, 0, source.length)
      const other = randomInteger(chance, 0, source.length)
      const inserted = source.slice(other, other + randomInteger(chance, 0, 20))
      source = source.slice(0, at) + inserted + source.slice(at + randomInteger(chance, 0, 10))
    }
    expectValid(source, { seed })
  }
})

test('files of repositories are parsed to valid documents', () => {
  for (const { name: file, read } of markdownFiles()) expectValid(read(), { file })
})
