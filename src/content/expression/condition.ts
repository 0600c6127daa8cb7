import { type SharedBudget, spendSharedSteps } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { evaluate } from './evaluate.ts'
import type { ExpressionScope } from './evaluate.ts'
import { parseExpressionLeniently } from './parse.ts'
import type { ExpressionValue } from './values.ts'

export interface ConditionResult {
  readonly value: boolean
  /** Reason why the condition could not be evaluated; then it is false. */
  readonly error?: string
}

/** Evaluates a condition. An empty condition is true. */
export function evaluateCondition(
  source: string,
  scope: ExpressionScope,
  sharedBudget?: SharedBudget,
): ConditionResult {
  if (source.trim() === '') return { value: true }
  const result = tryEvaluate(source, scope, sharedBudget)
  return result instanceof ExpressionError ? { value: false, error: result.message } : { value: Boolean(result) }
}

/** Returns the text shown for an inline expression; the expression itself if it fails. */
export function evaluateInlineExpression(source: string, scope: ExpressionScope, sharedBudget?: SharedBudget): string {
  if (source.trim() === '') return ''
  const result = tryEvaluate(source, scope, sharedBudget)
  if (result instanceof ExpressionError) return `{{${source}}}`
  return result === null || result === undefined || typeof result === 'object' ? '' : String(result)
}

/** Number of characters whose parsing takes about as long as one step. */
const parsedCharactersPerStep = 4

function tryEvaluate(
  source: string,
  scope: ExpressionScope,
  sharedBudget: SharedBudget | undefined,
): ExpressionValue | ExpressionError {
  try {
    if (sharedBudget) spendSharedSteps(sharedBudget, Math.floor(source.length / parsedCharactersPerStep))
    return evaluate(parseExpressionLeniently(source), scope, {}, sharedBudget)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
