export { type ConditionResult, evaluateCondition, evaluateInlineExpression } from './condition.ts'
export { defaultEvaluationLimits, type SharedBudget, type EvaluationLimits } from './budget.ts'
export { ExpressionError } from './errors.ts'
export { type ExpressionScope, evaluate } from './evaluate.ts'
export { findInputPaths, type PropertyPath } from './input-paths.ts'
export {
  isExpression,
  maxExpressionNesting,
  parseExpression,
  parseExpressionLeniently,
  findExpressionError,
} from './parse.ts'
export { type ScopeInput, makeExpressionScope } from './scope.ts'
export type { Expression } from './syntax.ts'
export { maxExpressionLength } from './tokens.ts'
export type { ExpressionValue } from './values.ts'
