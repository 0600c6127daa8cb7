import type { DocumentExtract, ExtractJson, ExtractKeeper } from '../content/document/extract.ts'
import { Cache, cacheLimit } from '../kernel/cache.ts'
import { stringSize } from '../kernel/heap-size.ts'

/**
 * Extracts of documents that were imported recently, by the hash of the document. The jobs after an import would otherwise read
 * each document several times, which takes most of their time.
 */
const extracts = new Cache<ExtractJson>('document extracts', sizeOfExtract)

/** Size in bytes of an entry of the cache besides the extract: the hash, and what the cache adds. */
const entrySize = 200

/**
 * Keeps the extracts of an import for the jobs after it. Only the first ones are kept, because further ones would remove them from
 * the cache before a job has used them.
 */
export function createExtractKeeper(): ExtractKeeper {
  let size = 0
  const isFull = () => size > cacheLimit('document extracts')
  return {
    isFull,
    keep(documentHash, extract) {
      size += sizeOfExtract(extract) + entrySize
      if (!isFull()) extracts.set(documentHash, extract)
    },
  }
}

/** Returns a part of the extract of a document, if it was kept. */
export function findExtract<Part extends keyof DocumentExtract>(
  documentHash: string | undefined,
  part: Part,
): DocumentExtract[Part] | undefined {
  const json = documentHash === undefined ? undefined : extracts.get(documentHash)?.[part]
  return json === undefined ? undefined : (JSON.parse(json) as DocumentExtract[Part])
}

function sizeOfExtract(extract: ExtractJson): number {
  return Object.values(extract).reduce((sum, json) => sum + stringSize(json), 0)
}
