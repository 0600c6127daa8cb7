import { type Document, type LineCounter, type Node, type YAMLMap, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml'
import { type JsonObject, type JsonValue, isJsonObject } from './json-value.ts'
import type { SpecProblem } from './problem.ts'

/**
 * Converts parsed YAML to a JSON value, in a time that grows with the text: the converter of the YAML parser searches the whole document
 * for each alias. Aliases share one object.
 */
export class YamlConverter {
  readonly #lines: LineCounter
  readonly #maxCopied: number
  readonly #anchors = new Map<string, JsonValue>()
  #copied = 0
  /** Problems of the keys and aliases of the document. */
  readonly problems: SpecProblem[] = []
  /** Whether merge keys (`<<`) copy more than the maximum number of fields; the value is incomplete then. */
  hasTooManyFields = false

  constructor(lines: LineCounter, { maxCopied }: { maxCopied: number }) {
    this.#lines = lines
    this.#maxCopied = maxCopied
  }

  convert(document: Document): JsonValue {
    return this.#toValue(document.contents)
  }

  #toValue(node: unknown): JsonValue {
    if (isAlias(node)) {
      const value = this.#anchors.get(node.source)
      if (value === undefined) this.#report(node, `The alias ${node.source.slice(0, 100)} has no anchor before it`)
      return value ?? null
    }
    // The value is registered before its parts are converted, because they may contain aliases of it.
    if (isSeq(node)) {
      const items: JsonValue[] = []
      this.#register(node, items)
      for (const item of node.items) items.push(this.#toValue(item))
      return items
    }
    if (isMap(node)) return this.#toObject(node)
    const value = isScalar(node) ? toScalar(node.value) : null
    if (isNode(node)) this.#register(node, value)
    return value
  }

  #toObject(map: YAMLMap): JsonObject {
    const object: JsonObject = {}
    this.#register(map, object)
    const names = new Set<string>()
    for (const { key, value } of map.items) {
      const inner = this.#toValue(value)
      if (!isScalar(key)) {
        if (isNode(key)) this.#report(key, 'A key must be a text')
        continue
      }
      if (key.source === '<<' && key.type === 'PLAIN') {
        this.#merge(object, inner, key)
        continue
      }
      const name = key.value === null ? '' : String(toScalar(key.value))
      if (names.has(name)) this.#report(key, `The key ${JSON.stringify(name.slice(0, 100))} is not unique`)
      names.add(name)
      setField(object, name, inner)
    }
    return object
  }

  /** Copies the fields of a map, or of several, that the object does not have. */
  #merge(object: JsonObject, source: JsonValue, key: Node): void {
    for (const fields of Array.isArray(source) ? source : [source]) {
      if (this.hasTooManyFields) return
      if (!isJsonObject(fields)) {
        this.#report(key, 'A merge key must have a map or a list of maps as its value')
        return
      }
      const entries = Object.entries(fields)
      this.#copied += entries.length
      this.hasTooManyFields = this.#copied > this.#maxCopied
      if (this.hasTooManyFields) return
      for (const [name, value] of entries) if (!Object.hasOwn(object, name)) setField(object, name, value)
    }
  }

  #register(node: Node, value: JsonValue): void {
    const { anchor } = node as { anchor?: string }
    if (anchor !== undefined) this.#anchors.set(anchor, value)
  }

  #report(node: Node, message: string): void {
    this.problems.push({
      message: `The YAML is not valid: ${message}`,
      line: this.#lines.linePos(node.range?.[0] ?? 0).line,
    })
  }
}

/** Sets a field, even if its name is `__proto__`. */
function setField(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** Returns a scalar as JSON: numbers that JSON cannot represent become strings. */
function toScalar(value: unknown): string | number | boolean | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    default:
      return null
  }
}
