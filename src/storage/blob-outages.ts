import type { Blobs } from './blobs.ts'
import { asFilesOutage } from './outages.ts'

/** Wraps blobs so that a full disk and an unavailable object store are reported as an OutageError. */
export function reportingOutages(blobs: Blobs): Blobs {
  return {
    put: (bytes) => report(blobs.put(bytes)),
    putAll: (all, announce) => report(blobs.putAll(all, announce)),
    putStream: (chunks, limit, announce) => report(blobs.putStream(chunks, limit, announce)),
    get: (hash) => report(blobs.get(hash)),
    open: (hash, range) => report(blobs.open(hash, range)),
    delete: (hash) => report(blobs.delete(hash)),
    check: () => report(blobs.check()),
  }
}

async function report<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asFilesOutage(error)
  }
}
