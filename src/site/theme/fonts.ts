import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Name of a font in the customization, or a custom font with the URLs of its files. */
export type FontSetting = string | CustomFont

export interface CustomFont {
  fontFamily: string
  fontFaces: readonly {
    weight: number
    sources: readonly { url: string; format?: 'woff2' | 'woff' | undefined }[]
  }[]
}

export interface SiteFont {
  /** Value of `font-family`. */
  family: string
  /** Value of `font-family` without the fonts that browsers load. */
  initialFamily: string
  /** `@font-face` rules. */
  faces: readonly string[]
  /** Origins of font files on other hosts. */
  origins: readonly string[]
}

export interface FontFile {
  bytes: Uint8Array
  contentType: 'font/woff2'
}

type FontStack = keyof typeof stacks

interface BundledFont {
  package: string
  stack: FontStack
  /**
   * Metrics of the first system font that replaces this one until it is loaded, in percent: the width compared on an English text,
   * the height taken from the metrics of the font.
   */
  fallbackMetrics?: readonly [width: number, ascent: number, descent: number]
  /** Whether its italics are only slanted upright glyphs, which browsers synthesize without another file. */
  isSlanted?: boolean
}

/** System fonts of each kind; few, because browsers look up every name for each size and weight before the first paint. */
const stacks = {
  sans: 'sans-serif',
  serif: "Georgia,Cambria,'Times New Roman',serif",
  mono: 'Menlo,Consolas,monospace',
}

interface FallbackFont {
  source: string
  /** Width of an English text, compared with the first font of the list. */
  width: number
}

/**
 * System fonts shown until a font is loaded; the first that is installed is used. Browsers on Linux look up other system fonts once more
 * for each size and weight before the first paint.
 */
const fallbackFonts: Partial<Record<FontStack, readonly FallbackFont[]>> = {
  sans: [
    { source: "local('Arial'),local('Liberation Sans'),local('Roboto')", width: 1 },
    { source: "local('DejaVu Sans')", width: 1.13 },
  ],
  serif: [
    { source: "local('Times New Roman'),local('Liberation Serif')", width: 1 },
    { source: "local('DejaVu Serif')", width: 1.267 },
  ],
}

const variablePackage = (name: string) => `@fontsource-variable/${name}`
const staticPackage = (name: string) => `@fontsource/${name}`

const inter: BundledFont = {
  package: variablePackage('inter'),
  stack: 'sans',
  fallbackMetrics: [106.8, 90.7, 22.6],
  isSlanted: true,
}

const bundledFonts: Readonly<Record<string, BundledFont>> = {
  Inter: inter,
  // Not freely licensed, so it cannot be served; replaced with the most similar free font.
  ABCFavorit: inter,
  Roboto: { package: variablePackage('roboto'), stack: 'sans', fallbackMetrics: [99.6, 93.1, 24.5] },
  RobotoSlab: { package: variablePackage('roboto-slab'), stack: 'serif', fallbackMetrics: [117.4, 89.2, 23.1] },
  OpenSans: { package: variablePackage('open-sans'), stack: 'sans', fallbackMetrics: [105.3, 101.5, 27.8] },
  SourceSansPro: { package: variablePackage('source-sans-3'), stack: 'sans', fallbackMetrics: [89.3, 114.7, 44.8] },
  Lato: { package: staticPackage('lato'), stack: 'sans', fallbackMetrics: [96.8, 101.9, 22] },
  Ubuntu: { package: staticPackage('ubuntu'), stack: 'sans', fallbackMetrics: [102.1, 91.3, 18.5] },
  Raleway: { package: variablePackage('raleway'), stack: 'sans', fallbackMetrics: [100.6, 93.5, 23.3] },
  Merriweather: { package: variablePackage('merriweather'), stack: 'serif', fallbackMetrics: [117.2, 83.9, 23.3] },
  Overpass: { package: variablePackage('overpass'), stack: 'sans', fallbackMetrics: [100.1, 88.2, 38.3] },
  NotoSans: { package: variablePackage('noto-sans'), stack: 'sans', fallbackMetrics: [106.2, 100.7, 27.6] },
  IBMPlexSerif: { package: staticPackage('ibm-plex-serif'), stack: 'serif', fallbackMetrics: [116.7, 87.8, 23.6] },
  Poppins: { package: staticPackage('poppins'), stack: 'sans', fallbackMetrics: [112.7, 93.2, 31.1] },
  FiraSans: { package: staticPackage('fira-sans'), stack: 'sans', fallbackMetrics: [102.6, 91.1, 25.8] },
  FiraCode: { package: variablePackage('fira-code'), stack: 'mono' },
  IBMPlexMono: { package: staticPackage('ibm-plex-mono'), stack: 'mono' },
  JetBrainsMono: { package: variablePackage('jetbrains-mono'), stack: 'mono' },
  SourceCodePro: { package: variablePackage('source-code-pro'), stack: 'mono' },
  RobotoMono: { package: variablePackage('roboto-mono'), stack: 'mono' },
  SpaceMono: { package: staticPackage('space-mono'), stack: 'mono' },
  DMMono: { package: staticPackage('dm-mono'), stack: 'mono' },
  Inconsolata: { package: variablePackage('inconsolata'), stack: 'mono' },
}

