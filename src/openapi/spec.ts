// An unchecked OpenAPI document (3.0 or 3.1): anything in it may be missing or have another type.

import { decodePointerKey } from './json-value.ts'

export type SpecObject = Readonly<Record<string, unknown>>

export const isSpecObject = (value: unknown): value is SpecObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const getText = (fields: SpecObject, name: string): string | undefined => {
  const value = getOwn(fields, name)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const getList = (fields: SpecObject, name: string): readonly unknown[] => {
  const value = getOwn(fields, name)
  return Array.isArray(value) ? value : []
}

export const getObject = (fields: SpecObject, name: string): SpecObject => {
  const value = getOwn(fields, name)
  return isSpecObject(value) ? value : {}
}

export const getOwn = (fields: SpecObject, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Returns the first entries of an object. */
export function getEntries(fields: SpecObject, limit: number): [string, unknown][] {
  const entries: [string, unknown][] = []
  for (const name in fields) {
    if (entries.length >= limit) break
    if (Object.hasOwn(fields, name)) entries.push([name, fields[name]])
  }
  return entries
}

/** Returns the first entries of an object that may have extensions, which are omitted. */
export const getEntriesWithoutExtensions = (fields: SpecObject, limit: number): [string, unknown][] =>
  getEntries(fields, limit).filter(([name]) => !name.startsWith('x-'))

/** The target of a reference. */
export interface ResolvedReference {
  value: unknown
  /** Name in the last reference that was followed; undefined if there was none. */
  name: string | undefined
  /** Whether a reference is dangling or circular. */
  isMissing: boolean
}

/** Maximum number of references followed; more are a cycle. */
const maxHops = 16

/** Maximum length of a reference; a longer one is dangling. */
const maxPointerLength = 2000

/** Maximum number of fields of an object that fields beside a reference are merged into. */
const maxMergedFields = 200

const isReference = (value: unknown): value is SpecObject =>
  isSpecObject(value) && typeof getOwn(value, '$ref') === 'string'

/** A document whose references are resolved on access. */
export class OpenApiSpec {
  readonly root: SpecObject
  readonly #computed = new WeakMap<object, Map<string, unknown>>()

  constructor(document: unknown) {
    this.root = isSpecObject(document) ? document : {}
  }

  /** Resolves references. Fields beside a reference are merged into its target. */
  resolve(node: unknown): ResolvedReference {
    if (!isReference(node)) return { value: node, name: undefined, isMissing: false }
    return this.computeOnce(node, 'target', () => this.#followReferences(node))
  }

  #followReferences(node: SpecObject): ResolvedReference {
    let value: unknown = node
    let name: string | undefined
    let siblings: SpecObject | undefined
    for (let hops = 0; isReference(value); hops++) {
      const { $ref: pointer, ...rest } = value
      if (Object.keys(rest).length > 0) siblings = { ...rest, ...siblings }
      name = pointerName(String(pointer))
      value = hops < maxHops ? this.#resolvePointer(String(pointer)) : undefined
      if (value === undefined) return { value: siblings ?? {}, name, isMissing: true }
    }
    return {
      value: siblings && isSpecObject(value) ? this.#mergeFields(value, siblings) : value,
      name,
      isMissing: false,
    }
  }

  #mergeFields(target: SpecObject, siblings: SpecObject): SpecObject {
    const fields = this.computeOnce(target, 'fields', () => Object.fromEntries(getEntries(target, maxMergedFields)))
    return { ...fields, ...siblings }
  }

  resolveObject(node: unknown): SpecObject {
    const { value } = this.resolve(node)
    return isSpecObject(value) ? value : {}
  }

  /** Returns a value that was computed from a node before; otherwise computes it. */
  computeOnce<T>(node: unknown, key: string, compute: () => T): T {
    if (typeof node !== 'object' || node === null) return compute()
    let values = this.#computed.get(node)
    if (!values) this.#computed.set(node, (values = new Map()))
    if (!values.has(key)) values.set(key, compute())
    return values.get(key) as T
  }

  /** Resolves a JSON pointer in this document; other documents are never requested. */
  #resolvePointer(pointer: string): unknown {
    if (!pointer.startsWith('#') || pointer.length > maxPointerLength) return undefined
    let value: unknown = this.root
    for (const step of pointer.slice(1).split('/').slice(1)) {
      const key = decodePointerKey(step)
      if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined
      else value = isSpecObject(value) ? getOwn(value, key) : undefined
    }
    return value
  }
}

/** Returns the last step of a reference. */
const pointerName = (pointer: string): string =>
  decodePointerKey(pointer.slice(-maxPointerLength).split('/').at(-1) ?? '') || pointer.slice(0, maxPointerLength)
