import { type Allowance, spendTogether } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { evaluate } from './evaluate.ts'
import type { Scope } from './evaluate.ts'
import { parseForgiving } from './parse.ts'
import type { Value } from './values.ts'

export interface Verdict {
  readonly value: boolean
  /** Why the condition could not be decided; it then does not hold */
  readonly error?: string
}

/** Whether a condition holds. No condition always holds. */
export function condition(source: string, scope: Scope, allowance?: Allowance): Verdict {
  if (source.trim() === '') return { value: true }
  const result = attempt(source, scope, allowance)
  return result instanceof ExpressionError ? { value: false, error: result.message } : { value: Boolean(result) }
}

/** What a reader sees in the place of an inline expression; one that fails shows itself. */
export function inlineText(source: string, scope: Scope, allowance?: Allowance): string {
  if (source.trim() === '') return ''
  const result = attempt(source, scope, allowance)
  if (result instanceof ExpressionError) return `{{${source}}}`
  return result === null || result === undefined || typeof result === 'object' ? '' : String(result)
}

/** Parsing a character takes about this part of the time of a step. */
const charactersPerStep = 4

function attempt(source: string, scope: Scope, allowance: Allowance | undefined): Value | ExpressionError {
  try {
    if (allowance) spendTogether(allowance, Math.floor(source.length / charactersPerStep))
    return evaluate(parseForgiving(source), scope, {}, allowance)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
