import { expect, test } from 'vitest'
import type { Block, Code, CodeData, InlineNode } from '../../src/content/document/nodes.ts'
import { renderCode } from '../../src/render/code.ts'
import { markup, trusted } from '../../src/render/html.ts'
import { InlineRenderer } from '../../src/render/inlines.ts'
import type { RenderContext } from '../../src/render/render-context.ts'
import { english } from '../../src/render/texts/english.ts'

const text = (content: string, bold = false): InlineNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: content, marks: bold ? [{ object: 'mark', type: 'bold' }] : [] }],
})

const noted = (...nodes: InlineNode[]): InlineNode => ({
  object: 'inline',
  type: 'annotation',
  nodes,
  fragments: [{ object: 'fragment', nodes: [{ object: 'block', type: 'paragraph', nodes: [text('Why?')] }] }],
})

const codeOf = (lines: readonly InlineNode[][], data: CodeData = {}): Code => ({
  object: 'block',
  type: 'code',
  data,
  nodes: lines.map((nodes) => ({ object: 'block', type: 'code-line', nodes })),
})

/** Renders a code block whose lines are highlighted in this way. */
function shown(code: Code, coloured?: readonly string[]): string {
  let count = 0
  const setting: RenderContext = {
    texts: english,
    resolveLink: () => ({ href: '/there', title: 'There', isExternal: false }),
    resolveFile: () => undefined,
    findTag: () => undefined,
    highlighted: () => coloured?.map(trusted),
    renderMath: (formula) => markup`${formula}`,
    icon: () => markup``,
    formatDate: (day) => day,
    mermaidScript: () => '/mermaid.js',
    externalLinkTarget: 'self',
    newId: (prefix) => `${prefix}-${++count}`,
  }
  const inlines: InlineRenderer = new InlineRenderer(
    setting,
    (blocks: readonly Block[]) => markup`${blocks.map(() => 'note')}`,
  )
  return renderCode(code, setting, inlines).text
}

const linesOf = (html: string): string[] =>
  Array.from(html.matchAll(/<span class="line(?: highlighted)?">(.*)<\/span>$/gm), ([, line]) => line ?? '')

const button = '<button type="button" class="annotation" popovertarget="note-1">'
const end = '</button>'

test('renders lines with their highlighting, or escaped without it', () => {
  const code = codeOf([[text('let a')], [text('<b> & "c"')]], { syntax: 'js' })
  expect(linesOf(shown(code, ['<span class="k">let</span> a', '&lt;b&gt;']))).toEqual([
    '<span class="k">let</span> a',
    '&lt;b&gt;',
  ])
  expect(linesOf(shown(code))).toEqual(['let a', '&lt;b&gt; &amp; &quot;c&quot;'])
})

test('a line that contains a line break is not highlighted', () => {
  const code = codeOf([[text('a\nb')], [text('c')]], { syntax: 'js' })
  expect(shown(code, ['<span class="k">a</span>', 'b', 'c'])).not.toContain('class="k"')
})

test('an annotation keeps the highlighting of the line', () => {
  const line = 'a <span class="s">"x &amp; y"</span>;<span class="c"># z</span>'
  const html = shown(codeOf([[text('a "x '), noted(text('& y";#')), text(' z')]]), [line])
  expect(linesOf(html)).toEqual([
    `a <span class="s">"x </span>${button}<span class="s">&amp; y"</span>;<span class="c">#</span>${end}<span class="c"> z</span>`,
  ])
})

test('an annotation can cover a whole line or end at a token boundary', () => {
  const line = '<span class="k">if</span> <span class="f">go</span>'
  expect(linesOf(shown(codeOf([[noted(text('if go'))]]), [line]))).toEqual([`${button}${line}${end}`])
  expect(linesOf(shown(codeOf([[noted(text('if')), text(' go')]]), [line]))).toEqual([
    `${button}<span class="k">if</span>${end} <span class="f">go</span>`,
  ])
})

test('renders links and marks within a highlighted line', () => {
  const link: InlineNode = {
    object: 'inline',
    type: 'link',
    data: { ref: { kind: 'url', url: '/x' } },
    nodes: [text('a')],
  }
  expect(linesOf(shown(codeOf([[link, text('b', true), text('c')]]), ['<span class="k">abc</span>']))).toEqual([
    '<a href="/there"><span class="k">a</span></a><strong>b</strong><span class="k">c</span>',
  ])
})

test('renders the title, line numbers, wrapping and full width of a code block', () => {
  const lines = Array.from({ length: 120 }, (_, index) => [text(`line ${index}`)])
  const data: CodeData = { title: 'a <b>.ts', lineNumbers: true, overflow: 'wrap', fullWidth: true }
  const html = shown(codeOf(lines, data))
  expect(html).toMatch(/^<figure class="code with-numbers wrapped full-width titled" style="--digits:3" data-code>/)
  expect(html).toContain('<figcaption>a &lt;b&gt;.ts</figcaption>')
  expect(html).not.toContain('class="fold"')
})

test('collapses long code with a checkbox that works without JavaScript', () => {
  const lines = Array.from({ length: 8 }, () => [text('x')])
  const folded = shown(codeOf(lines, { expandable: true, collapsedLineCount: 5 }))
  expect(folded).toContain('<input type="checkbox" class="unfold" id="code-1"><div class="fold" style="--lines:5"><pre')
  expect(folded).toContain('<label for="code-1">')
  expect(shown(codeOf(lines, { expandable: true }))).not.toContain('class="fold"')
})

test('a diagram contains its source until it is drawn', () => {
  const html = shown(codeOf([[text('graph LR')], [text('A --> B')]], { syntax: 'mermaid', title: 'How' }))
  expect(html).toMatch(
    /^<figure class="mermaid" data-mermaid="How" data-src="\/mermaid.js"><button[^>]* hidden><\/button><pre /,
  )
  expect(html).toContain('<code>graph LR\nA --&gt; B</code></pre><figcaption>How</figcaption></figure>')
})
