import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A font by its name in the customization, or one of the site's own with where its files are. */
export type FontSetting = string | CustomFont

export interface CustomFont {
  fontFamily: string
  fontFaces: readonly {
    weight: number
    sources: readonly { url: string; format?: 'woff2' | 'woff' | undefined }[]
  }[]
}

export interface SiteFont {
  /** The value of `font-family`. */
  family: string
  /** The rules that make it known. */
  faces: readonly string[]
  /** The origins that its files come from, when they are not ours. */
  origins: readonly string[]
}

export interface FontFile {
  bytes: Uint8Array
  contentType: 'font/woff2'
}

type Stack = keyof typeof stacks

interface OwnFont {
  package: string
  stack: Stack
  /**
   * How a font that every system has is stretched to take the room of this one until it is there, in percent:
   * its width by the width of a text in English, its height by what the font says of itself.
   */
  standIn?: readonly [width: number, ascent: number, descent: number]
  /** Its italics are its upright letters, slanted: browsers do that by themselves, without another file to wait for. */
  isSlanted?: boolean
}

const stacks = {
  sans: 'system-ui,sans-serif',
  serif: "Georgia,Cambria,'Times New Roman',serif",
  mono: 'ui-monospace,Menlo,Consolas,monospace',
}

/** What stands in until a font is there. */
const standIns: Partial<Record<Stack, string>> = {
  sans: "local('Arial'),local('Liberation Sans')",
  serif: "local('Times New Roman'),local('Liberation Serif')",
}

const variable = (name: string) => `@fontsource-variable/${name}`
const fixed = (name: string) => `@fontsource/${name}`

const inter: OwnFont = { package: variable('inter'), stack: 'sans', standIn: [106.8, 90.7, 22.6], isSlanted: true }

const ownFonts: Readonly<Record<string, OwnFont>> = {
  Inter: inter,
  // Not open, so that it cannot be served; the nearest open one.
  ABCFavorit: inter,
  Roboto: { package: variable('roboto'), stack: 'sans', standIn: [99.6, 93.1, 24.5] },
  RobotoSlab: { package: variable('roboto-slab'), stack: 'serif', standIn: [117.4, 89.2, 23.1] },
  OpenSans: { package: variable('open-sans'), stack: 'sans', standIn: [105.3, 101.5, 27.8] },
  SourceSansPro: { package: variable('source-sans-3'), stack: 'sans', standIn: [89.3, 114.7, 44.8] },
  Lato: { package: fixed('lato'), stack: 'sans', standIn: [96.8, 101.9, 22] },
  Ubuntu: { package: fixed('ubuntu'), stack: 'sans', standIn: [102.1, 91.3, 18.5] },
  Raleway: { package: variable('raleway'), stack: 'sans', standIn: [100.6, 93.5, 23.3] },
  Merriweather: { package: variable('merriweather'), stack: 'serif', standIn: [117.2, 83.9, 23.3] },
  Overpass: { package: variable('overpass'), stack: 'sans', standIn: [100.1, 88.2, 38.3] },
  NotoSans: { package: variable('noto-sans'), stack: 'sans', standIn: [106.2, 100.7, 27.6] },
  IBMPlexSerif: { package: fixed('ibm-plex-serif'), stack: 'serif', standIn: [116.7, 87.8, 23.6] },
  Poppins: { package: fixed('poppins'), stack: 'sans', standIn: [112.7, 93.2, 31.1] },
  FiraSans: { package: fixed('fira-sans'), stack: 'sans', standIn: [102.6, 91.1, 25.8] },
  FiraCode: { package: variable('fira-code'), stack: 'mono' },
  IBMPlexMono: { package: fixed('ibm-plex-mono'), stack: 'mono' },
  JetBrainsMono: { package: variable('jetbrains-mono'), stack: 'mono' },
  SourceCodePro: { package: variable('source-code-pro'), stack: 'mono' },
  RobotoMono: { package: variable('roboto-mono'), stack: 'mono' },
  SpaceMono: { package: fixed('space-mono'), stack: 'mono' },
  DMMono: { package: fixed('dm-mono'), stack: 'mono' },
  Inconsolata: { package: variable('inconsolata'), stack: 'mono' },
}

/** The weights that pages are set in: text, emphasis in menus, headings. */
const weights = new Set([400, 500, 600, 700])

/** A font as pages use it, for text or for code, with where our files are. A name that is unknown stands for Inter. */
export function fontOf(setting: FontSetting, use: 'text' | 'code', assetsHref: string): SiteFont {
  if (typeof setting === 'string') return ownFontOf(setting, assetsHref)
  return customFontOf(setting, use === 'text' ? 'sans' : 'mono')
}

/** Writes those of some faces of which a text has characters: browsers look at all of them for every size and weight. */
export function usableFaces(faces: readonly string[]): (text: string) => string {
  const rules = [...new Set(faces)].map((rule) => ({ rule, characters: charactersOf(rule) }))
  return (text) =>
    rules
      .filter(({ characters }) => characters?.test(text) ?? true)
      .map(({ rule }) => rule)
      .join('')
}

const patterns = new Map<string, RegExp>()

/** The characters that a font face is for; undefined when it has no range. */
function charactersOf(rule: string): RegExp | undefined {
  const range = /;unicode-range:([U+\dA-F,-]+)\}$/i.exec(rule)?.[1]
  if (range === undefined) return undefined
  const known = patterns.get(range)
  if (known) return known
  const code = range
    .replace(/U\+/gi, '')
    .replace(/[\dA-F]+/gi, '\\u{$&}')
    .replaceAll(',', '')
  const pattern = new RegExp(`[${code}]`, 'u')
  patterns.set(range, pattern)
  return pattern
}

