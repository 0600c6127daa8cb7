import type { ImageData, Length } from '../content/document/nodes.ts'

/** Returns the size from the source as a style; a missing length follows the aspect ratio. */
export function styleOf({ width, height }: Pick<ImageData, 'width' | 'height'>): string | undefined {
  const [wide, high] = [lengthOf(width), lengthOf(height)]
  if (wide !== undefined && high !== undefined) return `width:${wide};height:${high}`
  if (wide !== undefined) return `width:${wide}`
  return high === undefined ? undefined : `width:auto;height:${high}`
}

/** Converts a length to CSS; numbers are pixels. */
export function lengthOf(length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  const { value, unit } = typeof length === 'number' ? { value: length, unit: 'px' } : length
  const isLength = /^(px|%|em|rem|vw|vh)$/.test(unit) && Number.isFinite(value) && value > 0
  return isLength ? `${rounded(value)}${unit}` : undefined
}

export const rounded = (value: number): number => Math.round(value * 100) / 100
