import { resizableTypes } from '../../files/resized-images.ts'
import { Cache } from '../../kernel/cache.ts'
import { estimateHeapSize } from '../../kernel/heap-size.ts'
import type { Pictures, SourcePicture } from '../../resources/files/download.ts'
import { DrawingOverloadedError, drawInProcess } from './drawing.ts'

/** Widths of resized images: for phones, for a column of text, and for that on screens of twice the density. */
const pictureWidths = [480, 960, 1536] as const

/** Maximum size of a source file, because it is read into memory; larger files are rarely images of a page. */
const maxSourceSize = 32 * 1024 ** 2

export interface ResizedImage {
  bytes: Uint8Array
  contentType: 'image/webp'
}

/**
 * Resizes an image to a smaller width; undefined if the original should be used: it is not larger, or cannot be resized.
 * `picture` can be a function that reads the bytes when the task starts.
 */
export async function resizeImage(
  picture: Uint8Array | SourcePicture['read'],
  contentType: string,
  width: number,
): Promise<ResizedImage | undefined> {
  if (!resizableTypes.has(contentType)) return undefined
  const webp = await drawInProcess(async () => {
    const bytes = typeof picture === 'function' ? await picture() : picture
    return bytes && { kind: 'smaller picture', bytes, width }
  })
  return webp && { bytes: webp, contentType: 'image/webp' }
}

/** Resizes images on their first request and caches them in memory. */
export class ImageResizer implements Pictures {
  /** Resized images; undefined where the original should be used. */
  readonly #cache = new Cache<ResizedImage | undefined>('pictures', (picture) => estimateHeapSize(picture?.bytes))
  readonly #inProgress = new Map<string, Promise<ResizedImage | undefined>>()

  /** Returns the image in a width; undefined if the original should be served. */
  async get(source: SourcePicture, width: number): Promise<ResizedImage | undefined> {
    const isResizable = resizableTypes.has(source.contentType) && source.size <= maxSourceSize
    if (!isResizable || !(pictureWidths as readonly number[]).includes(width)) return undefined
    const key = `${source.blob} ${width}`
    if (this.#cache.has(key)) return this.#cache.get(key)
    const inProgress = this.#inProgress.get(key)
    if (inProgress) return inProgress
    const resizing = this.#make(key, source, width).finally(() => this.#inProgress.delete(key))
    this.#inProgress.set(key, resizing)
    return resizing
  }

  async #make(key: string, source: SourcePicture, width: number): Promise<ResizedImage | undefined> {
    try {
      const picture = await resizeImage(() => source.read(), source.contentType, width)
      this.#cache.set(key, picture)
      return picture
    } catch (error) {
      // The original is served until there is capacity.
      if (error instanceof DrawingOverloadedError) return undefined
      throw error
    }
  }
}
