import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SocialAccount } from '../../src/contract/customization-values.ts'
import { renderFavicon } from '../../src/site/theme/favicon.ts'
import { iconAliases } from '../../src/icons/icon-aliases.ts'
import { renderIcon } from '../../src/icons/icons.ts'

const regular = (name: string) => renderIcon(name, 'regular').text
const star = (style: Parameters<typeof renderIcon>[1]) => renderIcon('star', style).text
const shapes = (text: string) => text.replace(/class="[^"]*"/, '')

/** Returns the icon names that the source code of the renderer and the site contains. */
function namesInSources(): string[] {
  const source = join(import.meta.dirname, '..', '..', 'src')
  return ['render', 'site']
    .flatMap((room) =>
      readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(source, room, file), 'utf8')),
    )
    .flatMap((text) => Array.from(text.matchAll(/\bicon(?:\(|: )'([a-z0-9-]+)'/g), ([, name]) => name ?? ''))
}

describe('icons', () => {
  test('are found by their Font Awesome names and aliases', () => {
    const same: [string, ...string[]][] = [
      ['rocket', 'fa-rocket', 'fas fa-rocket', 'fa-solid fa-rocket', 'solid/rocket', 'Rocket'],
      ['arrow-up-right-from-square', 'external-link-alt', 'external-link'],
      ['circle-info', 'info-circle'],
      ['circle-plus', 'plus-circle'],
      ['circle-xmark', 'times-circle', 'circle-x'],
      ['magnifying-glass', 'search'],
      ['gear', 'cog', 'settings'],
      ['house', 'home'],
      ['github', 'brands/github', 'fab fa-github', 'square-github'],
      ['user', 'user-alt', 'fa-user-large'],
    ]
    for (const [first, ...others] of same) {
      expect(regular(first), first).not.toBe('')
      for (const other of others) expect(regular(other), other).toBe(regular(first))
    }
    expect(regular('house')).not.toBe(regular('rocket'))
  })

  test('exist for every social platform and for every name in the source code', () => {
    const used = namesInSources()
    expect(used.length).toBeGreaterThan(5)
    const missing = [...SocialAccount.shape.platform.options, ...used].filter((name) => regular(name) === '')
    expect(missing).toEqual([])
  })

  test('exist for every listed alias, and aliases are unique', () => {
    const theirs = Object.values(iconAliases).flatMap((names) => names.split(' '))
    expect(theirs.length).toBeGreaterThan(1000)
    expect(new Set(theirs).size).toBe(theirs.length)
    expect([...theirs, ...Object.keys(iconAliases)].filter((name) => regular(name) === '')).toEqual([])
  })

  test('are empty for unknown names', () => {
    for (const name of ['there is no such thing', '', 'x'.repeat(10_000)]) expect(regular(name)).toBe('')
  })

  test('cannot be used to read other files or to inject markup', () => {
    for (const name of [
      '../../package',
      '../filled/star',
      '..%2f..%2fetc',
      '/etc/passwd',
      'a\0b',
      '__proto__',
      '"><script>',
    ]) {
      const text = regular(name)
      expect(text).toMatch(
        /^(<svg class="icon-svg" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">(<path d="[^"<>]+"( \w+="\w+")*\/>)+<\/svg>)?$/,
      )
    }
    expect(regular('/etc/passwd')).toBe('')
  })

  test('are drawn in the style of the site', () => {
    expect(shapes(star('light'))).toBe(shapes(star('regular')))
    expect(star('solid')).toContain('class="icon-svg filled"')
    expect(shapes(star('solid'))).not.toBe(shapes(star('regular')))
    expect(star('duotone')).toContain('class="icon-svg duotone"')
    // An arrow has no area to fill.
    expect(renderIcon('arrow-right', 'solid').text).toContain('class="icon-svg solid"')
    expect(renderIcon('chevron-right', 'duotone').text).toBe(regular('chevron-right'))
  })

  test('are small', () => {
    expect(regular('rocket').length).toBeLessThan(320)
    expect(regular('arrow-right').length).toBeLessThan(150)
  })
})

const styling = { primaryColor: { light: '#346ddb', dark: '#7aa5ff' } }
const drawingIn = (text: string) => decodeURIComponent(/href="data:image\/svg\+xml,([^"]*)"/.exec(text)?.[1] ?? '')
const emojiIcon = (emoji: string) => drawingIn(renderFavicon({ favicon: { emoji }, styling }, 'A').text)

describe('favicon of a site', () => {
  test('is the first letter of the title in the primary color by default', () => {
    const drawing = drawingIn(renderFavicon({ favicon: {}, styling }, '  “octavo”').text)
    expect(drawing).toContain('fill="#346ddb"')
    expect(drawing).toContain('>O</text>')
    const onYellow = drawingIn(
      renderFavicon({ favicon: {}, styling: { primaryColor: { light: '#ffd400' } } }, 'A').text,
    )
    expect(onYellow).not.toContain('fill="#ffffff"')
  })

  test('is an emoji, given as characters or as code points', () => {
    expect(emojiIcon('🚀')).toContain('>🚀<')
    expect(emojiIcon('1f680')).toContain('>🚀<')
    expect(emojiIcon('1f468-200d-1f4bb')).toContain('>👨‍💻<')
    expect(emojiIcon('</text><script>')).not.toContain('<script>')
    expect(emojiIcon('ffffff')).toContain('>ffffff<')
  })

  test('can differ between light and dark mode', () => {
    const icon = { light: 'https://a.test/l.png', dark: 'https://a.test/d.png' }
    const { text } = renderFavicon({ favicon: { icon }, styling }, 'A')
    expect(text).toBe(
      '<link rel="icon" href="https://a.test/l.png" media="(prefers-color-scheme: light)"><link rel="icon" href="https://a.test/d.png" media="(prefers-color-scheme: dark)">',
    )
  })
})
