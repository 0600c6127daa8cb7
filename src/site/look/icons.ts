import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LruCache } from '../../kernel/recent.ts'
import { type Html, markup, nothing, trusted } from '../../render/html.ts'
import { ourNameOf } from './icon-names.ts'

export type IconStyle = 'regular' | 'solid' | 'duotone' | 'light' | 'thin'

type Variant = 'outline' | 'filled'

/** How many icons stay in memory, and how many names that were looked for; a site uses some dozens. */
const kept = 600

/** Longer than any name of an icon; what is longer is none. */
const longestName = 64

const folder = dirname(dirname(createRequire(import.meta.url).resolve('@tabler/icons/outline/point.svg')))

/** The names that there are. Only these ever become the name of a file. */
const names: Record<Variant, () => ReadonlySet<string>> = {
  outline: once(() => namesIn('outline')),
  filled: once(() => namesIn('filled')),
}

/** The names of icons by the names that were given; an empty one for what is unknown. */
const found = new LruCache<string>(kept)
const drawn = new LruCache<Html>(kept)

/**
 * An icon by its name, which is one of Font Awesome or our own; `nothing` when it is unknown.
 * Colour and size are those of the text around it.
 */
export function iconOf(name: string, style: IconStyle): Html {
  const ours = found.getOr(name.slice(0, longestName), () => findName(name) ?? '')
  return ours === '' ? nothing : drawn.getOr(`${style} ${ours}`, () => draw(ours, style))
}

function draw(name: string, style: IconStyle): Html {
  const hasFilled = names.filled().has(name)
  if (style === 'solid' && hasFilled) return svg('icon-svg filled', shapesOf('filled', name))
  // Only shapes that have an inside are tinted: what is open would be closed by a line that nobody drew.
  const hasInside = hasFilled && !/^(?:arrow|chevron)/.test(name)
  const look = style === 'regular' || (style === 'duotone' && !hasInside) ? '' : ` ${style}`
  return svg(`icon-svg${look}`, shapesOf('outline', name))
}

const svg = (look: string, shapes: Html) =>
  markup`<svg class="${look}" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">${shapes}</svg>`

/** The shapes of an icon; those of an outline as one path, as far as they are alike. */
function shapesOf(variant: Variant, name: string): Html {
  const text = readFileSync(join(folder, variant, `${name}.svg`), 'utf8')
  const shapes: { path: string; look: string }[] = []
  for (const [, path = '', look = ''] of text.matchAll(/<path d="([^"]+)"([^>]*?)\s*\/>/g)) {
    const before = shapes.at(-1)
    // Areas that lie on each other would cut holes into each other as one.
    if (variant === 'outline' && look === '' && before?.look === '' && path.startsWith('M')) before.path += path
    else shapes.push({ path, look })
  }
  return trusted(shapes.map(({ path, look }) => `<path d="${shortened(path)}"${look}/>`).join(''))
}

const shortened = (path: string) => path.replace(/ (?=-)/g, '').replace(/(?<=[a-z]) /gi, '')

function findName(given: string): string | undefined {
  if (given.length > longestName) return undefined
  const name = plainName(given)
  if (name === '') return undefined
  const { outline } = names
  const candidates = [ourNameOf(name), name, `brand-${name}`, ...turned(name)]
  return candidates.find((one) => one !== undefined && outline().has(one)) ?? byWords(name)
}

/** A name without what only says from which family it is: `fa-`, `fas fa-rocket`, `solid/rocket`, `fa-solid fa-rocket`. */
function plainName(given: string): string {
  const last =
    given
      .toLowerCase()
      .split(/[\s/:]+/)
      .findLast((part) => part !== '') ?? ''
  return last.replace(/^fa[srlbdt]?-/, '').replace(/_/g, '-')
}

/** The same words in other orders and without those that only tell variants apart: `circle-plus`, `plus-circle`, `user-alt`. */
function turned(name: string): string[] {
  const plain = name.replace(/-(?:alt|o|simple|solid|regular|light|duotone|outline|\d+)$/, '')
  const words = plain.split('-')
  const [first = '', ...others] = words
  const orders = [plain, words.toReversed().join('-'), [...others, first].join('-')]
  return orders.flatMap((order) => [
    order,
    ourNameOf(order) ?? order,
    order.replace('xmark', 'x'),
    order.replace('slash', 'off'),
  ])
}

/** Which icons have a word in their name; those of brands only have the whole of it. */
const byWord = once(() => {
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

/** The icon that shares the most words with a name, at least half of them; the plainest one of those. */
function byWords(name: string): string | undefined {
  const words = [...new Set(name.split('-'))].filter((word) => word.length > 1)
  const shared = new Map<string, number>()
  // What a thing is stands first in names of either kind, so the first word weighs more.
  for (const [index, word] of words.entries()) {
    const weight = index === 0 ? 1.5 : 1
    for (const icon of byWord().get(word) ?? []) shared.set(icon, (shared.get(icon) ?? 0) + weight)
  }
  let best: string | undefined
  let bestScore = words.length / 2
  for (const [icon, weight] of shared) {
    const score = weight - icon.length / 100
    if (score > bestScore) [best, bestScore] = [icon, score]
  }
  return best ?? words.map((word) => ourNameOf(word) ?? word).find((word) => names.outline().has(word))
}

const namesIn = (variant: Variant): ReadonlySet<string> =>
  new Set(
    readdirSync(join(folder, variant))
      .filter((file) => file.endsWith('.svg'))
      .map((file) => file.slice(0, -'.svg'.length)),
  )

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