/** Font weights used by pages: text, emphasis in menus, headings. */
const weights = new Set([400, 500, 600, 700])

/** Returns a font for text or code, given the URL of the assets. Unknown names are replaced with Inter. */
export function resolveFont(setting: FontSetting, use: 'text' | 'code', assetsHref: string): SiteFont {
  if (typeof setting === 'string') return resolveBundledFont(setting, assetsHref)
  return resolveCustomFont(setting, use === 'text' ? 'sans' : 'mono')
}

/**
 * Returns a function that selects the faces with characters of a text, because browsers check all faces for every size and
 * weight.
 */
export function createFaceSelector(faces: readonly string[]): (text: string) => string {
  const rules = [...new Set(faces)].map((rule) => ({ rule, characters: toCharacterPattern(rule) }))
  return (text) =>
    rules
      .filter(({ characters }) => characters?.test(text) ?? true)
      .map(({ rule }) => rule)
      .join('')
}

const patterns = new Map<string, RegExp>()

/** Returns a pattern of the characters that a font face contains; undefined if it has no range. */
function toCharacterPattern(rule: string): RegExp | undefined {
  const range = /;unicode-range:([U+\dA-F,-]+)\}$/i.exec(rule)?.[1]
  if (range === undefined) return undefined
  const cached = patterns.get(range)
  if (cached) return cached
  const code = range
    .replace(/U\+/gi, '')
    .replace(/[\dA-F]+/gi, '\\u{$&}')
    .replaceAll(',', '')
  const pattern = new RegExp(`[${code}]`, 'u')
  patterns.set(range, pattern)
  return pattern
}

/**
 * Returns a file of a bundled font by its name in `faces` without the folder; the name changes with the version of the package.
 */
export async function readFontFile(name: string): Promise<FontFile | undefined> {
  const path = readFontFilePaths().get(name)
  return path === undefined ? undefined : { bytes: await readFile(path), contentType: 'font/woff2' }
}

/** Returns the files of a bundled font's upright faces in the nearest weight, for drawing without a browser. */
export function findFontFiles(setting: FontSetting, weight: number): readonly string[] {
  const { faces } = readFontPackage(findBundledFont(typeof setting === 'string' ? setting : 'Inter').package)
  const upright = faces.filter(({ style }) => style === 'normal')
  const minDistance = Math.min(...upright.map((face) => face.distanceTo(weight)))
  const nearestWeight = upright.find((face) => face.distanceTo(weight) === minDistance)?.weight
  // The last subset contains the most letters, so it is first.
  return upright
    .filter((face) => face.weight === nearestWeight)
    .map(({ path }) => path)
    .toReversed()
}

const findBundledFont = (name: string): BundledFont =>
  (Object.hasOwn(bundledFonts, name) ? bundledFonts[name] : undefined) ?? inter

function resolveBundledFont(name: string, assetsHref: string): SiteFont {
  const font = findBundledFont(name)
  const { family, faces: all } = readFontPackage(font.package)
  const faces = font.isSlanted ? all.filter(({ style }) => style === 'normal') : all
  const rules = faces.map(
    ({ style, weight, file, range }) =>
      `@font-face{font-family:'${family}';font-style:${style};font-weight:${weight};font-display:swap;src:url(${cssString(`${assetsHref}fonts/${file}`)}) format('woff2');unicode-range:${range}}`,
  )
  rules.push(...createFallbackFaces(font, family))
  const initialFamily = `${font.fallbackMetrics ? `'${family} Fallback',` : ''}${stacks[font.stack]}`
  return {
    family: `'${family}',${initialFamily}`,
    initialFamily,
    faces: rules,
    origins: [],
  }
}

