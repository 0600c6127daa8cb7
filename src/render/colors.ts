import { type OklchColor, type Rgb, toOklch as lchOfRgb, toLinear } from '../content/document/oklch.ts'

// Colors in OKLCH: equal steps of lightness look equal, so a scale can be tinted without losing contrast.

function parseHex(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

const formatHex = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(Math.max(value, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const encodeGamma = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const hexToLch = (hex: string): OklchColor => lchOfRgb(parseHex(hex))

function lchToLinearRgb({ lightness, chroma, hue }: OklchColor): Rgb {
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
function lchToHex(color: OklchColor): string {
  let { chroma } = color
  for (let step = 0; step < 24; step++) {
    const rgb = lchToLinearRgb({ ...color, chroma })
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005))
      return formatHex(rgb.map(encodeGamma) as unknown as Rgb)
    chroma *= 0.88
  }
  return formatHex(lchToLinearRgb({ ...color, chroma: 0 }).map(encodeGamma) as unknown as Rgb)
}

function luminance(hex: string): number {
  const [r, g, b] = parseHex(hex).map(toLinear) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the WCAG contrast ratio of two colors, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Returns the nearest color that has enough contrast on all backgrounds. */
export function ensureContrast(hex: string, backgrounds: readonly string[], minContrast = 4.5): string {
  const color = hexToLch(hex)
  const hasContrast = (candidate: string) => backgrounds.every((back) => contrastRatio(candidate, back) >= minContrast)
  const isDarkened = backgrounds.every((back) => luminance(back) > 0.18)
  let candidate = lchToHex(color)
  for (let { lightness } = color; !hasContrast(candidate) && lightness > 0 && lightness < 1;) {
    lightness += isDarkened ? -0.01 : 0.01
    candidate = lchToHex({ ...color, lightness })
  }
  return hasContrast(candidate) ? candidate : isDarkened ? '#000000' : '#ffffff'
}

/** Returns black or white, whichever has more contrast on a color. */
export function textColorOn(hex: string): string {
  return contrastRatio('#ffffff', hex) >= 4.5 || contrastRatio('#ffffff', hex) >= contrastRatio('#111111', hex)
    ? '#ffffff'
    : '#111111'
}

/** Returns a gray of a lightness with a slight tint. */
export function tintedGray(lightness: number, tint: string, strength: number): string {
  const { chroma, hue } = hexToLch(tint)
  // Tints are barely visible near white and black.
  const tintScale = Math.min(1, 4 * Math.min(lightness, 1.04 - lightness))
  return lchToHex({ lightness, chroma: Math.min(chroma, 0.14) * strength * tintScale, hue })
}

/** Tints a gray like the grays around it; returns any other color unchanged. */
export function tintGray(hex: string, tint: string, strength: number): string {
  const { chroma, lightness } = hexToLch(hex)
  return chroma < 0.015 ? tintedGray(lightness, tint, strength) : hex
}

/** Mixes two colors by the share of the first. */
export function mixColors(one: string, other: string, share: number): string {
  const [a, b] = [parseHex(one), parseHex(other)]
  return formatHex(a.map((value, index) => value * share + (b[index] ?? 0) * (1 - share)) as unknown as Rgb)
}
