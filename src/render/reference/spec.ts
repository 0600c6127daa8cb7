// An unchecked OpenAPI document (3.0 or 3.1): anything in it may be missing or have another type.

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = own(fields, name)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const listIn = (fields: Fields, name: string): readonly unknown[] => {
  const value = own(fields, name)
  return Array.isArray(value) ? value : []
}

export const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = own(fields, name)
  return isFields(value) ? value : {}
}

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** The target of a reference. */
export interface Resolved {
  value: unknown
  /** Name in the last reference that was followed; undefined if there was none. */
  name: string | undefined
  /** Whether a reference is dangling or circular. */
  isMissing: boolean
}

/** Maximum number of references followed; more are a cycle. */
const maxHops = 16

/** A document whose references are resolved on access. */
export class Spec {
  readonly root: Fields

  constructor(document: unknown) {
    this.root = isFields(document) ? document : {}
  }

  /** Resolves references. Fields beside a reference are merged into its target. */
  resolve(node: unknown): Resolved {
    let value = node
    let name: string | undefined
    let beside: Fields = {}
    for (let hops = 0; isFields(value) && typeof own(value, '$ref') === 'string'; hops++) {
      const { $ref: pointer, ...rest } = value
      beside = { ...rest, ...beside }
      name = nameOf(String(pointer))
      value = hops < maxHops ? this.#at(String(pointer)) : undefined
      if (value === undefined) return { value: beside, name, isMissing: true }
    }
    return { value: isFields(value) && name !== undefined ? { ...value, ...beside } : value, name, isMissing: false }
  }

  fields(node: unknown): Fields {
    const { value } = this.resolve(node)
    return isFields(value) ? value : {}
  }

  /** Resolves a JSON pointer in this document; other documents are never requested. */
  #at(pointer: string): unknown {
    if (!pointer.startsWith('#')) return undefined
    let value: unknown = this.root
    for (const step of pointer.slice(1).split('/').slice(1)) {
      const key = unescaped(step)
      if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined
      else value = isFields(value) ? own(value, key) : undefined
    }
    return value
  }
}

const nameOf = (pointer: string): string => unescaped(pointer.split('/').at(-1) ?? '') || pointer

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
