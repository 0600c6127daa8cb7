import { type Canvas, Image, createCanvas } from '@napi-rs/canvas'
import { decodingCost } from '../../files/decoding-cost.ts'
import { imageDimensions } from '../../files/dimensions.ts'
import type { Dimensions } from '../../files/size.ts'

/** Maximum number of pixels of a picture that is decoded; each takes four bytes of memory. */
const maxPixels = 40_000_000

/** Maximum number of pixels that a decoder goes over in all its passes, which takes about a second. */
const maxDecodedPixels = 250_000_000

/** Whether a picture can be decoded in reasonable time and memory. */
export function isDecodable(bytes: Uint8Array): boolean {
  const cost = decodingCost(bytes)
  return cost !== undefined && cost.pixels <= maxPixels && cost.pixels * cost.passes <= maxDecodedPixels
}

/** Where artefacts begin to be seen in screenshots is a little above. */
const quality = 80

/** A still picture in fewer pixels, as WebP; undefined when that would not be smaller in every respect. */
export async function shrunk(bytes: Uint8Array, width: number): Promise<Uint8Array | undefined> {
  const size = imageDimensions(bytes)
  if (!size || size.width <= width || !isDecodable(bytes)) return undefined
  const image = new Image()
  const canvases: Canvas[] = []
  try {
    image.src = bytes
    await image.decode()
    // What a picture says of itself first need not be what it then is.
    if (image.width <= width || image.width * image.height > maxPixels) return undefined
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
