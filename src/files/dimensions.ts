import { avifDimensions } from './avif.ts'
import { jpegDimensions } from './jpeg.ts'
import type { Dimensions } from './size.ts'
import { svgDimensions } from './svg.ts'

/** Number of leading bytes to read. */
const headSize = 256 * 1024

/** Maximum length that the formats can store; larger values are invalid. */
const maxLength = 2 ** 31 - 1

/** Returns the displayed size of an image in pixels from its first bytes; undefined if they do not contain it. */
export function imageDimensions(head: Uint8Array): Dimensions | undefined {
  const view = new DataView(head.buffer, head.byteOffset, Math.min(head.byteLength, headSize))
  let found: Dimensions | undefined
  try {
    found = readDimensions(view)
  } catch (error) {
    // The data is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
  return found && isValidLength(found.width) && isValidLength(found.height) ? found : undefined
}

function isValidLength(length: number): boolean {
  return Number.isInteger(length) && length > 0 && length <= maxLength
}

function readDimensions(view: DataView): Dimensions | undefined {
  const start = view.getUint32(0)
  if (start === 0x89504e47) return pngDimensions(view)
  if (start >>> 8 === 0xffd8ff) return jpegDimensions(view)
  if (start === 0x47494638) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (start === 0x52494646 && view.getUint32(8) === 0x57454250) return webpDimensions(view)
  if (start === 0x00000100) return iconDimensions(view)
  if (start >>> 16 === 0x424d && view.getUint32(14, true) <= 124) return bitmapDimensions(view)
  if (view.byteLength >= 12 && view.getUint32(4) === 0x66747970) return avifDimensions(view)
  return svgDimensions(view)
}

function pngDimensions(view: DataView): Dimensions | undefined {
  const isHeader = view.getUint32(12) === 0x49484452
  return isHeader ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined
}

function webpDimensions(view: DataView): Dimensions | undefined {
  const readUint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 ', lossy
      if ((view.getUint32(22) & 0xffffff) !== 0x9d012a) return undefined
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 0x5650384c: {
      // 'VP8L', lossless: two lengths of 14 bits each
      if (view.getUint8(20) !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 0x56503858: // 'VP8X', extended
      return { width: readUint24(24) + 1, height: readUint24(27) + 1 }
  }
}

function bitmapDimensions(view: DataView): Dimensions {
  const isOld = view.getUint32(14, true) === 12
  if (isOld) return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  // A negative height means that the first row is the top row.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** Returns the dimensions of the largest image of an icon; 0 means 256. */
function iconDimensions(view: DataView): Dimensions | undefined {
  const count = Math.min(view.getUint16(4, true), Math.floor((view.byteLength - 6) / 16))
  let best: Dimensions | undefined
  for (let entry = 0; entry < count; entry++) {
    const width = view.getUint8(6 + entry * 16) || 256
    const height = view.getUint8(7 + entry * 16) || 256
    if (!best || width * height > best.width * best.height) best = { width, height }
  }
  return best
}
