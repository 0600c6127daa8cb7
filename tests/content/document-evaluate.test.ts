import { describe, expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import { insertReusableContents } from '../../src/content/document/reusable-contents.ts'
import { evaluateDocument } from '../../src/content/document/evaluate.ts'
import { measureDocument } from '../../src/content/document/limits.ts'
import type { Block, Document } from '../../src/content/document/nodes.ts'
import { walkBlocks, walkInlines } from '../../src/content/document/walk.ts'
import { makeExpressionScope } from '../../src/content/expression/index.ts'
import {
  annotation,
  expandable,
  expression,
  link,
  randomDocument,
  quote,
  reusableBlock,
  textParagraph,
  textNode,
  conditional,
} from '../support/blocks.ts'

const scope = makeExpressionScope({
  visitorClaims: { plan: 'pro', isBeta: true },
  spaceVariables: { version: 'v3', count: 4 },
  pageVariables: { name: 'Page' },
})
const evaluated = (nodes: readonly Block[], mode: 'all' | 'deterministic-only' = 'all') =>
  evaluateDocument(createDocument(nodes), scope, mode).nodes

const deterministic = (...nodes: readonly Block[]) => evaluated(nodes, 'deterministic-only')

const code = (...nodes: Extract<Block, { type: 'code-line' }>['nodes'][number][]): Block => ({
  object: 'block',
  type: 'code',
  nodes: [{ object: 'block', type: 'code-line', nodes }],
})

describe('expressions', () => {
  test.each([
    ['space.vars.version', 'v3'],
    ['space.vars.count + 1', '5'],
    ['visitor.claims.isBeta', 'true'],
    ['visitor.claims.plan === "pro" ? "yes" : "no"', 'yes'],
    ['space.vars.', '{{space.vars.}}'],
    ['space.vars.count.missing()', '{{space.vars.count.missing()}}'],
  ])('"%s" renders as "%s"', (source, shown) => {
    expect(evaluated([paragraph([expression(source)])])).toEqual([textParagraph(shown)])
  })

  test.each(['', 'space.vars.missing', 'null', '[1]', '{a: 1}'])('"%s" renders as empty text', (source) => {
    expect(evaluated([paragraph([textNode('a'), expression(source), textNode('b')])])).toEqual([textParagraph('ab')])
    expect(evaluated([paragraph([expression(source)])])).toEqual([paragraph([])])
  })

  test('are joined with adjacent text of the same marks', () => {
    const bold = leaf('bold', [mark('bold')])
    const nodes = [
      textNode('at '),
      expression('space.vars.version'),
      { object: 'text' as const, leaves: [leaf('!'), bold] },
    ]
    expect(evaluated([paragraph(nodes)])).toEqual([paragraph([{ object: 'text', leaves: [leaf('at v3!'), bold] }])])
  })

  test('are evaluated in links, annotations, fragments and code', () => {
    const source = expression('page.vars.name')
    const inLink: Block = paragraph([{ ...link('p', ''), nodes: [textNode('to '), source] }])
    expect(evaluated([inLink])).toEqual([paragraph([link('p', 'to Page')])])
    expect(evaluated([paragraph([annotation('a', [paragraph([source])])])])).toEqual([
      paragraph([annotation('a', [textParagraph('Page')])]),
    ])
    expect(evaluated([expandable('a', [paragraph([source])])])).toEqual([expandable('a', [textParagraph('Page')])])
    expect(evaluated([code(textNode('let '), source)])).toEqual([code(textNode('let Page'))])
  })

  test('render as their source once the text limit of a document is reached', () => {
    const long = `"${'x'.repeat(1000)}"`
    const nodes = Array.from({ length: 2000 }, () => paragraph([expression(long)]))
    const shown = evaluated(nodes)
    expect(shown[0]).toEqual(textParagraph('x'.repeat(1000)))
    expect(shown.at(-1)).toEqual(textParagraph(`{{${long}}}`))
  })

  test('after the step budget is spent, new ones render as their source and conditions are false', () => {
    const list = `[${'1,'.repeat(15)}]`
    const costly = (index: number) => `${list}.map(a => ${list}.filter(b => a + b + ${index})).length`
    const nodes = Array.from({ length: 3000 }, (_, index) => paragraph([expression(costly(index))]))
    const shown = evaluated([
      ...nodes,
      conditional(costly(-1), textParagraph('hidden')),
      paragraph([expression(costly(0))]),
    ])
    expect(shown.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => textParagraph('15')))
    expect(shown.slice(-2)).toEqual([textParagraph(`{{${costly(2999)}}}`), textParagraph('15')])
  })
})

