import { bundledThemes } from 'shiki/themes'
import { contrastRatio, mixColors, ensureContrast } from '../../render/colors.ts'
import { type TokenClass, defaultTokenColors, tokenClasses, tokenKinds } from '../../highlight/token-classes.ts'

/** Colors of code in one mode, as CSS colors; those of a theme have enough contrast on its background. */
export interface CodePalette {
  back: string
  text: string
  tokens: Readonly<Record<TokenClass, string>>
}

// Built-in themes use the sunken background of the site with any tint, so their colors have additional contrast.
const builtInPalettes: ReadonlyMap<string, CodePalette> = new Map(
  Object.entries({
    'default-light': createBuiltInPalette(defaultTokenColors),
    'default-dark': createBuiltInPalette({
      k: '#cf9df2',
      s: '#8fd3a4',
      c: '#9898a6',
      f: '#8db9ff',
      n: '#f0b283',
      v: '#e6c79a',
      e: '#7fd0de',
      l: '#8db9ff',
      t: '#7fd0de',
      g: '#cf9df2',
      a: '#8db9ff',
      i: '#8fd3a4',
      d: '#ff9a93',
    }),
    'monochrome-light': createBuiltInPalette(monochrome('#16161b', '#50505a', '#6a6a75')),
    'monochrome-dark': createBuiltInPalette(monochrome('#ffffff', '#b4b4bf', '#9898a6')),
  }),
)

function createBuiltInPalette(tokens: CodePalette['tokens']): CodePalette {
  return { back: 'var(--sunken)', text: 'var(--text)', tokens }
}

/** Returns tokens in three shades of gray: code, strings and comments. */
function monochrome(strong: string, soft: string, faint: string): CodePalette['tokens'] {
  const [k, s, c] = [strong, soft, faint]
  return {
    k,
    s,
    c,
    f: strong,
    n: soft,
    v: soft,
    e: strong,
    l: soft,
    t: strong,
    g: strong,
    a: soft,
    i: strong,
    d: faint,
  }
}

type ShikiTheme = Awaited<ReturnType<(typeof bundledThemes)['nord']>>['default']

const palettes = new Map<string, Promise<CodePalette>>()

/** Returns the colors of a theme for the token classes, or the default light colors if the theme does not exist. */
export function loadCodePalette(name: string): Promise<CodePalette> {
  const cached = builtInPalettes.get(name) ?? palettes.get(name)
  if (cached) return Promise.resolve(cached)
  const load = Object.hasOwn(bundledThemes, name) ? bundledThemes[name as keyof typeof bundledThemes] : undefined
  if (!load) return loadCodePalette('default-light')
  const palette = load().then((module) => toCodePalette(module.default))
  palettes.set(name, palette)
  return palette
}

function toCodePalette(theme: ShikiTheme): CodePalette {
  const rules = collectRules(theme)
  const back =
    toOpaque(theme.bg ?? theme.colors?.['editor.background'] ?? rules.get('')?.background, '#ffffff') ?? '#ffffff'
  const isLight = contrastRatio(back, '#000000') > contrastRatio(back, '#ffffff')
  const foreground = theme.fg ?? theme.colors?.['editor.foreground'] ?? rules.get('')?.foreground
  const text = ensureContrast(toOpaque(foreground, back) ?? (isLight ? '#000000' : '#ffffff'), [back])
  const fallbacks: Partial<Record<TokenClass, string>> = {
    i: toOpaque(theme.colors?.['gitDecoration.addedResourceForeground'], back) ?? (isLight ? '#1a7f37' : '#7ee787'),
    d: toOpaque(theme.colors?.['gitDecoration.deletedResourceForeground'], back) ?? (isLight ? '#b3261e' : '#ffa198'),
  }
  const tokens = tokenClasses.map((name) => {
    const found = tokenKinds[name].wanted.map((scope) => toOpaque(findForeground(scope, rules), back)).find(Boolean)
    return [name, ensureContrast(found ?? fallbacks[name] ?? text, [back])]
  })
  return { back, text, tokens: Object.fromEntries(tokens) as CodePalette['tokens'] }
}

interface TokenStyle {
  foreground?: string | undefined
  background?: string | undefined
}

/** Returns the rules of a theme for single scopes; rules for nested scopes are finer than the token classes. */
function collectRules({ tokenColors, settings }: ShikiTheme): Map<string, TokenStyle> {
  const rules = new Map<string, TokenStyle>()
  for (const { scope, settings: style } of tokenColors ?? settings ?? []) {
    const scopes = typeof scope === 'string' ? scope.split(',') : (scope ?? [''])
    for (const selector of scopes) {
      const name = selector.trim()
      if (!name.includes(' ') && style) rules.set(name, { ...rules.get(name), ...style })
    }
  }
  return rules
}

/** Returns the color of the longest matching rule; a rule applies to all scopes below its own. */
function findForeground(scope: string, rules: ReadonlyMap<string, TokenStyle>): string | undefined {
  const parts = scope.split('.')
  for (let length = parts.length; length > 0; length--) {
    const foreground = rules.get(parts.slice(0, length).join('.'))?.foreground
    if (foreground !== undefined) return foreground
  }
  return undefined
}

/** Blends a color with a background; undefined if the color is not hexadecimal. */
function toOpaque(color: string | undefined, back: string): string | undefined {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color ?? '')?.[1]
  if (digits === undefined) return undefined
  const long = (digits.length < 6 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()
  const solid = `#${long.slice(0, 6)}`
  return long.length === 8 ? mixColors(solid, back, Number.parseInt(long.slice(6), 16) / 255) : solid
}

/** Returns both palettes as one CSS rule. */
export function printCodeStyle(light: CodePalette, dark: CodePalette): string {
  const declarations = [
    `--code-back:${lightDark(light.back, dark.back)}`,
    `--code-text:${lightDark(light.text, dark.text)}`,
    ...tokenClasses.map((name) => `--code-${name}:${lightDark(light.tokens[name], dark.tokens[name])}`),
  ]
  return `:root{${declarations.join(';')}}`
}

const lightDark = (one: string, other: string) => (one === other ? one : `light-dark(${one},${other})`)
