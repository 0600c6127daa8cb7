import { type Lch, type Rgb, lchOf as lchOfRgb, linear } from '../content/document/oklch.ts'

// Colors in OKLCH: equal steps of lightness look equal, so a scale can be tinted without losing contrast.

function rgbOf(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(Math.max(value, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const encoded = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const lchOf = (hex: string): Lch => lchOfRgb(rgbOf(hex))

function linearOf({ lightness, chroma, hue }: Lch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** Reduces chroma until the color is in the sRGB gamut. */
function toHex(color: Lch): string {
  let { chroma } = color
  for (let step = 0; step < 24; step++) {
    const rgb = linearOf({ ...color, chroma })
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return hexOf(rgb.map(encoded) as unknown as Rgb)
    chroma *= 0.88
  }
  return hexOf(linearOf({ ...color, chroma: 0 }).map(encoded) as unknown as Rgb)
}

function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map(linear) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the WCAG contrast ratio of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Returns the nearest color that has enough contrast on all backgrounds. */
export function readable(hex: string, backgrounds: readonly string[], least = 4.5): string {
  const color = lchOf(hex)
  const reads = (candidate: string) => backgrounds.every((back) => contrast(candidate, back) >= least)
  const darker = backgrounds.every((back) => luminance(back) > 0.18)
  let candidate = toHex(color)
  for (let { lightness } = color; !reads(candidate) && lightness > 0 && lightness < 1;) {
    lightness += darker ? -0.01 : 0.01
    candidate = toHex({ ...color, lightness })
  }
  return reads(candidate) ? candidate : darker ? '#000000' : '#ffffff'
}

/** Returns black or white, whichever has more contrast on a color. */
export function on(hex: string): string {
  return contrast('#ffffff', hex) >= 4.5 || contrast('#ffffff', hex) >= contrast('#111111', hex) ? '#ffffff' : '#111111'
}

/** Returns a gray of a lightness with a slight tint. */
export function grey(lightness: number, tint: string, strength: number): string {
  const { chroma, hue } = lchOf(tint)
  // Tints are barely visible near white and black.
  const room = Math.min(1, 4 * Math.min(lightness, 1.04 - lightness))
  return toHex({ lightness, chroma: Math.min(chroma, 0.14) * strength * room, hue })
}

/** Tints a gray like the grays around it; returns any other color unchanged. */
export function tinted(hex: string, tint: string, strength: number): string {
  const { chroma, lightness } = lchOf(hex)
  return chroma < 0.015 ? grey(lightness, tint, strength) : hex
}

/** Mixes two colors by the share of the first. */
export function mix(one: string, other: string, part: number): string {
  const [a, b] = [rgbOf(one), rgbOf(other)]
  return hexOf(a.map((value, index) => value * part + (b[index] ?? 0) * (1 - part)) as unknown as Rgb)
}
