import type { Blobs } from './blobs.ts'
import { asFilesOutage } from './outages.ts'

/** Wraps blobs so that a full disk and an unavailable object store are reported as an OutageError. */
export function withOutageErrors(blobs: Blobs): Blobs {
  return {
    put: (bytes) => rethrowAsOutage(blobs.put(bytes)),
    putAll: (all, announce) => rethrowAsOutage(blobs.putAll(all, announce)),
    putStream: (chunks, limit, announce) => rethrowAsOutage(blobs.putStream(chunks, limit, announce)),
    get: (hash) => rethrowAsOutage(blobs.get(hash)),
    open: (hash, range) => rethrowAsOutage(blobs.open(hash, range)),
    delete: (hash) => rethrowAsOutage(blobs.delete(hash)),
    check: () => rethrowAsOutage(blobs.check()),
  }
}

async function rethrowAsOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asFilesOutage(error)
  }
}
