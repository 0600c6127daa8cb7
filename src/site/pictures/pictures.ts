import { Cache } from '../../kernel/cache.ts'
import { heapSizeOf } from '../../kernel/heap-size.ts'
import type { Pictures, SourcePicture } from '../../resources/files/download.ts'
import { DrawingTooLargeError, drawn } from './drawing.ts'

/** The widths that pictures are served in: for phones, for a column of text, and for that on screens of twice the density. */
const pictureWidths = [480, 960, 1536] as const

/** What can be drawn smaller; others are drawings already, or may move. */
const types = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** Larger files are rarely pictures for a page, and would have to stand in memory as a whole. */
const largestFile = 32 * 1024 ** 2

export interface SizedPicture {
  bytes: Uint8Array
  contentType: 'image/webp'
}

/**
 * A picture in a smaller width; undefined when the original is as good: it is not larger, or cannot be made smaller.
 * Its bytes may be read when its turn has come.
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

/** Where a file of ours is found in a smaller width. */
export function pictureAddress(url: string, width: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}width=${width}`
}

/** The addresses of a file in smaller widths; undefined for what has none. */
export function smallerAddresses(url: string, contentType: string): ((width: number) => string) | undefined {
  return types.has(contentType) ? (width) => pictureAddress(url, width) : undefined
}

/** Pictures in smaller widths, drawn when they are first asked for. What was asked for lately stays in memory. */
export class SizedPictures implements Pictures {
  /** `undefined` where the original is as good. */
  readonly #kept = new Cache<SizedPicture | undefined>('pictures', (picture) => heapSizeOf(picture?.bytes))
  readonly #underway = new Map<string, Promise<SizedPicture | undefined>>()

  /** The picture in a width, undefined where the original is to be served. */
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
      // The original will do until there is time.
      if (error instanceof DrawingTooLargeError) return undefined
      throw error
    }
  }
}