describe('conditions', () => {
  test.each(['', 'true', 'space.vars.version === "v3"', 'visitor.claims.isBeta', '"text"'])(
    'keeps the blocks inside if the condition is "%s"',
    (source) => {
      expect(
        evaluated([
          textParagraph('a'),
          conditional(source, textParagraph('b'), textParagraph('c')),
          textParagraph('d'),
        ]),
      ).toEqual(['a', 'b', 'c', 'd'].map(textParagraph))
    },
  )

  test.each(['false', 'space.vars.missing', '!visitor.claims.isBeta', 'not an expression', '0'])(
    'removes the blocks inside if the condition is "%s"',
    (source) => {
      expect(evaluated([textParagraph('a'), conditional(source, textParagraph('b')), textParagraph('c')])).toEqual([
        textParagraph('a'),
        textParagraph('c'),
      ])
    },
  )

  test('evaluates nested conditions', () => {
    expect(
      evaluated([
        conditional('true', quote(conditional('false', textParagraph('a')), conditional('true', textParagraph('b')))),
      ]),
    ).toEqual([quote(textParagraph('b'))])
    expect(evaluated([conditional('false', conditional('true', textParagraph('a')))])).toEqual([])
  })
})

describe('deterministic-only mode', () => {
  test.each(['space.vars.version', 'page.vars.name + space.vars.count', '"constant"', 'space.vars["version"]'])(
    'evaluates %s',
    (source) => {
      expect(deterministic(paragraph([expression(source)]))).toEqual(evaluated([paragraph([expression(source)])]))
    },
  )

  test.each([
    'visitor.claims.plan',
    'space.vars.version + visitor.claims.plan',
    'false && visitor.claims.isBeta',
    'visitor',
    'space[page.vars.name]',
    'unknown',
    'not an expression',
  ])('does not evaluate %s', (source) => {
    const nodes = [paragraph([textNode('a'), expression(source)]), conditional(source, textParagraph('b'))]
    expect(deterministic(...nodes)).toEqual(nodes)
  })

  test('evaluates the content of a condition that it keeps', () => {
    expect(
      deterministic(
        conditional(
          'visitor.claims.isBeta',
          paragraph([expression('space.vars.version')]),
          conditional('', textParagraph('a')),
        ),
      ),
    ).toEqual([conditional('visitor.claims.isBeta', textParagraph('v3'), textParagraph('a'))])
  })

  test('followed by full evaluation gives the same result as full evaluation alone', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const document = randomDocument(seed)
      const inSteps = evaluateDocument(evaluateDocument(document, scope, 'deterministic-only'), scope, 'all')
      expect(inSteps).toEqual(evaluateDocument(document, scope, 'all'))
    }
  })
})

test('evaluates generated documents completely and returns the same object the second time', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const once = evaluateDocument(randomDocument(seed), scope, 'all')
    expect(Array.from(walkBlocks(once)).filter(({ type }) => type === 'if')).toEqual([])
    expect(
      Array.from(walkBlocks(once), (block) => [...walkInlines(block)])
        .flat()
        .filter((node) => node.object === 'inline' && node.type === 'expression'),
    ).toEqual([])
    expect(evaluateDocument(once, scope, 'all')).toBe(once)
  }
})

