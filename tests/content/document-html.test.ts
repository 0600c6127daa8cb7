import { describe, expect, test } from 'vitest'
import { documentOf, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import { completeDocument } from '../../src/content/document/complete.ts'
import { diffInlines } from '../../src/content/document/diff.ts'
import { evaluateDocument, evaluateForVisitor } from '../../src/content/document/evaluate.ts'
import type { Block, InlineNode, Paragraph } from '../../src/content/document/nodes.ts'
import { anchorsOfBlock, withAnchors } from '../../src/content/document/outline.ts'
import { anchor, rawHtml } from '../../src/content/document/raw-html.ts'
import { restoreStored } from '../../src/content/document/restore.ts'
import { documentText } from '../../src/content/document/text.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { makeExpressionScope } from '../../src/content/expression/index.ts'
import { slugOf } from '../../src/content/markdown/slug.ts'
import { renderDocument } from '../../src/render/document.ts'
import { heading, says, textOf } from '../support/blocks.ts'
import { officialProblems } from '../support/official-documents.ts'
import { aSetting } from '../support/render-setting.ts'

const comment = rawHtml('<!-- not for readers -->')
const secret = 'not for readers'
const page = (...nodes: Block[]) => documentOf(nodes)
const rendered = (...nodes: Block[]) => renderDocument(withAnchors(page(...nodes), slugOf), aSetting()).text
const scope = makeExpressionScope({ spaceVariables: {}, pageVariables: {} })

describe('HTML that is kept', () => {
  const document = page(
    paragraph([comment]),
    paragraph([textOf('Before '), comment, textOf('after')]),
    heading(1, 'Title'),
    paragraph([
      { object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'x' } }, nodes: [comment, textOf('l')] },
    ]),
  )

  test('is not in the page, and a paragraph of nothing else is no paragraph', () => {
    const html = rendered(...document.nodes)
    expect(html).not.toContain(secret)
    expect(html).toContain('<p>Before after</p>')
    expect(html).not.toContain('<p></p>')
  })

  test('is not in the text', () => {
    expect(documentText(document)).toBe('Before after\nTitle\nl')
  })

  test('is not in what visitors read, but in what members read', () => {
    expect(JSON.stringify(evaluateForVisitor(document, scope))).not.toContain(secret)
    expect(evaluateForVisitor(document, scope).nodes).toHaveLength(3)
    expect(JSON.stringify(evaluateDocument(document, scope, 'all'))).toContain(secret)
  })

  test('is replaced and removed as a whole', () => {
    const changes = diffInlines([textOf('a '), comment], [textOf('a '), rawHtml('<!-- other -->')])
    expect(changes.map(({ kind, nodes }) => [kind, nodes])).toEqual([
      ['equal', [textOf('a ')]],
      ['removed', [comment]],
      ['added', [rawHtml('<!-- other -->')]],
    ])
  })
})

const underlined = (...nodes: InlineNode[]) => paragraph(nodes)

describe('formatting', () => {
  test('is shown where it is closed', () => {
    expect(rendered(underlined(rawHtml('<u>'), textOf('a'), rawHtml('</u>')))).toBe('<p><u>a</u></p>')
    expect(rendered(underlined(rawHtml('<u class="x">'), textOf('a'), rawHtml('</u>')))).toBe('<p><u>a</u></p>')
  })

  test('without a partner, or of unknown names, is not shown', () => {
    expect(rendered(underlined(rawHtml('<u>'), textOf('a')))).toBe('<p>a</p>')
    expect(rendered(underlined(textOf('a'), rawHtml('</small>')))).toBe('<p>a</p>')
    expect(rendered(underlined(rawHtml('<form>'), textOf('a'), rawHtml('</form>')))).toBe('<p>a</p>')
  })

  test('that overlaps is well formed', () => {
    const nodes = [
      rawHtml('<u>'),
      textOf('a'),
      rawHtml('<small>'),
      textOf('b'),
      rawHtml('</u>'),
      textOf('c'),
      rawHtml('</small>'),
    ]
    expect(rendered(underlined(...nodes))).toBe('<p><u>ab</u>c</p>')
  })
})

describe('anchors', () => {
  test('are places in the page, each once, and never change the id of a heading', () => {
    const nodes = [
      paragraph([anchor('setup')]),
      paragraph([anchor('here'), textOf('a'), anchor('here')]),
      heading(1, 'Setup'),
    ]
    const anchored = withAnchors(page(...nodes), slugOf)
    const ids = anchored.nodes.flatMap(anchorsOfBlock).map(({ id }) => id)
    expect(ids).toEqual(['here', 'setup'])
    const html = rendered(...nodes)
    expect(html.match(/id="setup"/g)).toHaveLength(1)
    expect(html).toContain('<h2 id="setup"')
    expect(html.match(/id="here"/g)).toHaveLength(1)
  })

  test('alone are reachable without a paragraph', () => {
    expect(rendered(paragraph([anchor('x')]))).toBe('<span id="x"></span>')
    expect(evaluateForVisitor(page(paragraph([comment, anchor('x')])), scope).nodes).toEqual([paragraph([anchor('x')])])
  })
})

describe('the public form', () => {
  const document = page(
    paragraph([textOf('a'), comment, { ...anchor('x'), key: 'k' }, rawHtml('<u>'), rawHtml('<script>a()</script>')]),
  )

  test('fits the public schema, and is read back as what it was', () => {
    const complete = completeDocument(document)
    expect(officialProblems(complete)).toEqual([])
    const sent = readDocument(JSON.parse(JSON.stringify(complete)))
    expect(restoreStored(sent, document)).toEqual(document)
  })

  test('is what it looks like when it was changed', () => {
    const link = {
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'anchor', anchor: 'x' }, id: 'x' },
      nodes: [textOf('t')],
    }
    const expression = {
      object: 'inline',
      type: 'expression',
      isVoid: true,
      data: { expression: 'a', html: '<!-- x -->' },
    }
    const sent = {
      object: 'document',
      nodes: [{ object: 'block', type: 'paragraph', nodes: [link, expression] }],
    }
    const { nodes } = readDocument(sent).nodes[0] as Paragraph
    expect(nodes).toEqual([
      { object: 'inline', type: 'link', data: { ref: { kind: 'anchor', anchor: 'x' } }, nodes: [textOf('t')] },
      { object: 'inline', type: 'expression', isVoid: true, data: { expression: 'a' } },
    ])
  })

  test.each(['text', '<!-- a --> b -->', '<u>a</u>', '<u', '<b><i>', '<script>a</style>'])('refuses %s', (html) => {
    const sent = { object: 'document', nodes: [{ object: 'block', type: 'paragraph', nodes: [rawHtml(html)] }] }
    expect(() => readDocument(sent)).toThrow('Must be an HTML comment, tag or script')
  })

  test('marks and words around are not changed', () => {
    const marked = { object: 'text' as const, leaves: [leaf('a', [mark('bold')])] }
    const original = page(paragraph([marked, comment, marked]), says('b'))
    expect(restoreStored(readDocument(completeDocument(original)), undefined)).toEqual(original)
  })
})
