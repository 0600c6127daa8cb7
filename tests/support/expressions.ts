import { compileFunction } from 'node:vm'
import { randomInteger } from './random.ts'

/** Data that generated expressions read. */
export const exampleScope = {
  visitor: {
    claims: {
      isBetaUser: true,
      groups: ['admin', 'Editor', '', 'été'],
      scores: [3, -1.5, 0, 12],
      mixed: [null, 'a', 7, false, undefined],
      unsigned: { language: 'fr', plan: 'enterprise', seats: 12, empty: '' },
    },
  },
  space: { vars: { version: 'v3.0.4', limit: 10, ratio: 0.25, enabled: false, nothing: null } },
  page: { vars: {} },
}

const primitivePaths = [
  'visitor.claims.isBetaUser',
  'visitor.claims.unsigned.language',
  'visitor?.claims["unsigned"]?.seats',
  'visitor.claims.unsigned.absent',
  'visitor.claims.absent?.deeper.still',
  'space.vars.limit',
  'space.vars["ratio"]',
  'space.vars.enabled',
  'space.vars.nothing',
  'page.vars.absent?.[0]',
  'page?.vars.absent?.at(1).length',
]
const textPaths = ['visitor.claims.unsigned.plan', 'space.vars.version', 'visitor.claims.unsigned.empty']
const listPaths = ['visitor.claims.groups', 'visitor.claims.scores', 'visitor?.claims?.mixed']
const literals = ['0', '1', '2.5', '.5', '1e3', '0x1F', 'true', 'false', 'null', 'undefined', 'NaN', 'Infinity']
const texts = ['""', "'a'", '"fr"', '" 12 "', "'1'", '`é`', String.raw`"\x41\u{1F600}\n"`, String.raw`'it\'s'`]
const computing = ['===', '!==', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%']

/**
 * Creates a generator of random expressions on `exampleScope`. They are well-typed, so that JavaScript evaluates them without
 * throwing and without converting lists or objects, where this language differs on purpose.
 */
export function createExpressionGenerator(chance: () => number) {
  const pick = <T>(...options: readonly T[]) => options[randomInteger(chance, 0, options.length - 1)] as T
  const times = (low: number, high: number, write: () => string) =>
    Array.from({ length: randomInteger(chance, low, high) }, write)

  /** Writes operands without parentheses, so that precedence applies. */
  const row = (depth: number, names: readonly string[]): string => {
    const logical = pick(['&&', '||'], ['??'])
    const operands = times(2, 5, () => primitive(depth - 1, names))
    return operands.reduce((left, right) => `${left} ${pick(...computing, ...computing, ...logical)} ${right}`)
  }

  const withParameters = (
    depth: number,
    names: readonly string[],
    wrap: (parameters: string, body: string) => string,
  ) => {
    const [item, index] = [`item${names.length}`, `index${names.length}`]
    const given = pick([item], [item, index])
    const parameters = given.length === 1 ? pick(item, `(${item})`) : `(${given.join(', ')})`
    return wrap(parameters, primitive(depth - 1, [...names, ...given]))
  }

  const primitive = (depth: number, names: readonly string[] = []): string => {
    if (depth <= 0) return pick(...literals, ...texts, ...primitivePaths, ...textPaths, ...names, ...names)
    const inner = () => primitive(depth - 1, names)
    return pick(
      () => `(${row(depth, names)})`,
      () => `(${inner()} ? ${inner()} : ${inner()} ? ${row(depth, names)} : ${inner()})`,
      () => `${pick('!', '- ', '+ ', '!!')}${inner()}`,
      () => text(depth, names),
      () => `${text(depth - 1, names)}.${pick('includes', 'startsWith', 'endsWith', 'indexOf')}(${inner()})`,
      () => `${text(depth - 1, names)}.length`,
      () => `${text(depth - 1, names)}[${inner()}]`,
      () => `${list(depth - 1, names)}.length`,
      () => `${list(depth - 1, names)}[${inner()}]`,
      () => `${list(depth - 1, names)}.${pick('includes', 'indexOf', 'at')}(${inner()})`,
      () =>
        withParameters(
          depth,
          names,
          (parameters, body) => `${list(depth - 1, names)}.${pick('some', 'every', 'find')}(${parameters} => ${body})`,
        ),
      () => `({ a: ${inner()}, "b c": ${inner()}, [${inner()}]: ${inner()} })${pick('.a', '["b c"]', '?.a', '[1]')}`,
      () => `(${list(depth - 1, names)} ${pick('===', '!==', '&&', '||')} ${list(depth - 1, names)}).length`,
    )()
  }

  const text = (depth: number, names: readonly string[]): string => {
    if (depth <= 0) return pick(...texts, ...textPaths)
    const inner = () => primitive(depth - 1, names)
    const base = () => text(depth - 1, names)
    return pick(
      () => `\`a\${${inner()}}b\${ ${inner()} }\``,
      () => `(${base()} + ${inner()})`,
      () => `${base()}.${pick('toUpperCase', 'toLowerCase', 'trim', 'slice')}()`,
      () => `${base()}.${pick('charAt', 'slice', 'substring', 'concat')}(${inner()})`,
      () => `${base()}.${pick('slice', 'substring')}(${inner()}, ${inner()})`,
      () => `${list(depth - 1, names)}.join(${pick('', '"-"', inner())})`,
    )()
  }

  const list = (depth: number, names: readonly string[]): string => {
    if (depth <= 0) return pick(...listPaths)
    const inner = () => primitive(depth - 1, names)
    return pick(
      () => `[${times(0, 4, inner).join(', ')}]`,
      () => `${list(depth - 1, names)}.slice(${inner()}, ${inner()})`,
      () => `${list(depth - 1, names)}.concat(${inner()}, ${list(depth - 1, names)})`,
      () => `${text(depth - 1, names)}.split(${inner()})`,
      () =>
        withParameters(
          depth,
          names,
          (parameters, body) => `${list(depth - 1, names)}.${pick('map', 'filter')}(${parameters} => ${body})`,
        ),
    )()
  }

  return (depth: number): string =>
    pick(
      () => row(depth, []),
      () => primitive(depth),
      () => list(depth, []),
    )()
}

/** Compiles an expression as JavaScript; throws a SyntaxError if it is invalid. */
export function compileJavaScript(source: string, ...names: readonly string[]): (...values: unknown[]) => unknown {
  return compileFunction(`return (${source}\n)`, names) as (...values: unknown[]) => unknown
}
