import type { DocumentExtract, ExtractJson } from '../content/document/extract.ts'
import { Cache } from '../kernel/cache.ts'
import { stringSize } from '../kernel/heap-size.ts'

/**
 * Extracts of documents that were imported recently, by the hash of the document. The jobs after an import would otherwise read
 * each document several times, which takes most of their time.
 */
const extracts = new Cache<ExtractJson>('document extracts', (extract) =>
  Object.values(extract).reduce((sum, json) => sum + stringSize(json), 0),
)

/** Keeps the extract of a document for the jobs that compute derived rows. */
export function keepExtract(documentHash: string, extract: ExtractJson): void {
  extracts.set(documentHash, extract)
}

/** Returns a part of the extract of a document, if it was kept. */
export function findExtract<Part extends keyof DocumentExtract>(
  documentHash: string | undefined,
  part: Part,
): DocumentExtract[Part] | undefined {
  const json = documentHash === undefined ? undefined : extracts.get(documentHash)?.[part]
  return json === undefined ? undefined : (JSON.parse(json) as DocumentExtract[Part])
}
