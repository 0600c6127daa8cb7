import { Budget, defaultLimits } from './budget.ts'
import type { Allowance, Limits } from './budget.ts'
import { unreachable } from './errors.ts'
import { callMethod, hasMethod } from './methods.ts'
import type { Callback } from './methods.ts'
import type {
  Argument,
  Chain,
  ComputingOperator,
  Expression,
  ObjectLiteral,
  BinaryOperation,
  OrderingOperator,
  Template,
  UnaryOperator,
} from './syntax.ts'
import { isMissing, looselyEqual, memberOf, plain, toNumber, toPrimitive, toText } from './values.ts'
import type { Primitive, Value } from './values.ts'

/** Names that an expression can use. Only plain data is accessible: no prototypes, getters or functions. */
export type ExpressionScope = Readonly<Record<string, unknown>>

/** Evaluates an expression as in JavaScript; throws an `ExpressionError` if it fails or exceeds the limits. */
export function evaluate(
  expression: Expression,
  scope: ExpressionScope,
  limits: Partial<Limits> = {},
  allowance?: Allowance,
): Value {
  return walk(expression, { known: scope }, new Budget({ ...defaultLimits, ...limits }, allowance))
}

/** Scope, or the parameters of a function with the names of the enclosing scope. */
interface Names {
  readonly known: ExpressionScope
  readonly outer?: Names
}

function walk(expression: Expression, names: Names, budget: Budget): Value {
  budget.spend(1)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return lookUp(expression.name, names)
    case 'template':
      return walkTemplate(expression, names, budget)
    case 'list':
      return expression.items.map((item) => walk(item, names, budget))
    case 'object':
      return walkObject(expression, names, budget)
    case 'unary':
      return applyPrefix(expression.operator, walk(expression.operand, names, budget), budget)
    case 'operation':
      return walkOperation(expression, names, budget)
    case 'conditional':
      return walk(walk(expression.test, names, budget) ? expression.whenTrue : expression.whenFalse, names, budget)
    case 'chain':
      return walkChain(expression, names, budget)
    default:
      return unreachable(expression)
  }
}

function lookUp(name: string, names: Names): Value {
  let around = names
  while (around.outer && !Object.hasOwn(around.known, name)) around = around.outer
  return plain(Object.getOwnPropertyDescriptor(around.known, name)?.value)
}

function walkTemplate({ first, rest }: Template, names: Names, budget: Budget): Value {
  return budget.concatenate([first, ...rest.flatMap(({ hole, text }) => [toText(walk(hole, names, budget)), text])])
}

function walkObject({ entries }: ObjectLiteral, names: Names, budget: Budget): Value {
  // `fromEntries` creates own properties for any key, including `__proto__`.
  return Object.fromEntries(
    entries.map(({ key, value }) => [toText(walk(key, names, budget)), walk(value, names, budget)]),
  )
}

function walkOperation({ first, rest }: BinaryOperation, names: Names, budget: Budget): Value {
  let value = walk(first, names, budget)
  for (const { operator, operand } of rest) {
    switch (operator) {
      case '&&':
        if (!value) return value
        value = walk(operand, names, budget)
        break
      case '||':
        if (value) return value
        value = walk(operand, names, budget)
        break
      case '??':
        if (!isMissing(value)) return value
        value = walk(operand, names, budget)
        break
      default:
        value = compute(operator, value, walk(operand, names, budget), budget)
    }
  }
  return value
}

function compute(operator: ComputingOperator, left: Value, right: Value, budget: Budget): Value {
  budget.spendReading(left)
  budget.spendReading(right)
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

function add(left: Primitive, right: Primitive, budget: Budget): Value {
  if (typeof left !== 'string' && typeof right !== 'string') return Number(left) + Number(right)
  return budget.concatenate([String(left), String(right)])
}

/** Compares two strings by their characters, and other values as numbers. */
function compare(operator: OrderingOperator, left: Primitive, right: Primitive): boolean {
  const areTexts = typeof left === 'string' && typeof right === 'string'
  const [low, high] = areTexts ? [left, right] : [Number(left), Number(right)]
  switch (operator) {
    case '<':
      return low < high
    case '<=':
      return low <= high
    case '>':
      return low > high
    case '>=':
      return low >= high
    default:
      return unreachable(operator)
  }
}

function applyPrefix(operator: UnaryOperator, value: Value, budget: Budget): Value {
  budget.spendReading(value)
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

function walkChain({ base, links }: Chain, names: Names, budget: Budget): Value {
  let value = walk(base, names, budget)
  for (const link of links) {
    budget.spend(1)
    if (link.optional && isMissing(value)) return undefined
    switch (link.kind) {
      case 'member':
        value = memberOf(value, link.name)
        break
      case 'element':
        value = memberOf(value, toText(walk(link.index, names, budget)))
        break
      case 'call': {
        if (link.tolerant && !hasMethod(value, link.method)) return undefined
        const given = link.arguments.map((argument) => walkArgument(argument, names, budget))
        value = callMethod(value, link.method, given, budget)
        break
      }
      default:
        return unreachable(link)
    }
  }
  return value
}

function walkArgument(argument: Argument, names: Names, budget: Budget): Value | Callback {
  if (argument.kind !== 'function') return walk(argument, names, budget)
  const { parameters, body } = argument
  return (...given) => {
    budget.spend(parameters.length)
    const known = Object.fromEntries(parameters.map((parameter, index) => [parameter, given[index]]))
    return walk(body, { known, outer: names }, budget)
  }
}
