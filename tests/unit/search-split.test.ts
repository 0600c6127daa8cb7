import { expect, test } from 'vitest'
import type { Document } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { splitIntoSections } from '../../src/content/document/sections.ts'

const read = (markdown: string): Document =>
  withAnchorIds(parsePage(`# Page\n\n${markdown}`, { references: verbatimReferences, isExpression }).document, toSlug)

const split = (markdown: string) =>
  splitIntoSections(read(markdown)).map(({ anchor, body, conditions }) => [anchor, body, ...conditions])

const given = (condition: string, text: string) => `{% if ${condition} %}\n${text}\n{% endif %}`

test('splits a page at its headings, with a first section even when it is empty', () => {
  expect(split('Before\n\n## One\n\nFirst\n\n> quoted\n\n### Two\n\n## Three\n\nThird')).toEqual([
    [null, 'Before'],
    ['one', 'First\nquoted'],
    ['two', ''],
    ['three', 'Third'],
  ])
  expect(split('')).toEqual([[null, '']])
  expect(split('## One')).toEqual([
    [null, ''],
    ['one', ''],
  ])
})

test('conditional content is a section of its own, and the content after it continues the outer section', () => {
  const [beta, gold] = ['visitor.claims.beta', 'visitor.claims.plan == "gold"']
  const inner = `Inside\n\n## Secret heading\n\nDeep\n\n${given(gold, 'Deeper')}\n\nStill deep`
  expect(split(`## Open\n\nBefore\n\n${given(beta, inner)}\n\nAfter`)).toEqual([
    [null, ''],
    ['open', 'Before'],
    ['open', 'Inside', beta],
    ['secret-heading', 'Deep', beta],
    ['secret-heading', 'Deeper', beta, gold],
    ['secret-heading', 'Still deep', beta],
    ['open', 'After'],
  ])
})

test('conditional content is never part of an unconditional section, in any block', () => {
  const secret = given('visitor.claims.beta', 'secret')
  const places = [
    secret,
    `> quote\n>\n> ${secret.replaceAll('\n', '\n> ')}`,
    `{% hint style="info" %}\nhint\n\n${secret}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="One" %}\n${secret}\n{% endtab %}\n{% endtabs %}`,
    `<details>\n<summary>more</summary>\n\n${secret}\n\n</details>`,
    `- item\n\n  ${secret.replaceAll('\n', '\n  ')}`,
  ]
  for (const place of places) {
    const sections = splitIntoSections(read(`Before\n\n${place}\n\nAfter`))
    const telling = sections.filter(({ body, heading }) => `${heading} ${body}`.includes('secret'))
    expect(telling.map(({ conditions }) => conditions)).toEqual([['visitor.claims.beta']])
    expect(sections.at(-1)).toMatchObject({ conditions: [], body: expect.stringContaining('After') })
  }
})

const paragraph = (text: string) => ({
  object: 'block' as const,
  type: 'paragraph' as const,
  nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
})

test('conditional content in a table cell is not part of the text of the table', () => {
  const conditional = {
    object: 'block' as const,
    type: 'if' as const,
    data: { expression: 'visitor.claims.beta' },
    nodes: [paragraph('secret')],
  }
  const document: Document = {
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'table',
        isVoid: true,
        data: {
          view: { type: 'grid', columns: ['name'], hideHeader: false },
          definition: { name: { id: 'name', title: 'Name', type: 'text' } },
          records: { one: { orderIndex: 'a', values: { name: 'cell' } } },
        },
        fragments: [{ object: 'fragment', fragment: 'cell', nodes: [paragraph('open'), conditional] }],
      },
    ],
  }
  expect(splitIntoSections(document)).toMatchObject([
    { body: 'Name\nopen', conditions: [] },
    { body: 'secret', conditions: ['visitor.claims.beta'] },
  ])
})

test('omits expressions that depend on the visitor', () => {
  expect(split('Hello <code class="expression">visitor.claims.name</code>, welcome')).toEqual([
    [null, 'Hello , welcome'],
  ])
})

test('splits a long text into several sections of the same anchor without losing words', () => {
  const words = Array.from({ length: 5000 }, (_, index) => `word${index}`)
  const sections = splitIntoSections(read(`## Long\n\n${words.join(' ')}`))
  const long = sections.filter(({ anchor }) => anchor === 'long')
  expect(long.length).toBeGreaterThan(5)
  expect(long.map(({ isBeginning }) => isBeginning)).toEqual([true, ...long.slice(1).map(() => false)])
  expect(Math.max(...long.map(({ body }) => body.length))).toBeLessThanOrEqual(4000)
  expect(
    long
      .map(({ body }) => body)
      .join(' ')
      .split(' '),
  ).toEqual(words)
})
