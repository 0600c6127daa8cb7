import { type Canvas, Image, createCanvas } from '@napi-rs/canvas'
import { isDecodable, maxPixels } from '../../files/decoding-cost.ts'
import { imageDimensions } from '../../files/dimensions.ts'
import type { Dimensions } from '../../files/size.ts'

/** WebP quality: slightly above the level at which artifacts become visible in screenshots. */
const quality = 80

/** Resizes a still image to WebP; undefined if the result would not be smaller in both width and bytes. */
export async function resizeToWebp(bytes: Uint8Array, width: number): Promise<Uint8Array | undefined> {
  const size = imageDimensions(bytes)
  if (!size || size.width <= width || !isDecodable(bytes)) return undefined
  const image = new Image()
  const canvases: Canvas[] = []
  try {
    image.src = bytes
    await image.decode()
    // The header may declare other dimensions than the decoded image has.
    if (image.width <= width || image.width * image.height > maxPixels) return undefined
    const height = Math.max(1, Math.round((image.height * width) / image.width))
    const encoded = drawDownscaled(image, { width, height }, canvases).encodeSync('webp', quality)
    return encoded.length < bytes.length ? encoded : undefined
  } finally {
    // The garbage collector does not count this native memory.
    image.src = new Uint8Array()
    for (const canvas of canvases) canvas.width = canvas.height = 1
  }
}

/** Halves the image repeatedly before the final smooth resize: fine lines of screenshots would blur in a single step. */
function drawDownscaled(image: Image, { width, height }: Dimensions, canvases: Canvas[]): Canvas {
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
