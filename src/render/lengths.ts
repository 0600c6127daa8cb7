import type { ImageData, Length } from '../content/document/nodes.ts'

/** Returns the size from the source as a style; a missing length follows the aspect ratio. */
export function sizeStyle({ width, height }: Pick<ImageData, 'width' | 'height'>): string | undefined {
  const [cssWidth, cssHeight] = [toCssLength(width), toCssLength(height)]
  if (cssWidth !== undefined && cssHeight !== undefined) return `width:${cssWidth};height:${cssHeight}`
  if (cssWidth !== undefined) return `width:${cssWidth}`
  return cssHeight === undefined ? undefined : `width:auto;height:${cssHeight}`
}

/** Converts a length to CSS; numbers are pixels. */
export function toCssLength(length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  const { value, unit } = typeof length === 'number' ? { value: length, unit: 'px' } : length
  const isLength = /^(px|%|em|rem|vw|vh)$/.test(unit) && Number.isFinite(value) && value > 0
  return isLength ? `${roundToHundredths(value)}${unit}` : undefined
}

export const roundToHundredths = (value: number): number => Math.round(value * 100) / 100
