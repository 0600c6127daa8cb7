import { AppError } from '../kernel/errors.ts'

/** Maximum nesting of arrays and objects; a document of the maximum depth needs about 220. */
export const maxJsonDepth = 256

/** Maximum length of one string in bytes, which is enough for the longest Markdown with every character escaped. */
const maxStringBytes = 8 * 1024 ** 2

/** Arrays and objects of more bytes than this are parsed in several steps. */
export const maxStepBytes = 64 * 1024

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts the values and the depth of a JSON text while its bytes arrive, so that a text which would be expensive to
 * parse is refused before it is complete. It does not check the syntax.
 */
export class JsonMeter {
  readonly #maxValues: number
  /** Offsets of the arrays and objects that are not closed yet. */
  readonly #openOffsets: number[] = []
  #offset = 0
  #valueCount = 1
  #isInString = false
  #isEscaped = false
  #stringStart = 0
  /** Offsets of the arrays and objects that are longer than a step. */
  readonly largeOffsets = new Set<number>()

  /** `maxValues` limits the number of values on all levels. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues
  }

  get valueCount(): number {
    return this.#valueCount
  }

  add(chunk: Uint8Array): void {
    // Local variables are faster than fields, and this runs for every byte.
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    let valueCount = this.#valueCount
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          this.#assertStringFits(this.#offset + index)
          isInString = false
        }
      } else if (byte === quote) {
        isInString = true
        this.#stringStart = this.#offset + index
      } else if (byte === comma) valueCount++
      else if (byte === openList || byte === openObject) {
        valueCount++
        this.#openContainer(this.#offset + index)
      } else if (byte === closeList || byte === closeObject) this.#closeContainer(this.#offset + index)
    }
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    this.#valueCount = valueCount
    this.#offset += chunk.length
    if (isInString) this.#assertStringFits(this.#offset)
    if (this.#valueCount > this.#maxValues) {
      throw new AppError(
        'tooLarge',
        `The body contains more than ${this.#maxValues} values. Split it into several requests`,
      )
    }
  }

  #openContainer(start: number): void {
    if (this.#openOffsets.push(start) > maxJsonDepth) {
      throw new AppError('invalid', `The body is nested deeper than ${maxJsonDepth} levels`)
    }
  }

  #closeContainer(end: number): void {
    const start = this.#openOffsets.pop()
    if (start !== undefined && end - start > maxStepBytes) this.largeOffsets.add(start)
  }

  #assertStringFits(end: number): void {
    if (end - this.#stringStart > maxStringBytes) {
      throw new AppError('tooLarge', `The body contains a string of more than ${maxStringBytes} bytes`)
    }
  }
}
