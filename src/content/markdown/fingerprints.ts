import type { Block, Fragment, Table } from '../document/nodes.ts'
import { canonicalColumnOrder, renameTableByPosition } from '../document/tables.ts'

/**
 * Computes strings that are equal for equal content: without keys, which Markdown does not have, and with normalized newlines.
 */
export class Fingerprints {
  readonly #blockFingerprints = new WeakMap<Block, string>()
  readonly #bodyNumbers = new WeakMap<Fragment, number>()
  readonly #numbers = new Map<string, number>()

  ofBlock(block: Block): string {
    const known = this.#blockFingerprints.get(block)
    if (known !== undefined) return known
    const text = `block ${this.#getNumber(this.#serializeObject(block))}`
    this.#blockFingerprints.set(block, text)
    return text
  }

  /** Returns the number of a footnote body, which is compared once regardless of the number of references to it. */
  ofBody(body: Fragment): number {
    const known = this.#bodyNumbers.get(body)
    if (known !== undefined) return known
    const number = this.#getNumber(this.#serialize(body.nodes))
    this.#bodyNumbers.set(body, number)
    return number
  }

  /** Returns the same number for equal texts, so that a nested block takes a few characters regardless of its size. */
  #getNumber(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  #serialize(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(value.includes('\r') ? value.replaceAll('\r\n', '\n') : value)
    if (typeof value !== 'object' || value === null) return String(value)
    if (Array.isArray(value)) return `[${value.map((one) => this.#serialize(one)).join()}]`
    if (isAnnotationBody(value)) return `body ${this.ofBody(value)}`
    return isBlock(value) ? this.ofBlock(value) : this.#serializeObject(value)
  }

  #serializeObject(value: object): string {
    if (isTable(value))
      return this.#serializeFields(
        renameTableByPosition(
          value,
          canonicalColumnOrder(value, (one) => this.#serialize(one)),
        ),
      )
    return this.#serializeFields(value)
  }

  #serializeFields(value: object): string {
    const isNode = 'object' in value
    const fields = Object.entries(value)
      .filter(([key, inner]) => inner !== undefined && !(isNode && (key === 'key' || key === 'meta')))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${this.#serialize(inner)}`).join()}}`
  }
}

const isBlock = (value: object): value is Block => 'object' in value && value.object === 'block'
const isTable = (value: object): value is Table => 'type' in value && value.type === 'table' && 'fragments' in value

function isAnnotationBody(value: object): value is Fragment {
  return 'object' in value && value.object === 'fragment' && 'type' in value && value.type === 'annotation-body'
}

/** Returns the bodies of annotations in blocks, including annotations in bodies; each once. */
export function collectAnnotationBodies(blocks: readonly Block[]): Set<Fragment> {
  const bodies = new Set<Fragment>()
  const waiting: unknown[] = [blocks]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (isAnnotationBody(value)) {
      if (bodies.has(value)) continue
      bodies.add(value)
    }
    for (const inner of Object.values(value)) if (inner !== undefined) waiting.push(inner)
  }
  return bodies
}
