// An OpenAPI document (3.0 or 3.1) as somebody wrote it: anything in it may be missing or of another type.

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

/** What a reference led to. */
export interface Resolved {
  value: unknown
  /** What the last reference on the way called it; undefined when there was none. */
  name: string | undefined
  /** Whether a reference led nowhere, or in a circle. */
  isMissing: boolean
}

/** References of references; more are a circle. */
const maxHops = 16

/** A document whose references are followed one by one, when somebody looks at them. */
export class Spec {
  readonly root: Fields

  constructor(document: unknown) {
    this.root = isFields(document) ? document : {}
  }

  /** Follows references until there is something else. What stands beside a reference is added to what it leads to. */
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

  /** What stands at a pointer into this document; other documents are never asked for. */
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
