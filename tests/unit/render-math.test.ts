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

test('macros of a formula make it shorter, and never endless', () => {
  const norm = renderMath('\\def\\norm#1{\\lVert #1 \\rVert} \\norm{x} + \\norm{\\norm{y}}', false).text
  expect(norm.match(/<mo[^>]*>∥<\/mo>/g)).toHaveLength(6)
  const hostile = [
    `\\def\\a{${'x'.repeat(1500)}}${'\\a'.repeat(200)}`,
    `\\def\\a#1{${'#1'.repeat(20)}}${'\\a{'.repeat(20)}${'x'.repeat(1500)}${'}'.repeat(20)}`,
    `\\newcommand\\a[1]{#1#1}${'\\a{'.repeat(7)}${'x'.repeat(1500)}${'}'.repeat(7)}`,
  ]
  for (const formula of hostile) expect(renderMath(formula, true).text).toMatch(/^<code class="math-error">/)
  const set = formulaSetter(5000)
  const long = `\\def\\a{${'x_1'.repeat(8)}}${'\\a'.repeat(50)}`
  const isSet = Array.from({ length: 37 }, () => set(long, true).text.includes('class="katex"'))
  expect(isSet[0]).toBe(true)
  // They are short, and yet few of them fill the page.
  expect(isSet.filter(Boolean).length).toBeLessThan(20)
})
