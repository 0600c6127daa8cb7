import { expect, test } from 'vitest'
import { createFormulaRenderer, renderFormula } from '../../src/render/math.ts'
import { hostileFormulas } from '../support/hostile-sites.ts'

test('renders a formula as HTML and as MathML for screen readers', () => {
  const inline = renderFormula('a < \\frac{1}{b}', false)
  expect(inline).toMatch(/^<span class="katex"><span class="katex-mathml"><math /)
  expect(inline).toContain('<mfrac>')
  expect(inline).toContain('<annotation encoding="application/x-tex">a &lt; \\frac{1}{b}</annotation>')
  expect(inline).toContain('<span class="katex-html" aria-hidden="true">')
  expect(renderFormula('a', true)).toMatch(/^<span class="katex-display">/)
})

test('an invalid or too long formula is rendered as its source', () => {
  const present = createFormulaRenderer(renderFormula)
  const written = ['\\frac{', '\\unknown{x}', '<script>alert(1)</script> & }', '\\def\\a{\\a\\a}\\a', 'x'.repeat(2001)]
  for (const formula of written) {
    const shown = formula.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(present(formula, true).text).toBe(`<code class="math-error">${shown}</code>`)
  }
})

test('a formula cannot contain links, images, scripts or styles', () => {
  const hostile = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlStyle{position:fixed}{x}',
    '\\htmlClass{site-header}{x}',
    '\\htmlData{copy=1}{x}',
    '\\text{</annotation><script>alert(1)</script>}',
    '\\textcolor{red;position:fixed}{x}',
    '\\rule{99999em}{99999em}',
  ]
  for (const formula of hostile) {
    const tags = createFormulaRenderer(renderFormula)(formula, false)
      .text.match(/<[^>]*>/g)
      ?.join('')
    expect(tags).not.toMatch(/<(?:a|img|script|style|link|iframe)\b|position|site-header|data-copy|99999em/)
  }
})

test('formulas beyond the size limit of a page are rendered as their source', () => {
  const html = renderFormula('x_1 + x_2', false) ?? ''
  const present = createFormulaRenderer(renderFormula, html.length * 2 + 1)
  const shown = Array.from({ length: 3 }, () => present('x_1 + x_2', false).text)
  expect(shown).toEqual([html, html, '<code class="math-error">x_1 + x_2</code>'])
})

test.each(Object.entries(hostileFormulas))('the HTML of a formula of %s is at most half a megabyte', (_, formula) => {
  expect(formula.length).toBeLessThanOrEqual(2000)
  expect((renderFormula(formula, true) ?? '').length).toBeLessThanOrEqual(512 * 1024)
})

test('a formula can define macros, but their expansion is limited', () => {
  const norm = renderFormula('\\def\\norm#1{\\lVert #1 \\rVert} \\norm{x} + \\norm{\\norm{y}}', false) ?? ''
  expect(norm.match(/<mo[^>]*>∥<\/mo>/g)).toHaveLength(6)
  const hostile = [
    `\\def\\a{${'x'.repeat(1500)}}${'\\a'.repeat(200)}`,
    `\\def\\a#1{${'#1'.repeat(20)}}${'\\a{'.repeat(20)}${'x'.repeat(1500)}${'}'.repeat(20)}`,
    `\\newcommand\\a[1]{#1#1}${'\\a{'.repeat(7)}${'x'.repeat(1500)}${'}'.repeat(7)}`,
  ]
  for (const formula of hostile) expect(renderFormula(formula, true)).toBeUndefined()
})
