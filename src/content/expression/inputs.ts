import { unreachable } from './errors.ts'
import type { Argument, Chain, Expression } from './syntax.ts'

/** The names on the way to a datum, such as `['visitor', 'claims', 'unsigned', 'language']`. */
export type Path = readonly string[]

/**
 * The paths that an expression may read, each once, in the order of its source. A computed member or a method call ends
 * a path, so the expression may read anything below it; `length` counts as a name, so a path may also end in it.
 */
export function inputsOf(expression: Expression): readonly Path[] {
  const unique = new Map(pathsOf(expression, new Set()).map((path) => [JSON.stringify(path), path]))
  return [...unique.values()]
}

function pathsOf(expression: Argument, parameters: ReadonlySet<string>): readonly Path[] {
  const within = (...parts: Argument[]) => parts.flatMap((part) => pathsOf(part, parameters))
  switch (expression.kind) {
    case 'literal':
      return []
    case 'name':
      return parameters.has(expression.name) ? [] : [[expression.name]]
    case 'template':
      return within(...expression.rest.map(({ hole }) => hole))
    case 'list':
      return within(...expression.items)
    case 'object':
      return within(...expression.entries.flatMap(({ key, value }) => [key, value]))
    case 'unary':
      return within(expression.operand)
    case 'operation':
      return within(expression.first, ...expression.rest.map(({ operand }) => operand))
    case 'conditional':
      return within(expression.test, expression.whenTrue, expression.whenFalse)
    case 'chain':
      return [...basePaths(expression, parameters), ...within(...computedParts(expression))]
    case 'function':
      return pathsOf(expression.body, new Set([...parameters, ...expression.parameters]))
    default:
      return unreachable(expression)
  }
}

function basePaths({ base, links }: Chain, parameters: ReadonlySet<string>): readonly Path[] {
  if (base.kind !== 'name') return pathsOf(base, parameters)
  if (parameters.has(base.name)) return []
  const path = [base.name]
  for (const link of links) {
    if (link.kind !== 'member') break
    path.push(link.name)
  }
  return [path]
}

function computedParts({ links }: Chain): Argument[] {
  return links.flatMap((link): readonly Argument[] => {
    switch (link.kind) {
      case 'member':
        return []
      case 'element':
        return [link.index]
      case 'call':
        return link.arguments
      default:
        return unreachable(link)
    }
  })
}
