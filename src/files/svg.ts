import type { Dimensions } from './size.ts'
import { parseRootTag } from './xml.ts'

/** Pixels per unit of length; relative units are not included. */
const pixelsPerUnit: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
}

/** Returns the dimensions from the width and height of the root element, or from its view box if they are missing. */
export function svgDimensions(view: DataView): Dimensions | undefined {
  const text = new TextDecoder().decode(view)
  const root = parseRootTag(text)
  if (root?.name !== 'svg') return undefined
  const width = parseLength(root.attributes.get('width'))
  const height = parseLength(root.attributes.get('height'))
  const viewBox = parseViewBox(root.attributes.get('viewBox'))
  if (width && height) return roundDimensions(width, height)
  if (!viewBox) return undefined
  if (width) return roundDimensions(width, (width * viewBox.height) / viewBox.width)
  if (height) return roundDimensions((height * viewBox.width) / viewBox.height, height)
  return roundDimensions(viewBox.width, viewBox.height)
}

function roundDimensions(width: number, height: number): Dimensions {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

function parseLength(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d{0,9}\.?\d{1,9}(?:e[+-]?\d)?)([a-z]{0,2})\s*$/i.exec(text ?? '') ?? []
  const pixels = pixelsPerUnit[unit.toLowerCase()]
  return number === undefined || pixels === undefined ? undefined : Number(number) * pixels || undefined
}

function parseViewBox(text: string | undefined): Dimensions | undefined {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/, 5)
    .map(Number)
  const [, , width = 0, height = 0] = numbers
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : undefined
}
