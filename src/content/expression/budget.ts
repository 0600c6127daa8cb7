import { ExpressionError } from './errors.ts'

/** How much one evaluation may cost. */
export interface Limits {
  /** Nodes visited, list items touched and hundreds of characters read or written */
  readonly steps: number
  /** Characters of a text, or items of a list, that the expression makes */
  readonly length: number
}

/** Hundreds of times what real conditions need, enough to walk the longest source once, and a few milliseconds. */
export const defaultLimits: Limits = { steps: 10_000, length: 100_000 }

/** What several evaluations may cost together; each takes off what it did cost. */
export interface Allowance {
  steps: number
}

/** Takes steps off what several evaluations may cost together. */
export function spendTogether(allowance: Allowance, steps: number): void {
  allowance.steps -= steps
  if (allowance.steps < 0) throw new ExpressionError('The expressions together exceed the maximum number of steps')
}

/** Characters are handled in bulk, so a single one costs far less than a node. */
const charactersPerStep = 100

/** What is left of the limits during one evaluation. Pay before doing. */
export class Budget {
  readonly #limits: Limits
  readonly #allowance: Allowance
  #steps: number

  constructor(limits: Limits, allowance: Allowance = { steps: limits.steps }) {
    this.#limits = limits
    this.#allowance = allowance
    this.#steps = limits.steps
  }

  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new ExpressionError(`The expression exceeds the maximum of ${this.#limits.steps} steps`)
    spendTogether(this.#allowance, steps)
  }

  /** For going over characters once, or over `haystack * needle` of them in a search at worst. */
  spendCharacters(count: number): void {
    this.spend(Math.floor(count / charactersPerStep))
  }

  /** For an operation that looks at all of a value: only texts have a length that matters. */
  spendReading(value: unknown): void {
    if (typeof value === 'string') this.spendCharacters(value.length)
  }

  /** For making a text. */
  spendText(length: number): void {
    if (length > this.#limits.length) {
      throw new ExpressionError(`The expression produces a string of more than ${this.#limits.length} characters`)
    }
    this.spendCharacters(length)
  }

  /** For making a list. */
  spendList(length: number): void {
    if (length > this.#limits.length) {
      throw new ExpressionError(`The expression produces a list of more than ${this.#limits.length} items`)
    }
    this.spend(length)
  }

  concatenate(parts: readonly string[], separator = ''): string {
    const gaps = Math.max(0, parts.length - 1) * separator.length
    this.spendText(parts.reduce((length, part) => length + part.length, gaps))
    return parts.join(separator)
  }
}
