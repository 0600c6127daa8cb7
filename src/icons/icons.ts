import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LruCache } from '../kernel/lru-cache.ts'
import { type Html, markup, nothing, trusted } from '../render/html.ts'
import { findTablerName, iconAliases } from './icon-aliases.ts'

export type IconStyle = 'regular' | 'solid' | 'duotone' | 'light' | 'thin'

type Variant = 'outline' | 'filled'

/** Maximum number of cached icons, and of cached name lookups; a site uses a few dozen. */
const maxCachedIcons = 600

/** Maximum length of an icon name. */
const maxNameLength = 64

/** Maximum number of words of a name that are compared with other names; some words are part of a thousand names. */
const maxComparedWords = 6

/** Minimum length of a text that is also found inside of words; shorter ones are part of most names. */
const minInnerLength = 3

const folder = dirname(dirname(createRequire(import.meta.url).resolve('@tabler/icons/outline/point.svg')))

/** Names of the existing icons; only these are used as file names. */
const names: Record<Variant, () => ReadonlySet<string>> = {
  outline: once(() => readIconNames('outline')),
  filled: once(() => readIconNames('filled')),
}

/** Tabler names by requested name; an empty string for unknown icons. */
const nameCache = new LruCache<string>(maxCachedIcons)
const iconCache = new LruCache<Html>(maxCachedIcons)

/** Returns an icon by its Font Awesome or Tabler name; `nothing` if it is unknown. Color and size are inherited from the text. */
export function renderIcon(name: string, style: IconStyle): Html {
  const tablerName = nameCache.getOrCreate(name.slice(0, maxNameLength), () => findIconName(name) ?? '')
  return tablerName === '' ? nothing : iconCache.getOrCreate(`${style} ${tablerName}`, () => draw(tablerName, style))
}

/** Returns names of icons that contain a text, the best matches first; common icons if the text is empty. */
export function findIconNames(query: string, limit: number): string[] {
  const wanted = normalizeName(query.trim().replace(/\s+/g, '-'))
  if (wanted === '') return Object.keys(iconAliases).slice(0, limit)
  const matches = [...names.outline(), ...aliasNames()].flatMap((name) => {
    const rank = rankName(name, wanted)
    return rank === undefined ? [] : [{ name, rank }]
  })
  matches.sort((one, other) => one.rank - other.rank || one.name.length - other.name.length)
  return matches.slice(0, limit).map(({ name }) => name)
}

/** Returns how well a name matches a text, where 0 is the best; undefined if it does not contain it. */
function rankName(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at < 0) return undefined
  if (name[at - 1] === '-') return 2
  return wanted.length < minInnerLength ? undefined : 3
}

/** Names that are not those of files; the first alias of a similar icon is enough. */
const aliasNames = once(() =>
  Object.values(iconAliases)
    .flatMap((aliases) => aliases.split(' ').slice(0, 2))
    .filter((alias) => !names.outline().has(alias)),
)

function draw(name: string, style: IconStyle): Html {
  const hasFilled = names.filled().has(name)
  if (style === 'solid' && hasFilled) return svg('icon-svg filled', readShapes('filled', name))
  // Only closed shapes are filled: filling an open one would show an edge that is not part of the icon.
  const hasInside = hasFilled && !/^(?:arrow|chevron)/.test(name)
  const classSuffix = style === 'regular' || (style === 'duotone' && !hasInside) ? '' : ` ${style}`
  return svg(`icon-svg${classSuffix}`, readShapes('outline', name))
}

const svg = (className: string, shapes: Html) =>
  markup`<svg class="${className}" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">${shapes}</svg>`

/** Returns the shapes of an icon; shapes of an outline with equal attributes are joined to one path. */
function readShapes(variant: Variant, name: string): Html {
  const text = readFileSync(join(folder, variant, `${name}.svg`), 'utf8')
  const shapes: { path: string; pathAttributes: string }[] = []
  for (const [, path = '', pathAttributes = ''] of text.matchAll(/<path d="([^"]+)"([^>]*?)\s*\/>/g)) {
    const before = shapes.at(-1)
    // Overlapping filled areas cannot be joined, because they would cut holes into each other.
    if (variant === 'outline' && pathAttributes === '' && before?.pathAttributes === '' && path.startsWith('M'))
      before.path += path
    else shapes.push({ path, pathAttributes })
  }
  return trusted(shapes.map(({ path, pathAttributes }) => `<path d="${shortenPath(path)}"${pathAttributes}/>`).join(''))
}

const shortenPath = (path: string) => path.replace(/ (?=-)/g, '').replace(/(?<=[a-z]) /gi, '')

function findIconName(given: string): string | undefined {
  if (given.length > maxNameLength) return undefined
  const name = normalizeName(given)
  if (name === '') return undefined
  const { outline } = names
  const candidates = [findTablerName(name), name, `brand-${name}`, ...nameVariations(name)]
  return candidates.find((one) => one !== undefined && outline().has(one)) ?? findByWords(name)
}

/** Removes prefixes for the icon family: `fa-`, `fas fa-rocket`, `solid/rocket`, `fa-solid fa-rocket`. */
function normalizeName(given: string): string {
  const last =
    given
      .toLowerCase()
      .split(/[\s/:]+/)
      .findLast((part) => part !== '') ?? ''
  return last.replace(/^fa[srlbdt]?-/, '').replace(/_/g, '-')
}

/** Returns the same words in other orders and without variant suffixes: `circle-plus`, `plus-circle`, `user-alt`. */
function nameVariations(name: string): string[] {
  const plain = name.replace(/-(?:alt|o|simple|solid|regular|light|duotone|outline|\d+)$/, '')
  const words = plain.split('-')
  const [first = '', ...others] = words
  const orders = [plain, words.toReversed().join('-'), [...others, first].join('-')]
  return orders.flatMap((order) => [
    order,
    findTablerName(order) ?? order,
    order.replace('xmark', 'x'),
    order.replace('slash', 'off'),
  ])
}

/** Index of icon names by word; brand icons are excluded, because they match only by their full name. */
const iconsByWord = once(() => {
  const index = new Map<string, string[]>()
  for (const name of names.outline()) {
    if (name.startsWith('brand-')) continue
    for (const word of new Set(name.split('-'))) {
      const others = index.get(word)
      if (others) others.push(name)
      else index.set(word, [name])
    }
  }
  return index
})

/** Returns the icon that shares the most words with a name, at least half of them; shorter names win. */
function findByWords(name: string): string | undefined {
  const words = [...new Set(name.split('-'))].filter((word) => word.length > 1).slice(0, maxComparedWords)
  const shared = new Map<string, number>()
  // The first word has a higher weight, because it names the object in both naming schemes.
  for (const [index, word] of words.entries()) {
    const weight = index === 0 ? 1.5 : 1
    for (const icon of iconsByWord().get(word) ?? []) shared.set(icon, (shared.get(icon) ?? 0) + weight)
  }
  let best: string | undefined
  let bestScore = words.length / 2
  for (const [icon, weight] of shared) {
    const score = weight - icon.length / 100
    if (score > bestScore) [best, bestScore] = [icon, score]
  }
  return best ?? words.map((word) => findTablerName(word) ?? word).find((word) => names.outline().has(word))
}

const readIconNames = (variant: Variant): ReadonlySet<string> =>
  new Set(
    readdirSync(join(folder, variant))
      .filter((file) => file.endsWith('.svg'))
      .map((file) => file.slice(0, -'.svg'.length)),
  )

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