const percent = (value: number): string => `${Number(value.toFixed(1))}%`

/** Returns the rules of the fallback family in reverse order, because the last rule whose font is installed is used. */
function createFallbackFaces({ stack, fallbackMetrics }: BundledFont, family: string): string[] {
  if (!fallbackMetrics) return []
  const [width, ascent, descent] = fallbackMetrics
  return (fallbackFonts[stack] ?? [])
    .map(({ source, width: relative }) =>
      [
        `@font-face{font-family:'${family} Fallback';src:${source};size-adjust:${percent(width / relative)}`,
        // The overrides are shares of the adjusted size.
        `ascent-override:${percent(ascent * relative)};descent-override:${percent(descent * relative)};line-gap-override:0%}`,
      ].join(';'),
    )
    .toReversed()
}

function resolveCustomFont({ fontFamily, fontFaces }: CustomFont, stack: FontStack): SiteFont {
  const family = cssString(fontFamily)
  const origins = new Set<string>()
  const rules: string[] = []
  for (const { weight, sources } of fontFaces) {
    const urls = sources.filter(({ url }) => isAllowedFontUrl(url))
    if (urls.length === 0 || !Number.isInteger(weight)) continue
    const sourceList = urls.map(({ url, format }) => {
      const address = new URL(url)
      origins.add(address.origin)
      const kind = format === 'woff2' || format === 'woff' ? ` format('${format}')` : ''
      return `url(${cssString(address.href)})${kind}`
    })
    rules.push(`@font-face{font-family:${family};font-weight:${weight};font-display:swap;src:${sourceList.join(',')}}`)
  }
  const initialFamily = stacks[stack]
  return { family: `${family},${initialFamily}`, initialFamily, faces: rules, origins: [...origins] }
}

/** Whether a URL is allowed for a font file; hosts with characters that have a meaning in a Content-Security-Policy are not. */
function isAllowedFontUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return /^https?:$/.test(protocol) && /^[\w.:[\]-]+$/.test(host)
}

/** Quotes a string for CSS; characters that could end the string or the style element are escaped as code points. */
function cssString(text: string): string {
  return `'${text.replace(/["'\\<>\p{Cc}\p{Zl}\p{Zp}]/gu, (one) => `\\${(one.codePointAt(0) ?? 0).toString(16)} `)}'`
}

interface Face {
  /** Name in its URL. */
  file: string
  path: string
  subset: string
  style: string
  weight: string
  range: string
  /** Returns the distance to a weight; 0 if the face contains it. */
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

/** Reads the metadata of a font package. */
function readFontPackage(name: string): { family: string; faces: readonly Face[] } {
  const cached = packages.get(name)
  if (cached) return cached
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/metadata.json`))
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { id, family, styles, weights: all, variable: axes } = read('metadata.json') as Metadata
  const { version } = read('package.json') as { version: string }
  const axis = axes === false ? undefined : axes.wght
  const weightRanges = axis
    ? [{ part: 'wght', weight: `${axis.min} ${axis.max}`, min: Number(axis.min), max: Number(axis.max) }]
    : all
        .filter((weight) => weights.has(weight))
        .map((weight) => ({ part: String(weight), weight: String(weight), min: weight, max: weight }))
  const faces: Face[] = []
  for (const [subset, range] of Object.entries(read('unicode.json') as Record<string, string>))
    for (const style of styles.toSorted().toReversed())
      for (const { part, weight, min, max } of weightRanges) {
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
  const fontPackage = { family, faces }
  packages.set(name, fontPackage)
  return fontPackage
}

let files: ReadonlyMap<string, string> | undefined

/** Returns the paths of the files of all bundled fonts. */
function readFontFilePaths(): ReadonlyMap<string, string> {
  files ??= new Map(
    Object.values(bundledFonts).flatMap((font) =>
      readFontPackage(font.package).faces.map(({ file, path }) => [file, path] as const),
    ),
  )
  return files
}
