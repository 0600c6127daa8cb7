import { expect, test } from 'vitest'
import { formulaSetter, renderMath } from '../../src/render/math.ts'

test('a formula is set for eyes and for screen readers', () => {
  const inline = renderMath('a < \\frac{1}{b}', false).text
  expect(inline).toMatch(/^<span class="katex"><span class="katex-mathml"><math /)
  expect(inline).toContain('<mfrac>')
  expect(inline).toContain('<annotation encoding="application/x-tex">a &lt; \\frac{1}{b}</annotation>')
  expect(inline).toContain('<span class="katex-html" aria-hidden="true">')
  expect(renderMath('a', true).text).toMatch(/^<span class="katex-display">/)
})

test('what cannot be set is shown as it was written', () => {
  const written = ['\\frac{', '\\unknown{x}', '<script>alert(1)</script> & }', '\\def\\a{\\a\\a}\\a', 'x'.repeat(2001)]
  for (const formula of written) {
    const shown = formula.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(renderMath(formula, true).text).toBe(`<code class="math-error">${shown}</code>`)
  }
})

test('a formula brings no link, picture, script or style of its own', () => {
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
    const tags = renderMath(formula, false)
      .text.match(/<[^>]*>/g)
      ?.join('')
    expect(tags).not.toMatch(/<(?:a|img|script|style|link|iframe)\b|position|site-header|data-copy|99999em/)
  }
})

test('a page full of formulas is set only as far as that is quick', () => {
  const set = formulaSetter(25)
  const shown = Array.from({ length: 3 }, () => set('x_1 + x_2', false).text)
  expect(shown.map((html) => html.includes('class="katex"'))).toEqual([true, true, false])
  expect(shown[2]).toBe('<code class="math-error">x_1 + x_2</code>')
})
