import { type Canvas, Image, createCanvas } from '@napi-rs/canvas'
import { imageDimensions } from '../../files/dimensions.ts'
import type { Dimensions } from '../../files/size.ts'

/** A picture takes four bytes for each of these in memory. */
export const mostPixels = 40_000_000

/** Where artefacts begin to be seen in screenshots is a little above. */
const quality = 80

/** A still picture in fewer pixels, as WebP; undefined when that would not be smaller in every respect. */
export async function shrunk(bytes: Uint8Array, width: number): Promise<Uint8Array | undefined> {
  const size = imageDimensions(bytes)
  if (!size || size.width <= width || size.width * size.height > mostPixels || isAnimated(bytes)) return undefined
  const image = new Image()
  const canvases: Canvas[] = []
  try {
    image.src = bytes
    await image.decode()
    // What a picture says of itself first need not be what it then is.
    if (image.width <= width || image.width * image.height > mostPixels) return undefined
    const height = Math.max(1, Math.round((image.height * width) / image.width))
    const made = drawnSmaller(image, { width, height }, canvases).encodeSync('webp', quality)
    return made.length < bytes.length ? made : undefined
  } finally {
    // The collector does not know how much memory these hold.
    image.src = new Uint8Array()
    for (const canvas of canvases) canvas.width = canvas.height = 1
  }
}

/** Halved as often as possible and then drawn smoothly: drawn at once, fine lines of screenshots would flicker or blur. */
function drawnSmaller(image: Image, { width, height }: Dimensions, canvases: Canvas[]): Canvas {
  const draw = (source: Image | Canvas, size: Dimensions, smoothing: 'medium' | 'high') => {
    const canvas = createCanvas(size.width, size.height)
    canvases.push(canvas)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = smoothing
    context.drawImage(source, 0, 0, size.width, size.height)
    return canvas
  }
  let source: Image | Canvas = image
  while (source.width >= width * 2 && source.height >= height * 2)
    source = draw(source, { width: Math.ceil(source.width / 2), height: Math.ceil(source.height / 2) }, 'medium')
  return draw(source, { width, height }, 'high')
}

/** Whether a picture moves: a PNG that tells how many frames it has before the first, or a WebP with that flag. */
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
