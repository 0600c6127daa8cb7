import type { ImportWarning } from '../../contract/imports.ts'
import { FetchError } from '../../fetch/errors.ts'
import { AppError } from '../../kernel/errors.ts'
import { seconds } from '../../kernel/time.ts'
import { baseName } from '../../content/repository/paths.ts'
import { type StoredFile, singleChunk, storeFile } from '../../domain/files/store-file.ts'
import { parseDataUrlImage } from '../../website/data-url-images.ts'
import type { ImportTask } from './source.ts'

const maxImages = 5000
const maxImageBytes = 20 * 1024 ** 2
const maxTotalBytes = 1024 ** 3
const imageTimeout = seconds(30)
/** Number of images fetched in parallel. */
const concurrency = 4

interface FetchedImages {
  /** Stored images, by the paths that pages refer to them with. */
  stored: Map<string, StoredFile>
  warnings: ImportWarning[]
}

/** Fetches and stores the images of a website. Images that cannot be fetched are left out with a warning. */
export async function fetchImages(
  { services, monitor }: ImportTask,
  images: ReadonlyMap<string, string>,
  maxSeconds: number,
): Promise<FetchedImages> {
  const stored = new Map<string, StoredFile>()
  const warnings: ImportWarning[] = []
  const expired = new AbortController()
  // Node.js 20 may collect an `AbortSignal.timeout` that only a composite signal refers to, and it never aborts then.
  const timer = setTimeout(() => expired.abort(), seconds(maxSeconds))
  const signal = AbortSignal.any([monitor.signal, expired.signal])
  const queue = [...images].slice(0, maxImages).values()
  let bytesLeft = maxTotalBytes
  let skipped = Math.max(0, images.size - maxImages)

  const fetchOne = async (path: string, url: string): Promise<void> => {
    if (bytesLeft <= 0 || signal.aborted) {
      skipped++
      return
    }
    try {
      const file = await fetchImage(services, { url, name: baseName(path), signal })
      bytesLeft -= file.size
      stored.set(path, file)
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof AppError)) throw error
      warnings.push({ url, message: `${error.message}; the image is loaded from its original URL` })
    }
  }
  // All loops share one iterator, so that each image is fetched once.
  const fetchRemaining = async (): Promise<void> => {
    for (const [path, url] of queue) await fetchOne(path, url)
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, fetchRemaining))
  } finally {
    clearTimeout(timer)
  }
  monitor.signal.throwIfAborted()
  if (skipped > 0) {
    warnings.push({
      message: `${skipped} images exceed the limit of an import; they are loaded from their original URLs`,
    })
  }
  return { stored, warnings }
}

async function fetchImage(
  services: ImportTask['services'],
  { url, name, signal }: { url: string; name: string; signal: AbortSignal },
): Promise<StoredFile> {
  const inline = parseDataUrlImage(url)
  if (inline)
    return storeFile(services, singleChunk(inline.bytes), { name, declared: inline.contentType, limit: maxImageBytes })
  const fetched = await services.fetch.get(url, { maxBytes: maxImageBytes, timeout: imageTimeout, signal })
  if (fetched.status !== 200) {
    fetched.discard()
    throw new FetchError('reply', `The URL returned the status ${fetched.status}`)
  }
  const file = await storeFile(services, fetched.body, { name, declared: fetched.contentType, limit: maxImageBytes })
  if (!/^(?:image|video|audio)\//.test(file.contentType)) throw new FetchError('reply', 'The URL is not an image')
  return file
}
