import type { Dimensions } from './size.ts'

/** Returns the dimensions in the first frame header, after the Exif rotation. */
export function jpegDimensions(view: DataView): Dimensions | undefined {
  let isRotated = false
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Any number of fill bytes may precede a marker, and some markers have no content.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else {
      const length = view.getUint16(at + 2)
      if (length < 2) return undefined
      if (isFrameHeader(marker)) {
        const height = view.getUint16(at + 5)
        const width = view.getUint16(at + 7)
        return isRotated ? { width: height, height: width } : { width, height }
      }
      if (marker === 0xe1) isRotated = isRotatedByExif(view, at + 4, at + 2 + length) ?? isRotated
      at += 2 + length
    }
  }
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Whether the orientation in an Exif segment swaps width and height; undefined if there is none. */
function isRotatedByExif(view: DataView, start: number, end: number): boolean | undefined {
  const length = Math.min(end, view.byteLength) - start
  const tiffStart = 6
  const hasWordAt = (at: number) => at >= tiffStart && at + 4 <= length
  if (!hasWordAt(tiffStart + 4) || view.getUint32(start) !== 0x45786966) return undefined
  const littleEndian = view.getUint16(start + tiffStart) === 0x4949
  const directory = tiffStart + view.getUint32(start + tiffStart + 4, littleEndian)
  if (!hasWordAt(directory)) return undefined
  const count = view.getUint16(start + directory, littleEndian)
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12
    if (!hasWordAt(at + 8)) return undefined
    if (view.getUint16(start + at, littleEndian) === 0x0112) {
      const orientation = view.getUint16(start + at + 8, littleEndian)
      return orientation >= 5 && orientation <= 8
    }
  }
}