const contentsFrom = (contents: Record<string, readonly Block[]>) => {
  const documents = new Map(Object.entries(contents).map(([name, nodes]) => [name, createDocument(nodes)]))
  return (id: string, space?: string): Document | undefined =>
    documents.get(space === undefined ? id : `${space}/${id}`)
}
const resolved = (nodes: readonly Block[], contents: Record<string, readonly Block[]>) =>
  insertReusableContents(createDocument(nodes), contentsFrom(contents)).nodes

const tenOf = (id: string) => Array.from({ length: 10 }, () => reusableBlock(id))

describe('reusable content', () => {
  test('replaces references, also inside other blocks and other reusable content', () => {
    const contents = {
      a: [textParagraph('a1'), quote(reusableBlock('b')), textParagraph('a2')],
      b: [textParagraph('b')],
    }
    expect(resolved([textParagraph('x'), reusableBlock('a'), expandable('t', [reusableBlock('b')])], contents)).toEqual(
      [
        textParagraph('x'),
        textParagraph('a1'),
        quote(textParagraph('b')),
        textParagraph('a2'),
        expandable('t', [textParagraph('b')]),
      ],
    )
  })

  test('keeps references to unknown content and returns the same document', () => {
    const document = createDocument([reusableBlock('gone'), textParagraph('a')])
    expect(insertReusableContents(document, () => undefined)).toBe(document)
  })

  test('keeps the reference where content would include itself', () => {
    expect(
      resolved([reusableBlock('a')], {
        a: [textParagraph('a'), reusableBlock('b')],
        b: [textParagraph('b'), reusableBlock('a')],
      }),
    ).toEqual([textParagraph('a'), textParagraph('b'), reusableBlock('a')])
  })

  test('can be included several times', () => {
    expect(resolved([reusableBlock('a'), reusableBlock('a')], { a: [textParagraph('a')] })).toEqual([
      textParagraph('a'),
      textParagraph('a'),
    ])
  })

  test('resolves references inside content of another space in that space', () => {
    const contents = {
      's2/a': [paragraph([link('p', 'x')]), reusableBlock('b')],
      's2/b': [textParagraph('b of s2')],
      b: [textParagraph('b of here')],
    }
    expect(resolved([reusableBlock('a', 's2'), reusableBlock('b')], contents)).toEqual([
      paragraph([{ ...link('p', 'x'), data: { ref: { kind: 'page', page: 'p', space: 's2' } } }]),
      textParagraph('b of s2'),
      textParagraph('b of here'),
    ])
  })

  test('is inserted up to 100,000 blocks when contents include each other many times', () => {
    const contents = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`c${index}`, tenOf(`c${index + 1}`)]))
    const document = insertReusableContents(createDocument([reusableBlock('c0')]), contentsFrom(contents))
    expect(measureDocument(document).blocks).toBeLessThanOrEqual(100_000)
    expect(measureDocument(document).blocks).toBeGreaterThan(50_000)
  })

  test('is inserted up to ten times the text limit of a document', () => {
    const nodes = Array.from({ length: 1000 }, () => reusableBlock('long'))
    const document = insertReusableContents(
      createDocument(nodes),
      contentsFrom({ long: [textParagraph('x'.repeat(1_000_000))] }),
    )
    expect(measureDocument(document).textLength).toBeLessThanOrEqual(10 * 1_048_576)
    expect(measureDocument(document).textLength).toBeGreaterThan(8_000_000)
  })

  test('is inserted to a limited depth from a chain of 1,000 contents', () => {
    const contents = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`c${index}`, [quote(reusableBlock(`c${index + 1}`))]]),
    )
    const { depth } = measureDocument(
      insertReusableContents(createDocument([reusableBlock('c0')]), contentsFrom(contents)),
    )
    expect(depth).toBeGreaterThan(5)
    expect(depth).toBeLessThan(50)
  })

  test('keeps references to content that exceeds the block limit', () => {
    const nodes = Array.from({ length: 9000 }, () => reusableBlock('large'))
    const large = Array.from({ length: 95_000 }, () => textParagraph('x'))
    expect(resolved(nodes, { large })).toEqual(nodes)
  })
})
