import { evaluateCondition, makeExpressionScope } from '../../../content/expression/index.ts'
import type { IsTrue } from './hidden-blocks.ts'

/** Returns a function that evaluates conditions like published pages, each condition once. */
export function createConditionCheck(input: Parameters<typeof makeExpressionScope>[0]): IsTrue {
  const scope = makeExpressionScope(input)
  const results = new Map<string, boolean>()
  return (expression) => {
    const value = results.get(expression) ?? evaluateCondition(expression, scope).value
    results.set(expression, value)
    return value
  }
}
