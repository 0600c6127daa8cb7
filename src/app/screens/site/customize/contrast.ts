/** Minimum contrast of texts (WCAG AA). */
export const minContrast = 4.5

/** Background of pages in both modes, without a tint. */
export const pageColors = { light: '#ffffff', dark: '#121317' } as const

const colorPattern = /^#(?:[0-9a-f]{3}){1,2}$/i

export const isColor = (value: string): boolean => colorPattern.test(value)

/** Returns a color with six digits, the format of color fields. */
export const toLongColor = (color: string): string =>
  color.length === 4 ? color.replace(/[0-9a-f]/gi, (digit) => digit + digit) : color

function getLuminance(color: string): number {
  const long = toLongColor(color)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colors, from 1 to 21. */
export function getContrast(color: string, other: string): number {
  const [a, b] = [getLuminance(color), getLuminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
