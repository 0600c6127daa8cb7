import { ExpressionError } from './errors.ts'

/** Limits of one evaluation. */
export interface EvaluationLimits {
  /** Maximum number of visited nodes, processed list items and hundreds of characters read or written. */
  readonly steps: number
  /** Maximum number of characters of a string, or items of a list, that the expression produces. */
  readonly length: number
}

/**
 * Default limits: hundreds of times higher than real conditions need, sufficient to walk the longest source once, and reached
 * within a few milliseconds.
 */
export const defaultEvaluationLimits: EvaluationLimits = { steps: 10_000, length: 100_000 }

/** Budget that several evaluations share; each subtracts its cost. */
export interface SharedBudget {
  steps: number
}

/** Subtracts steps from a shared budget; throws an error if it is exhausted. */
export function spendSharedSteps(sharedBudget: SharedBudget, steps: number): void {
  sharedBudget.steps -= steps
  if (sharedBudget.steps < 0) throw new ExpressionError('The expressions together exceed the maximum number of steps')
}

/** Number of characters that cost one step: they are processed in bulk, so one costs far less than a node. */
const charactersPerStep = 100

/** Remaining limits of one evaluation. Costs must be spent before the work is done. */
export class Budget {
  readonly #limits: EvaluationLimits
  readonly #sharedBudget: SharedBudget
  #steps: number

  constructor(limits: EvaluationLimits, sharedBudget: SharedBudget = { steps: limits.steps }) {
    this.#limits = limits
    this.#sharedBudget = sharedBudget
    this.#steps = limits.steps
  }

  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new ExpressionError(`The expression exceeds the maximum of ${this.#limits.steps} steps`)
    spendSharedSteps(this.#sharedBudget, steps)
  }

  /** Spends steps for one pass over `count` characters; a search costs at most `haystack * needle` characters. */
  spendCharacters(count: number): void {
    this.spend(Math.floor(count / charactersPerStep))
  }

  /** Spends steps for an operation that reads a whole value: only strings have a relevant length. */
  spendForReading(value: unknown): void {
    if (typeof value === 'string') this.spendCharacters(value.length)
  }

  /** Spends steps for producing a string. */
  spendForString(length: number): void {
    if (length > this.#limits.length) {
      throw new ExpressionError(`The expression produces a string of more than ${this.#limits.length} characters`)
    }
    this.spendCharacters(length)
  }

  /** Spends steps for producing a list. */
  spendForList(length: number): void {
    if (length > this.#limits.length) {
      throw new ExpressionError(`The expression produces a list of more than ${this.#limits.length} items`)
    }
    this.spend(length)
  }

  concatenate(parts: readonly string[], separator = ''): string {
    const separatorsLength = Math.max(0, parts.length - 1) * separator.length
    this.spendForString(parts.reduce((length, part) => length + part.length, separatorsLength))
    return parts.join(separator)
  }
}
