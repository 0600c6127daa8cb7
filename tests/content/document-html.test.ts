import { describe, expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import { completeDocument } from '../../src/content/document/complete.ts'
import { diffInlines } from '../../src/content/document/diff.ts'
import { evaluateDocument, evaluateForVisitor } from '../../src/content/document/evaluate.ts'
import type { Block, InlineNode, Paragraph } from '../../src/content/document/nodes.ts'
import { anchorsOfBlock, withAnchorIds } from '../../src/content/document/outline.ts'
import { createAnchorInline, createHtmlInline } from '../../src/content/document/raw-html.ts'
import { restoreStoredDocument } from '../../src/content/document/restore.ts'
import { documentText } from '../../src/content/document/text.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { makeExpressionScope } from '../../src/content/expression/index.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { renderDocument } from '../../src/render/document.ts'
import { heading, textParagraph, textNode } from '../support/blocks.ts'
import { officialProblems } from '../support/official-documents.ts'
import { createRenderContext } from '../support/render-context.ts'

const comment = createHtmlInline('<!-- not for readers -->')
const secret = 'not for readers'
const page = (...nodes: Block[]) => createDocument(nodes)
const rendered = (...nodes: Block[]) =>
  renderDocument(withAnchorIds(page(...nodes), toSlug), createRenderContext()).text
const scope = makeExpressionScope({ spaceVariables: {}, pageVariables: {} })

describe('raw HTML', () => {
  const document = page(
    paragraph([comment]),
    paragraph([textNode('Before '), comment, textNode('after')]),
    heading(1, 'Title'),
    paragraph([
      { object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'x' } }, nodes: [comment, textNode('l')] },
    ]),
  )

  test('is not rendered, and a paragraph of nothing else is omitted', () => {
    const html = rendered(...document.nodes)
    expect(html).not.toContain(secret)
    expect(html).toContain('<p>Before after</p>')
    expect(html).not.toContain('<p></p>')
  })

  test('is not part of the plain text', () => {
    expect(documentText(document)).toBe('Before after\nTitle\nl')
  })

  test('is removed from documents for visitors and kept for members', () => {
    expect(JSON.stringify(evaluateForVisitor(document, scope))).not.toContain(secret)
    expect(evaluateForVisitor(document, scope).nodes).toHaveLength(3)
    expect(JSON.stringify(evaluateDocument(document, scope, 'all'))).toContain(secret)
  })

  test('is added and removed as a whole in a diff', () => {
    const changes = diffInlines([textNode('a '), comment], [textNode('a '), createHtmlInline('<!-- other -->')])
    expect(changes.map(({ kind, nodes }) => [kind, nodes])).toEqual([
      ['equal', [textNode('a ')]],
      ['removed', [comment]],
      ['added', [createHtmlInline('<!-- other -->')]],
    ])
  })
})

const underlined = (...nodes: InlineNode[]) => paragraph(nodes)

describe('formatting tags', () => {
  test('are rendered without attributes when they are closed', () => {
    expect(rendered(underlined(createHtmlInline('<u>'), textNode('a'), createHtmlInline('</u>')))).toBe(
      '<p><u>a</u></p>',
    )
    expect(rendered(underlined(createHtmlInline('<u class="x">'), textNode('a'), createHtmlInline('</u>')))).toBe(
      '<p><u>a</u></p>',
    )
  })

  test('are not rendered without a partner or with an unknown name', () => {
    expect(rendered(underlined(createHtmlInline('<u>'), textNode('a')))).toBe('<p>a</p>')
    expect(rendered(underlined(textNode('a'), createHtmlInline('</small>')))).toBe('<p>a</p>')
    expect(rendered(underlined(createHtmlInline('<form>'), textNode('a'), createHtmlInline('</form>')))).toBe(
      '<p>a</p>',
    )
  })

  test('are rendered as well-formed HTML when they overlap', () => {
    const nodes = [
      createHtmlInline('<u>'),
      textNode('a'),
      createHtmlInline('<small>'),
      textNode('b'),
      createHtmlInline('</u>'),
      textNode('c'),
      createHtmlInline('</small>'),
    ]
    expect(rendered(underlined(...nodes))).toBe('<p><u>ab</u>c</p>')
  })
})

describe('anchors', () => {
  test('are rendered once each and do not change the id of a heading', () => {
    const nodes = [
      paragraph([createAnchorInline('setup')]),
      paragraph([createAnchorInline('here'), textNode('a'), createAnchorInline('here')]),
      heading(1, 'Setup'),
    ]
    const anchored = withAnchorIds(page(...nodes), toSlug)
    const ids = anchored.nodes.flatMap(anchorsOfBlock).map(({ id }) => id)
    expect(ids).toEqual(['here', 'setup'])
    const html = rendered(...nodes)
    expect(html.match(/id="setup"/g)).toHaveLength(1)
    expect(html).toContain('<h2 id="setup"')
    expect(html.match(/id="here"/g)).toHaveLength(1)
  })

  test('are rendered without a paragraph when they are alone', () => {
    expect(rendered(paragraph([createAnchorInline('x')]))).toBe('<span id="x"></span>')
    expect(evaluateForVisitor(page(paragraph([comment, createAnchorInline('x')])), scope).nodes).toEqual([
      paragraph([createAnchorInline('x')]),
    ])
  })
})

describe('public form of a document', () => {
  const document = page(
    paragraph([
      textNode('a'),
      comment,
      { ...createAnchorInline('x'), key: 'k' },
      createHtmlInline('<u>'),
      createHtmlInline('<script>a()</script>'),
    ]),
  )

  test('matches the public schema and restores the stored document', () => {
    const complete = completeDocument(document)
    expect(officialProblems(complete)).toEqual([])
    const sent = readDocument(JSON.parse(JSON.stringify(complete)))
    expect(restoreStoredDocument(sent, document)).toEqual(document)
  })

  test('drops anchor ids and raw HTML from inlines that were edited', () => {
    const link = {
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'anchor', anchor: 'x' }, id: 'x' },
      nodes: [textNode('t')],
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
      { object: 'inline', type: 'link', data: { ref: { kind: 'anchor', anchor: 'x' } }, nodes: [textNode('t')] },
      { object: 'inline', type: 'expression', isVoid: true, data: { expression: 'a' } },
    ])
  })

  test.each(['text', '<!-- a --> b -->', '<u>a</u>', '<u', '<b><i>', '<script>a</style>'])(
    'rejects %s as raw HTML',
    (html) => {
      const sent = {
        object: 'document',
        nodes: [{ object: 'block', type: 'paragraph', nodes: [createHtmlInline(html)] }],
      }
      expect(() => readDocument(sent)).toThrow('Must be an HTML comment, tag or script')
    },
  )

  test('keeps marks and text around raw HTML', () => {
    const marked = { object: 'text' as const, leaves: [leaf('a', [mark('bold')])] }
    const original = page(paragraph([marked, comment, marked]), textParagraph('b'))
    expect(restoreStoredDocument(readDocument(completeDocument(original)), undefined)).toEqual(original)
  })
})
