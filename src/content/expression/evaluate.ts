import { Budget, defaultEvaluationLimits } from './budget.ts'
import type { SharedBudget, EvaluationLimits } from './budget.ts'
import { unreachable } from './errors.ts'
import { callMethod, hasMethod } from './methods.ts'
import type { Callback } from './methods.ts'
import type {
  Argument,
  Chain,
  EagerOperator,
  Expression,
  ObjectLiteral,
  BinaryOperation,
  OrderingOperator,
  TemplateLiteral,
  UnaryOperator,
} from './syntax.ts'
import { isNullish, looselyEqual, memberOf, toPlainData, toNumber, toPrimitive, toText } from './values.ts'
import type { Primitive, ExpressionValue } from './values.ts'

/** Names that an expression can use. Only plain data is accessible: no prototypes, getters or functions. */
export type ExpressionScope = Readonly<Record<string, unknown>>

/** Evaluates an expression as in JavaScript; throws an `ExpressionError` if it fails or exceeds the limits. */
export function evaluate(
  expression: Expression,
  scope: ExpressionScope,
  limits: Partial<EvaluationLimits> = {},
  sharedBudget?: SharedBudget,
): ExpressionValue {
  return evaluateNode(expression, { known: scope }, new Budget({ ...defaultEvaluationLimits, ...limits }, sharedBudget))
}

/** Scope, or the parameters of a function with the names of the enclosing scope. */
interface ScopeChain {
  readonly known: ExpressionScope
  readonly outer?: ScopeChain
}

function evaluateNode(expression: Expression, scopes: ScopeChain, budget: Budget): ExpressionValue {
  budget.spend(1)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return lookUpName(expression.name, scopes)
    case 'template':
      return evaluateTemplate(expression, scopes, budget)
    case 'list':
      return expression.items.map((item) => evaluateNode(item, scopes, budget))
    case 'object':
      return evaluateObject(expression, scopes, budget)
    case 'unary':
      return applyUnaryOperator(expression.operator, evaluateNode(expression.operand, scopes, budget), budget)
    case 'operation':
      return evaluateOperation(expression, scopes, budget)
    case 'conditional':
      return evaluateNode(
        evaluateNode(expression.test, scopes, budget) ? expression.whenTrue : expression.whenFalse,
        scopes,
        budget,
      )
    case 'chain':
      return evaluateChain(expression, scopes, budget)
    default:
      return unreachable(expression)
  }
}

function lookUpName(name: string, scopes: ScopeChain): ExpressionValue {
  let scope = scopes
  while (scope.outer && !Object.hasOwn(scope.known, name)) scope = scope.outer
  return toPlainData(Object.getOwnPropertyDescriptor(scope.known, name)?.value)
}

function evaluateTemplate({ first, rest }: TemplateLiteral, scopes: ScopeChain, budget: Budget): ExpressionValue {
  return budget.concatenate([
    first,
    ...rest.flatMap(({ hole, text }) => [toText(evaluateNode(hole, scopes, budget)), text]),
  ])
}

function evaluateObject({ entries }: ObjectLiteral, scopes: ScopeChain, budget: Budget): ExpressionValue {
  // `fromEntries` creates own properties for any key, including `__proto__`.
  return Object.fromEntries(
    entries.map(({ key, value }) => [toText(evaluateNode(key, scopes, budget)), evaluateNode(value, scopes, budget)]),
  )
}

function evaluateOperation({ first, rest }: BinaryOperation, scopes: ScopeChain, budget: Budget): ExpressionValue {
  let value = evaluateNode(first, scopes, budget)
  for (const { operator, operand } of rest) {
    switch (operator) {
      case '&&':
        if (!value) return value
        value = evaluateNode(operand, scopes, budget)
        break
      case '||':
        if (value) return value
        value = evaluateNode(operand, scopes, budget)
        break
      case '??':
        if (!isNullish(value)) return value
        value = evaluateNode(operand, scopes, budget)
        break
      default:
        value = applyOperator(operator, value, evaluateNode(operand, scopes, budget), budget)
    }
  }
  return value
}

function applyOperator(
  operator: EagerOperator,
  left: ExpressionValue,
  right: ExpressionValue,
  budget: Budget,
): ExpressionValue {
  budget.spendForReading(left)
  budget.spendForReading(right)
  switch (operator) {
    case '===':
      return left === right
    case '!==':
      return left !== right
    case '==':
      return looselyEqual(left, right)
    case '!=':
      return !looselyEqual(left, right)
    case '+':
      return add(toPrimitive(left), toPrimitive(right), budget)
    case '-':
      return toNumber(left) - toNumber(right)
    case '*':
      return toNumber(left) * toNumber(right)
    case '/':
      return toNumber(left) / toNumber(right)
    case '%':
      return toNumber(left) % toNumber(right)
    default:
      return compare(operator, toPrimitive(left), toPrimitive(right))
  }
}

function add(left: Primitive, right: Primitive, budget: Budget): ExpressionValue {
  if (typeof left !== 'string' && typeof right !== 'string') return Number(left) + Number(right)
  return budget.concatenate([String(left), String(right)])
}

/** Compares two strings by their characters, and other values as numbers. */
function compare(operator: OrderingOperator, left: Primitive, right: Primitive): boolean {
  const areStrings = typeof left === 'string' && typeof right === 'string'
  const [a, b] = areStrings ? [left, right] : [Number(left), Number(right)]
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return unreachable(operator)
  }
}

function applyUnaryOperator(operator: UnaryOperator, value: ExpressionValue, budget: Budget): ExpressionValue {
  budget.spendForReading(value)
  switch (operator) {
    case '!':
      return !value
    case '-':
      return -toNumber(value)
    case '+':
      return toNumber(value)
    default:
      return unreachable(operator)
  }
}

function evaluateChain({ base, links }: Chain, scopes: ScopeChain, budget: Budget): ExpressionValue {
  let value = evaluateNode(base, scopes, budget)
  for (const link of links) {
    budget.spend(1)
    if (link.optional && isNullish(value)) return undefined
    switch (link.kind) {
      case 'member':
        value = memberOf(value, link.name)
        break
      case 'element':
        value = memberOf(value, toText(evaluateNode(link.index, scopes, budget)))
        break
      case 'call': {
        if (link.tolerant && !hasMethod(value, link.method)) return undefined
        const args = link.arguments.map((argument) => evaluateArgument(argument, scopes, budget))
        value = callMethod(value, link.method, args, budget)
        break
      }
      default:
        return unreachable(link)
    }
  }
  return value
}

function evaluateArgument(argument: Argument, scopes: ScopeChain, budget: Budget): ExpressionValue | Callback {
  if (argument.kind !== 'function') return evaluateNode(argument, scopes, budget)
  const { parameters, body } = argument
  return (...args) => {
    budget.spend(parameters.length)
    const known = Object.fromEntries(parameters.map((parameter, index) => [parameter, args[index]]))
    return evaluateNode(body, { known, outer: scopes }, budget)
  }
}
