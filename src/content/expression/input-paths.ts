import { unreachable } from './errors.ts'
import type { Argument, ChainLink, Expression } from './syntax.ts'

/** Names of a property path, such as `['visitor', 'claims', 'unsigned', 'language']`. */
export type PropertyPath = readonly string[]

type ParameterNames = ReadonlySet<string>

/**
 * Returns the paths that an expression may read, without duplicates, in the order of its source. A computed member or a
 * method call ends a path, so the expression may read anything below it; `length` counts as a name, so a path may also
 * end with it.
 */
export function findInputPaths(expression: Expression): readonly PropertyPath[] {
  const paths = new Map<string, PropertyPath>()
  const pending: [part: Argument, parameters: ParameterNames][] = [[expression, new Set()]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [part, parameters] = next
    const path = toPropertyPath(part)
    if (path && !parameters.has(path[0] as string)) paths.set(JSON.stringify(path), path)
    const inner = part.kind === 'function' ? new Set([...parameters, ...part.parameters]) : parameters
    for (const subexpression of subexpressionsOf(part).toReversed()) pending.push([subexpression, inner])
  }
  return [...paths.values()]
}

function toPropertyPath(part: Argument): PropertyPath | undefined {
  if (part.kind === 'name') return [part.name]
  if (part.kind !== 'chain' || part.base.kind !== 'name') return undefined
  const path = [part.base.name]
  for (const link of part.links) {
    if (link.kind !== 'member') break
    path.push(link.name)
  }
  return path
}

function subexpressionsOf(part: Argument): readonly Argument[] {
  switch (part.kind) {
    case 'literal':
    case 'name':
      return []
    case 'template':
      return part.rest.map(({ hole }) => hole)
    case 'list':
      return part.items
    case 'object':
      return part.entries.flatMap(({ key, value }) => [key, value])
    case 'unary':
      return [part.operand]
    case 'operation':
      return [part.first, ...part.rest.map(({ operand }) => operand)]
    case 'conditional':
      return [part.test, part.whenTrue, part.whenFalse]
    case 'chain':
      return [...(part.base.kind === 'name' ? [] : [part.base]), ...part.links.flatMap(linkSubexpressions)]
    case 'function':
      return [part.body]
    default:
      return unreachable(part)
  }
}

function linkSubexpressions(link: ChainLink): readonly Argument[] {
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
}
