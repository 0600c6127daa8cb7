import { Cache } from '../../kernel/cache.ts'
import { heapSizeOf } from '../../kernel/heap-size.ts'
import type { Pictures, SourcePicture } from '../../resources/files/download.ts'
import { DrawingTooLargeError, drawn } from './drawing.ts'

/** Widths of resized images: for phones, for a column of text, and for that on screens of twice the density. */
const pictureWidths = [480, 960, 1536] as const

/** Types that can be resized; others are vector graphics or may be animated. */
const types = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** Maximum size of a source file, because it is read into memory; larger files are rarely images of a page. */
const largestFile = 32 * 1024 ** 2

export interface SizedPicture {
  bytes: Uint8Array
  contentType: 'image/webp'
}

/**
 * Resizes an image to a smaller width; undefined if the original should be used: it is not larger, or cannot be resized.
 * `picture` can be a function that reads the bytes when the task starts.
 */
export async function resized(
  picture: Uint8Array | SourcePicture['read'],
  contentType: string,
  width: number,
): Promise<SizedPicture | undefined> {
  if (!types.has(contentType)) return undefined
  const made = await drawn(async () => {
    const bytes = typeof picture === 'function' ? await picture() : picture
    return bytes && { kind: 'smaller picture', bytes, width }
  })
  return made && { bytes: made, contentType: 'image/webp' }
}

/** Returns the URL of a resized image. */
export function pictureAddress(url: string, width: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}width=${width}`
}

/** Returns a function for the URLs of resized images; undefined if the type cannot be resized. */
export function smallerAddresses(url: string, contentType: string): ((width: number) => string) | undefined {
  return types.has(contentType) ? (width) => pictureAddress(url, width) : undefined
}

/** Resizes images on their first request and caches them in memory. */
export class SizedPictures implements Pictures {
  /** Resized images; undefined where the original should be used. */
  readonly #kept = new Cache<SizedPicture | undefined>('pictures', (picture) => heapSizeOf(picture?.bytes))
  readonly #underway = new Map<string, Promise<SizedPicture | undefined>>()

  /** Returns the image in a width; undefined if the original should be served. */
  async get(source: SourcePicture, width: number): Promise<SizedPicture | undefined> {
    const isPossible = types.has(source.contentType) && source.size <= largestFile
    if (!isPossible || !(pictureWidths as readonly number[]).includes(width)) return undefined
    const key = `${source.blob} ${width}`
    if (this.#kept.has(key)) return this.#kept.get(key)
    const underway = this.#underway.get(key)
    if (underway) return underway
    const made = this.#make(key, source, width).finally(() => this.#underway.delete(key))
    this.#underway.set(key, made)
    return made
  }

  async #make(key: string, source: SourcePicture, width: number): Promise<SizedPicture | undefined> {
    try {
      const picture = await resized(() => source.read(), source.contentType, width)
      this.#kept.set(key, picture)
      return picture
    } catch (error) {
      // The original is served until there is capacity.
      if (error instanceof DrawingTooLargeError) return undefined
      throw error
    }
  }
}