/** A file of our fonts by the name that `faces` gives it, without the folder; its name changes with its content. */
export async function fontFile(name: string): Promise<FontFile | undefined> {
  const path = knownFiles().get(name)
  return path === undefined ? undefined : { bytes: await readFile(path), contentType: 'font/woff2' }
}

/** The files of the upright letters of one of our fonts, in the weight nearest to one: for what is drawn without a browser. */
export function fontFilesFor(setting: FontSetting, weight: number): readonly string[] {
  const { faces } = packageOf(ownFontNamed(typeof setting === 'string' ? setting : 'Inter').package)
  const upright = faces.filter(({ style }) => style === 'normal')
  const nearest = Math.min(...upright.map((face) => face.distanceTo(weight)))
  const cut = upright.find((face) => face.distanceTo(weight) === nearest)?.weight
  // Most letters are in the last subset, so that it is asked first.
  return upright
    .filter((face) => face.weight === cut)
    .map(({ path }) => path)
    .toReversed()
}

const ownFontNamed = (name: string): OwnFont => (Object.hasOwn(ownFonts, name) ? ownFonts[name] : undefined) ?? inter

function ownFontOf(name: string, assetsHref: string): SiteFont {
  const font = ownFontNamed(name)
  const { family, faces: all } = packageOf(font.package)
  const faces = font.isSlanted ? all.filter(({ style }) => style === 'normal') : all
  const rules = faces.map(
    ({ style, weight, file, range }) =>
      `@font-face{font-family:'${family}';font-style:${style};font-weight:${weight};font-display:swap;src:url(${cssString(`${assetsHref}fonts/${file}`)}) format('woff2');unicode-range:${range}}`,
  )
  const source = standIns[font.stack]
  if (font.standIn && source !== undefined) {
    const [width, ascent, descent] = font.standIn
    rules.push(
      `@font-face{font-family:'${family} Fallback';src:${source};size-adjust:${width}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%}`,
    )
  }
  const standIn = font.standIn ? `'${family} Fallback',` : ''
  return {
    family: `'${family}',${standIn}${stacks[font.stack]}`,
    faces: rules,
    origins: [],
  }
}

function customFontOf({ fontFamily, fontFaces }: CustomFont, stack: Stack): SiteFont {
  const family = cssString(fontFamily)
  const origins = new Set<string>()
  const rules: string[] = []
  for (const { weight, sources } of fontFaces) {
    const urls = sources.filter(({ url }) => isFontAddress(url))
    if (urls.length === 0 || !Number.isInteger(weight)) continue
    const written = urls.map(({ url, format }) => {
      const address = new URL(url)
      origins.add(address.origin)
      const kind = format === 'woff2' || format === 'woff' ? ` format('${format}')` : ''
      return `url(${cssString(address.href)})${kind}`
    })
    rules.push(`@font-face{font-family:${family};font-weight:${weight};font-display:swap;src:${written.join(',')}}`)
  }
  return { family: `${family},${stacks[stack]}`, faces: rules, origins: [...origins] }
}

/** Hosts may hold signs that mean something in the policy of pages, where they are named: nobody has a font there. */
function isFontAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return /^https?:$/.test(protocol) && /^[\w.:[\]-]+$/.test(host)
}

/** A text as CSS writes it in quotes; whatever could end it, or the sheet that it stands in, is written as a number. */
function cssString(text: string): string {
  return `'${text.replace(/["'\\<>\p{Cc}\p{Zl}\p{Zp}]/gu, (one) => `\\${(one.codePointAt(0) ?? 0).toString(16)} `)}'`
}

interface Face {
  /** The name that it is served under. */
  file: string
  path: string
  subset: string
  style: string
  weight: string
  range: string
  /** How far it is from a weight; nothing when it has it. */
  distanceTo(weight: number): number
}

interface Metadata {
  id: string
  family: string
  styles: string[]
  weights: number[]
  variable: false | { wght?: { min: string; max: string } }
}

const packages = new Map<string, { family: string; faces: readonly Face[] }>()

/** A package of a font, as it describes itself. */
function packageOf(name: string): { family: string; faces: readonly Face[] } {
  const known = packages.get(name)
  if (known) return known
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/metadata.json`))
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { id, family, styles, weights: all, variable: axes } = read('metadata.json') as Metadata
  const { version } = read('package.json') as { version: string }
  const axis = axes === false ? undefined : axes.wght
  const cuts = axis
    ? [{ part: 'wght', weight: `${axis.min} ${axis.max}`, min: Number(axis.min), max: Number(axis.max) }]
    : all
        .filter((weight) => weights.has(weight))
        .map((weight) => ({ part: String(weight), weight: String(weight), min: weight, max: weight }))
  const faces: Face[] = []
  for (const [subset, range] of Object.entries(read('unicode.json') as Record<string, string>))
    for (const style of styles.toSorted().toReversed())
      for (const { part, weight, min, max } of cuts) {
        const base = `${id}-${subset}-${part}-${style}`
        faces.push({
          file: `${base}-${version}.woff2`,
          path: join(folder, 'files', `${base}.woff2`),
          subset,
          style,
          weight,
          range,
          distanceTo: (wanted) => Math.max(min - wanted, wanted - max, 0),
        })
      }
  const described = { family, faces }
  packages.set(name, described)
  return described
}

let files: ReadonlyMap<string, string> | undefined

/** Where each file lies, of all fonts. */
function knownFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    Object.values(ownFonts).flatMap((font) =>
      packageOf(font.package).faces.map(({ file, path }) => [file, path] as const),
    ),
  )
  return files
}
