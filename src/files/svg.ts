import type { Dimensions } from './size.ts'
import { rootTagOf } from './xml.ts'

/** Pixels per unit of length; relative units are not included. */
const pixelsIn: Record<string, number> = { '': 1, px: 1, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 }

/** Returns the dimensions from the width and height of the root element, or from its view box if they are missing. */
export function svgDimensions(view: DataView): Dimensions | undefined {
  const text = new TextDecoder().decode(view)
  const root = rootTagOf(text)
  if (root?.name !== 'svg') return undefined
  const width = lengthOf(root.attributes.get('width'))
  const height = lengthOf(root.attributes.get('height'))
  const box = boxOf(root.attributes.get('viewBox'))
  if (width && height) return rounded(width, height)
  if (!box) return undefined
  if (width) return rounded(width, (width * box.height) / box.width)
  if (height) return rounded((height * box.width) / box.height, height)
  return rounded(box.width, box.height)
}

function rounded(width: number, height: number): Dimensions {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d{0,9}\.?\d{1,9}(?:e[+-]?\d)?)([a-z]{0,2})\s*$/i.exec(text ?? '') ?? []
  const pixels = pixelsIn[unit.toLowerCase()]
  return number === undefined || pixels === undefined ? undefined : Number(number) * pixels || undefined
}

function boxOf(text: string | undefined): Dimensions | undefined {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/, 5)
    .map(Number)
  const [, , width = 0, height = 0] = numbers
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : undefined
}
