import { AppError } from '../kernel/errors.ts'

/** Maximum nesting of arrays and objects; a document of the maximum depth needs about 220. */
export const maxJsonDepth = 256

/** Maximum length of one string in bytes, which is enough for the longest Markdown with every character escaped. */
const maxTextBytes = 8 * 1024 ** 2

/** Arrays and objects of more bytes than this are parsed in several steps. */
export const stepBytes = 64 * 1024

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts the values and the depth of a JSON text while its bytes arrive, so that a text which would be expensive to
 * parse is refused before it is complete. It does not check the syntax.
 */
export class JsonMeter {
  readonly #maxValues: number
  /** Offsets of the arrays and objects that are not closed yet. */
  readonly #open: number[] = []
  #offset = 0
  #values = 1
  #isInText = false
  #isEscaped = false
  #textStart = 0
  /** Offsets of the arrays and objects that are longer than a step. */
  readonly large = new Set<number>()

  /** `maxValues` limits the number of values on all levels. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues
  }

  get values(): number {
    return this.#values
  }

  add(chunk: Uint8Array): void {
    // Local variables are faster than fields, and this runs for every byte.
    let isInText = this.#isInText
    let isEscaped = this.#isEscaped
    let values = this.#values
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          this.#assertTextFits(this.#offset + index)
          isInText = false
        }
      } else if (byte === quote) {
        isInText = true
        this.#textStart = this.#offset + index
      } else if (byte === comma) values++
      else if (byte === openList || byte === openObject) {
        values++
        this.#begin(this.#offset + index)
      } else if (byte === closeList || byte === closeObject) this.#end(this.#offset + index)
    }
    this.#isInText = isInText
    this.#isEscaped = isEscaped
    this.#values = values
    this.#offset += chunk.length
    if (isInText) this.#assertTextFits(this.#offset)
    if (this.#values > this.#maxValues) {
      throw new AppError(
        'tooLarge',
        `The body contains more than ${this.#maxValues} values. Split it into several requests`,
      )
    }
  }

  #begin(start: number): void {
    if (this.#open.push(start) > maxJsonDepth) {
      throw new AppError('invalid', `The body is nested deeper than ${maxJsonDepth} levels`)
    }
  }

  #end(end: number): void {
    const start = this.#open.pop()
    if (start !== undefined && end - start > stepBytes) this.large.add(start)
  }

  #assertTextFits(end: number): void {
    if (end - this.#textStart > maxTextBytes) {
      throw new AppError('tooLarge', `The body contains a string of more than ${maxTextBytes} bytes`)
    }
  }
}
