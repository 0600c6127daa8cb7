import { type Canvas, Image, createCanvas } from '@napi-rs/canvas'
import { decodingCost, isDecodable } from '../files/decoding-cost.ts'
import { imageDimensions } from '../files/dimensions.ts'

/** Maximum number of pixels of one image; a larger one is scaled down. */
const maxPixelsOfImage = 6_000_000

/** Maximum number of pixels of all images of a PDF: the compiler keeps all of them in memory, with four bytes for each pixel. */
const maxPixelsOfPdf = 80_000_000

/** Returns the maximum number of pixels of each image in a PDF with this number of images. */
export const pixelLimitFor = (images: number): number =>
  Math.min(maxPixelsOfImage, maxPixelsOfPdf / Math.max(images, 1))

/** Maximum size of a vector image in bytes. */
const maxVectorSize = 2 * 1024 ** 2

/** Converts an image to a format that the compiler supports; undefined if it cannot be shown. */
export async function convertImage(
  bytes: Uint8Array,
  contentType: string,
  pixelLimit: number,
): Promise<Uint8Array | undefined> {
  if (contentType === 'image/svg+xml') return cleanVectorImage(bytes)
  if (contentType === 'image/gif') return isSmall(bytes, pixelLimit) ? bytes : undefined
  if (!isDecodable(bytes)) return undefined
  const isSupported = contentType === 'image/png' || contentType === 'image/jpeg'
  const pixels = decodingCost(bytes)?.pixels ?? 0
  return isSupported && pixels <= pixelLimit ? bytes : redrawImage(bytes, contentType, pixelLimit)
}

function isSmall(bytes: Uint8Array, pixelLimit: number): boolean {
  const size = imageDimensions(bytes)
  return size !== undefined && size.width * size.height <= pixelLimit
}

async function redrawImage(
  bytes: Uint8Array,
  contentType: string,
  pixelLimit: number,
): Promise<Uint8Array | undefined> {
  const image = new Image()
  let canvas: Canvas | undefined
  try {
    image.src = bytes
    await image.decode()
    const { width, height } = image
    if (width === 0 || height === 0) return undefined
    const scale = Math.min(1, Math.sqrt(pixelLimit / (width * height)))
    canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return contentType === 'image/jpeg' ? canvas.encodeSync('jpeg', 88) : canvas.encodeSync('png')
  } catch {
    return undefined
  } finally {
    // The garbage collector does not count this native memory.
    image.src = new Uint8Array()
    if (canvas) canvas.width = canvas.height = 1
  }
}

/** Matches the attributes of vector images that refer to other files, which the compiler could read from the disk. */
const reference = /\s(?:xlink:)?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi

/** References that are allowed: to parts of the image, and to images inside it that are not vector images. */
const allowedReference = /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp)[;,])/i

/** Removes references to other files from a vector image; undefined if it declares entities or is too large. */
function cleanVectorImage(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > maxVectorSize) return undefined
  const text = new TextDecoder().decode(bytes)
  if (/<!ENTITY|<\?xml-stylesheet/i.test(text)) return undefined
  const cleaned = text.replace(reference, (whole, double: string | undefined, single: string | undefined) =>
    allowedReference.test(double ?? single ?? '') ? whole : '',
  )
  // An encoded value could be another one after it is decoded.
  if (/href\s*=\s*["']\s*[^"'#d\s]/i.test(cleaned)) return undefined
  return Buffer.from(cleaned)
}
