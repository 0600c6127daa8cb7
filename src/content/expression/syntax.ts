import type { MethodName } from './methods.ts'
import type { Primitive } from './values.ts'

/**
 * Syntax tree of an expression. Runs (`a + b - c`, `a.b.c`) are lists rather than nested nodes, so the height of a tree
 * is limited by the nesting of its source and plain recursion can traverse it.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Primitive }
  | { readonly kind: 'name'; readonly name: string }
  | TemplateLiteral
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | ObjectLiteral
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | BinaryOperation
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly whenTrue: Expression
      readonly whenFalse: Expression
    }
  | Chain

export interface TemplateLiteral {
  readonly kind: 'template'
  readonly first: string
  readonly rest: readonly TemplatePart[]
}

/** Placeholder of a template literal, and the text from there to the next placeholder or the end. */
export interface TemplatePart {
  readonly hole: Expression
  readonly text: string
}

export interface ObjectLiteral {
  readonly kind: 'object'
  readonly entries: readonly ObjectEntry[]
}

export interface ObjectEntry {
  readonly key: Expression
  readonly value: Expression
}

/** Operators of the same precedence, applied from left to right. */
export interface BinaryOperation {
  readonly kind: 'operation'
  readonly first: Expression
  readonly rest: readonly { readonly operator: BinaryOperator; readonly operand: Expression }[]
}

/** Value followed by members, elements and method calls; an optional link on a missing value ends the chain. */
export interface Chain {
  readonly kind: 'chain'
  readonly base: Expression
  readonly links: readonly ChainLink[]
}

export type ChainLink =
  | { readonly kind: 'member'; readonly name: string; readonly optional: boolean }
  | { readonly kind: 'element'; readonly index: Expression; readonly optional: boolean }
  | MethodCall

export interface MethodCall {
  readonly kind: 'call'
  readonly method: MethodName
  readonly arguments: readonly Argument[]
  /** Whether the call is `a?.method()`. */
  readonly optional: boolean
  /** Whether the call is `a.method?.()`, which is undefined if the value has no such method. */
  readonly tolerant: boolean
}

/** Argument of a method. Functions are allowed only here and are not values, so no expression can call itself. */
export type Argument = Expression | ArrowFunction

export interface ArrowFunction {
  readonly kind: 'function'
  readonly parameters: readonly string[]
  readonly body: Expression
}

export type UnaryOperator = '!' | '-' | '+'

export type LogicalOperator = '&&' | '||' | '??'

export type BinaryOperator = LogicalOperator | EagerOperator

/** Operators that evaluate both operands. */
export type EagerOperator = '===' | '!==' | '==' | '!=' | OrderingOperator | '+' | '-' | '*' | '/' | '%'

export type OrderingOperator = '<' | '<=' | '>' | '>='
