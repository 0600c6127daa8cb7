import { type Allowance, spendTogether } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { evaluate } from './evaluate.ts'
import type { ExpressionScope } from './evaluate.ts'
import { parseForgiving } from './parse.ts'
import type { Value } from './values.ts'

export interface ConditionResult {
  readonly value: boolean
  /** Reason why the condition could not be evaluated; then it is false. */
  readonly error?: string
}

/** Evaluates a condition. An empty condition is true. */
export function condition(source: string, scope: ExpressionScope, allowance?: Allowance): ConditionResult {
  if (source.trim() === '') return { value: true }
  const result = attempt(source, scope, allowance)
  return result instanceof ExpressionError ? { value: false, error: result.message } : { value: Boolean(result) }
}

/** Returns the text shown for an inline expression; the expression itself if it fails. */
export function inlineText(source: string, scope: ExpressionScope, allowance?: Allowance): string {
  if (source.trim() === '') return ''
  const result = attempt(source, scope, allowance)
  if (result instanceof ExpressionError) return `{{${source}}}`
  return result === null || result === undefined || typeof result === 'object' ? '' : String(result)
}

/** Number of characters whose parsing takes about as long as one step. */
const charactersPerStep = 4

function attempt(source: string, scope: ExpressionScope, allowance: Allowance | undefined): Value | ExpressionError {
  try {
    if (allowance) spendTogether(allowance, Math.floor(source.length / charactersPerStep))
    return evaluate(parseForgiving(source), scope, {}, allowance)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
