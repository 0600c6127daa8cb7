import { type ColorName, colorNames } from './nodes.ts'
import { type OklchColor, type Rgb, toOklch } from './oklch.ts'

// Converts CSS colors of HTML to the nearest colors of the document model.

export interface TextColors {
  text?: ColorName
  background?: ColorName
}

const knownColorNames: ReadonlySet<string> = new Set(colorNames)
const colorProperties: ReadonlyMap<string, keyof TextColors> = new Map([
  ['color', 'text'],
  ['background-color', 'background'],
  ['background', 'background'],
])

/** Parses the colors of a `style` attribute; `isExact` if the document model has all of them. */
export function parseStyleColors(style: string): { colors: TextColors; isExact: boolean } {
  const colors: TextColors = {}
  let isExact = true
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = declaration.slice(colon + 1).trim()
    const target = colorProperties.get(property)
    const color = target && value !== '' ? findNearestColor(value) : undefined
    if (target && color) colors[target] = color
    isExact &&= declaration.trim() === '' || (color === value && property !== 'background')
  }
  return { colors, isExact }
}

/** Parses an opening tag that sets text colors; returns the name of the element and the colors. */
export function parseColorTag(tag: string): { name: string; colors: TextColors } | undefined {
  const [, name, rest] = /^<(mark|span|font)((?:\s[^<>]*)?)>$/.exec(tag) ?? []
  if (name === undefined || rest === undefined) return undefined
  const attribute = (attributeName: string) => new RegExp(`\\s${attributeName}="([^"]*)"`).exec(rest)?.[1]
  return { name, colors: getElementColors(name, { style: attribute('style'), color: attribute('color') }).colors }
}

/** Returns the colors that an element sets for its text. */
export function getElementColors(
  name: string,
  { style, color }: { style?: string | undefined; color?: string | undefined },
): { colors: TextColors; isExact: boolean } {
  if (name === 'font') {
    const text = findNearestColor((color ?? '').trim())
    return { colors: text ? { text } : {}, isExact: false }
  }
  // Browsers highlight `<mark>` in yellow by default.
  if (name === 'mark' && style === undefined) return { colors: { background: 'yellow' }, isExact: false }
  const { colors, isExact } = parseStyleColors(style ?? '')
  return { colors, isExact: isExact && name === 'mark' }
}

/** Returns the name of the color nearest to a CSS color; undefined if the value is no color, or is almost black or white. */
export function findNearestColor(value: string): ColorName | undefined {
  if (knownColorNames.has(value)) return value as ColorName
  const rgb = parseCssColor(value.toLowerCase())
  if (!rgb) return undefined
  const { lightness, chroma, hue } = toOklch(rgb)
  if (chroma < 0.04) return lightness > 0.4 && lightness < 0.85 ? '$tint' : undefined
  let nearest: { name: ColorName; distance: number } | undefined
  for (const [name, reference] of referenceColors) {
    // Text is rendered in a readable lightness, so the hue has the most weight.
    const distance =
      2 * Math.sin(Math.abs(hue - reference.hue) / 2) ** 2 + 0.25 * (lightness - reference.lightness) ** 2
    if (!nearest || distance < nearest.distance) nearest = { name, distance }
  }
  return nearest?.name
}

const referenceColors: readonly (readonly [ColorName, OklchColor])[] = (
  [
    ['red', 0xdc2626],
    ['orange', 0xea580c],
    ['yellow', 0xeab308],
    ['green', 0x16a34a],
    ['cyan', 0x0891b2],
    ['blue', 0x2563eb],
    ['violet', 0x7c3aed],
    ['purple', 0xa21caf],
    ['pink', 0xec4899],
  ] as const
).map(([name, hex]) => [name, toOklch(hexToRgb(hex))])

function hexToRgb(hex: number): Rgb {
  return [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255]
}

function parseCssColor(value: string): Rgb | undefined {
  const hex = cssColorValues.get(value)
  if (hex !== undefined) return hexToRgb(hex)
  const digits = /^#(?:([0-9a-f]{3})[0-9a-f]?|([0-9a-f]{6})(?:[0-9a-f]{2})?)$/.exec(value)
  if (digits) return hexToRgb(parseInt(digits[2] ?? (digits[1] as string).replace(/./g, '$&$&'), 16))
  const [, kind, inner = ''] = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(value) ?? []
  const parts = inner.split(/[\s,/]+/).filter(Boolean)
  if (kind === undefined || parts.length < 3) return undefined
  const [one, two, three] = parts.map(parseFloat) as [number, number, number]
  if (![one, two, three].every(Number.isFinite)) return undefined
  if (kind === 'hsl') return hslToRgb(one, two / 100, three / 100)
  const channel = (part: number, index: number) => clamp(part / (parts[index]?.endsWith('%') ? 100 : 255))
  return [channel(one, 0), channel(two, 1), channel(three, 2)]
}

const clamp = (value: number) => Math.min(Math.max(value, 0), 1)

function hslToRgb(hue: number, saturation: number, lightness: number): Rgb {
  const [s, l] = [clamp(saturation), clamp(lightness)]
  const channel = (offset: number) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [channel(0), channel(8), channel(4)]
}

/** CSS color names with their values. */
const cssColorValues: ReadonlyMap<string, number> = new Map(
  (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 ' +
    'blanchedalmond ffebcd blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e ' +
    'coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b ' +
    'darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f ' +
    'darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b ' +
    'darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff ' +
    'dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff ' +
    'gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 greenyellow adff2f grey 808080 honeydew f0fff0 ' +
    'hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 ' +
    'lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 ' +
    'lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa ' +
    'lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 ' +
    'magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db ' +
    'mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 ' +
    'midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 ' +
    'olive 808000 olivedrab 6b8e23 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee ' +
    'palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f plum dda0dd powderblue b0e0e6 rebeccapurple 663399 ' +
    'rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee ' +
    'sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f ' +
    'steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 wheat f5deb3 white ffffff ' +
    'whitesmoke f5f5f5 yellowgreen 9acd32'
  )
    .split(/(?<= [0-9a-f]{6}) /)
    .map((pair) => {
      const [name = '', hex = ''] = pair.split(' ')
      return [name, parseInt(hex, 16)]
    }),
)
