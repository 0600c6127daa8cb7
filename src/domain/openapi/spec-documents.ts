import { Cache } from '../../kernel/cache.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { type DocumentPart, countParts, indexDocument, openDocument } from '../../openapi/document-index.ts'
import { OpenApiSpec } from '../../openapi/spec.ts'
import type { Blobs } from '../../storage/blobs.ts'

interface IndexedDocument {
  bytes: Uint8Array
  index: DocumentPart
}

/** Approximate size in bytes of one part of an index. */
const partSize = 200

/** Reads OpenAPI documents by the hash of their blob. Of a large document, only the parts that are shown are parsed. */
export class SpecDocuments {
  readonly #blobs: Blobs
  readonly #cache = new Cache<IndexedDocument>(
    'openapi documents',
    ({ bytes, index }) => bytes.byteLength + countParts(index) * partSize,
  )
  /** Documents that are being read, so that concurrent requests read a document once. */
  readonly #reading = new Map<string, Promise<IndexedDocument | undefined>>()

  constructor(blobs: Blobs) {
    this.#blobs = blobs
  }

  /** Returns a document; undefined if its blob is missing. Parsed parts are kept only as long as the returned value. */
  async open(hash: string): Promise<OpenApiSpec | undefined> {
    const document = this.#cache.get(hash) ?? (await this.#readOnce(hash))
    return document && new OpenApiSpec(openDocument(document.bytes, document.index))
  }

  #readOnce(hash: string): Promise<IndexedDocument | undefined> {
    let reading = this.#reading.get(hash)
    if (!reading) {
      reading = this.#read(hash).finally(() => this.#reading.delete(hash))
      this.#reading.set(hash, reading)
    }
    return reading
  }

  async #read(hash: string): Promise<IndexedDocument | undefined> {
    const bytes = await this.#blobs.get(hash)
    if (!bytes) return undefined
    const yieldIfDue = createYielder()
    const steps = indexDocument(bytes)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await yieldIfDue()
    const document = { bytes, index: step.value }
    this.#cache.set(hash, document)
    return document
  }
}
