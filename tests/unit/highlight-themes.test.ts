import { expect, test } from 'vitest'
import { CodeTheme } from '../../src/contract/customization-values.ts'
import { loadCodePalette, printCodeStyle } from '../../src/site/theme/code-themes.ts'
import { tokenClasses } from '../../src/highlight/token-classes.ts'

/** Returns the contrast ratio of two colors as defined by WCAG 2. */
function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Backgrounds of the built-in themes. */
const sunken: Readonly<Record<string, string>> = {
  'default-light': '#f5f5f6',
  'default-dark': '#1e1e23',
  'monochrome-light': '#f5f5f6',
  'monochrome-dark': '#1e1e23',
}

test('every theme has sufficient contrast on its background', async () => {
  for (const name of CodeTheme.options) {
    const { back, text, tokens } = await loadCodePalette(name)
    const colours = Object.values(tokens)
    expect(Object.keys(tokens)).toEqual(tokenClasses)
    expect(colours.join(' ')).toMatch(/^(#[0-9a-f]{6} ?)+$/)
    const [behind, all] = back.startsWith('#') ? [back, [text, ...colours]] : [sunken[name] ?? '', colours]
    for (const colour of all)
      expect(contrastOf(colour, behind), `${name}: ${colour} on ${behind}`).toBeGreaterThan(4.49)
  }
})

test('a theme has its own colors', async () => {
  const { back, text, tokens } = await loadCodePalette('dracula')
  expect({ back, text, keyword: tokens.k, string: tokens.s, tag: tokens.g }).toEqual({
    back: '#282a36',
    text: '#f8f8f2',
    keyword: '#ff79c6',
    string: '#f1fa8c',
    tag: '#ff79c6',
  })
})

test('all themes have different palettes', async () => {
  const palettes = await Promise.all(CodeTheme.options.map(loadCodePalette))
  expect(new Set(palettes.map((palette) => JSON.stringify(palette))).size).toBe(CodeTheme.options.length)
})

test('an unknown theme name gives the default palette', async () => {
  expect(await loadCodePalette('__proto__')).toBe(await loadCodePalette('default-light'))
})

test('a stylesheet contains both color modes in one rule', async () => {
  const style = printCodeStyle(await loadCodePalette('github-light'), await loadCodePalette('nord'))
  expect(style).toMatch(
    /^:root\{--code-back:light-dark\(#ffffff,#2e3440\);--code-text:light-dark\(#24292e,#d8dee9\);--code-k:/,
  )
  expect(style.match(/--code-/g)).toHaveLength(2 + tokenClasses.length)
  expect(printCodeStyle(await loadCodePalette('default-light'), await loadCodePalette('default-dark'))).toContain(
    '--code-back:var(--sunken);',
  )
})
