import { imageDimensions } from './dimensions.ts'

/** Number of pixels to decode, and number of passes over them. */
interface DecodingCost {
  pixels: number
  passes: number
}

/**
 * Returns the cost of decoding a still image in a format that can be resized: PNG, JPEG or WebP. Undefined for all other files,
 * which may contain scripts, many frames, or whole documents.
 */
export function decodingCost(bytes: Uint8Array): DecodingCost | undefined {
  const format = detectFormat(bytes)
  const size = format && imageDimensions(bytes)
  if (!size || isAnimated(bytes)) return undefined
  return { pixels: size.width * size.height, passes: format === 'jpeg' ? Math.max(1, countScans(bytes)) : 1 }
}

/** Maximum number of pixels of a decoded image; each pixel needs four bytes of memory. */
export const maxPixels = 40_000_000

/** Maximum number of pixels that a decoder processes in all its passes, which takes about a second. */
const maxDecodedPixels = 250_000_000

/** Whether an image can be decoded in reasonable time and memory. */
export function isDecodable(bytes: Uint8Array): boolean {
  const cost = decodingCost(bytes)
  return cost !== undefined && cost.pixels <= maxPixels && cost.pixels * cost.passes <= maxDecodedPixels
}

function detectFormat(bytes: Uint8Array): 'png' | 'jpeg' | 'webp' | undefined {
  const startsWith = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte)
  if (startsWith(0x89, 0x50, 0x4e, 0x47)) return 'png'
  if (startsWith(0xff, 0xd8, 0xff)) return 'jpeg'
  return startsWith(0x52, 0x49, 0x46, 0x46) ? 'webp' : undefined
}

/** Counts the scans of a JPEG: a progressive one may have any number of them, and each decodes all pixels. */
function countScans(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) return count
    if (marker === 0xda) count++
    // Within scan data, 0xff is followed by 0 or by a marker without content.
    const isStandalone = marker === 0 || marker === 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    at += isStandalone ? (marker === 0xff ? 1 : 2) : 2 + length
  }
  return count
}

/** Whether an image is animated: a PNG with an `acTL` chunk before its data, or a WebP with the animation flag. */
function isAnimated(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 33) return false
  if (view.getUint32(0) === 0x52494646) return view.getUint32(12) === 0x56503858 && (view.getUint8(20) & 0x02) !== 0
  if (view.getUint32(0) !== 0x89504e47) return false
  const chunks = { frames: 0x6163544c, data: 0x49444154 }
  for (let at = 8; at + 8 <= view.byteLength; at += view.getUint32(at) + 12) {
    const type = view.getUint32(at + 4)
    if (type === chunks.frames) return true
    if (type === chunks.data) return false
  }
  return false
}
