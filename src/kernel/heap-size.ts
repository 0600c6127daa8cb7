/** Sizes of V8 objects in bytes, on a 64-bit machine without pointer compression. */
const slot = 8
const stringHeader = 16
const arrayHeaders = 48
const objectHeader = 24
const heapNumber = 16

/** Maximum length of strings that V8 deduplicates when parsing JSON. */
const maxSharedLength = 10

const beyondLatin1 = /[^\0-\xff]/

/** Returns the size of a string in bytes: one per character, or two if any character is outside Latin-1. */
export function stringSize(text: string): number {
  return stringHeader + roundUp(beyondLatin1.test(text) ? 2 * text.length : text.length)
}

/** Estimates the heap size in bytes of a value that was parsed from JSON. */
export function estimateHeapSize(value: unknown): number {
  if (typeof value === 'string') return value.length <= maxSharedLength ? 0 : stringSize(value)
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 0 : heapNumber
  if (typeof value !== 'object' || value === null) return 0
  if (value instanceof Uint8Array) return value.byteLength + 200
  if (Array.isArray(value)) {
    let size = arrayHeaders + slot * value.length
    for (const item of value) size += estimateHeapSize(item)
    return size
  }
  let size = objectHeader
  for (const key in value) size += slot + estimateHeapSize((value as Record<string, unknown>)[key])
  return size
}

const roundUp = (bytes: number): number => Math.ceil(bytes / slot) * slot
