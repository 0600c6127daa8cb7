import { expect, test } from 'vitest'
import { ExpressionError, parseExpression } from '../../src/content/expression/index.ts'

function errorOf(source: string): ExpressionError {
  try {
    parseExpression(source)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${source} was read without an error`)
}

const onlyMethods = 'Only methods can be called, for example value.includes("x")'
const functionsAreArguments =
  'A function can only be used as an argument of a method, and its parameters must be plain names'
const noMix = '"??" cannot be combined with "||" or "&&" without parentheses'

test.each([
  ['', 0, 'Unexpected end of the expression'],
  ['1 +', 3, 'Unexpected end of the expression'],
  ['(1', 2, 'Unexpected end of the expression; expected ")"'],
  ['[1, 2', 5, 'Unexpected end of the expression; expected "]"'],
  ['{ a: 1', 6, 'Unexpected end of the expression; expected "}"'],
  ['a.at(1', 6, 'Unexpected end of the expression; expected ")"'],
  ['a ? 1', 5, 'Unexpected end of the expression; expected ":"'],
  ['a.', 2, 'Unexpected end of the expression'],
  ['a b', 2, 'Unexpected "b"'],
  ['1 2', 2, 'Unexpected 2'],
  ['a "x"', 2, 'Unexpected "x"'],
  ['a, b', 1, 'Unexpected ","'],
  ['(a, b)', 2, 'Unexpected ","; expected ")"'],
  ['a)', 1, 'Unexpected ")"'],
  ['[1 2]', 3, 'Unexpected 2; expected "]"'],
  ['[1,,2]', 3, 'Unexpected ","'],
  ['a.1', 1, 'Unexpected .1'],
  ['a["b"', 5, 'Unexpected end of the expression; expected "]"'],
  ['`${}`', 3, 'Unexpected }`'],
  ['`${a b}`', 5, 'Unexpected "b"'],
  ['{ "a" }', 6, 'Unexpected "}"'],
  ['{ null }', 7, 'Unexpected "}"'],
  ['{ get a() { } }', 6, 'Unexpected "a"; expected "}"'],
  ['a and b', 2, 'Unexpected "and"'],
  ['"a_text_that_is_quite_long" "another_text_that_is_long"', 28, 'Unexpected "another_text_that_i…'],
  ['a = 1', 2, 'Assignments are not supported; use "===" to compare'],
  ['a += 1', 2, 'The operator "+=" is not supported'],
  ['a ??= 1', 2, 'The operator "??=" is not supported'],
  ['a++', 1, 'The operator "++" is not supported'],
  ['2 ** 3', 2, 'The operator "**" is not supported'],
  ['a & b', 2, 'The operator "&" is not supported'],
  ['a >>> b', 2, 'The operator ">>>" is not supported'],
  ['~a', 0, 'The operator "~" is not supported'],
  ['a; b', 1, 'Only one expression is allowed, without ";"'],
  ['a;', 1, 'Only one expression is allowed, without ";"'],
  ['[...a]', 1, 'Spreading with "..." is not supported'],
  ['new Date()', 0, '"new" is not supported'],
  ['this.a', 0, '"this" is not supported'],
  ['typeof a', 0, '"typeof" is not supported'],
  ['"a" in b', 4, '"in" is not supported'],
  ['a instanceof b', 2, '"instanceof" is not supported'],
  ['if (a) b', 0, '"if" is not supported'],
  ['var a', 0, '"var" is not supported'],
  ['while (true) 1', 0, '"while" is not supported'],
  ['function () { }', 0, '"function" is not supported'],
  ['import("x")', 0, '"import" is not supported'],
  ['{ this }', 2, '"this" is not supported'],
  ['/a/.test(b)', 0, 'Regular expressions are not supported'],
  ["a === /it's/", 6, 'Regular expressions are not supported'],
  ['a // b', 2, 'Comments are not supported'],
  ['/* a */ b', 0, 'Comments are not supported'],
  ['"abc', 0, 'A string is not closed'],
  ["a + 'b\nc'", 4, 'A string is not closed'],
  ['`abc', 0, 'A template literal is not closed'],
  ['`a${b', 5, 'Unexpected end of the expression'],
  ['a`b`', 1, 'Tagged templates are not supported'],
  ['012', 0, 'Invalid number'],
  ['3px', 0, 'Invalid number'],
  ['10n', 0, 'Invalid number'],
  ['1_000', 0, 'Invalid number'],
  [String.raw`"\u12"`, 1, String.raw`The escape "\u" is not supported`],
  [String.raw`"ab\x1"`, 3, String.raw`The escape "\x" is not supported`],
  [String.raw`"\u{110000}"`, 1, String.raw`The escape "\u{110000}" is not supported`],
  [String.raw`"\07"`, 1, String.raw`The escape "\0" is not supported`],
  [String.raw`"\1"`, 1, String.raw`The escape "\1" is not supported`],
  [String.raw`a\u0062`, 1, String.raw`Unexpected "\"`],
  ['a # b', 2, 'Unexpected "#"'],
  ['a === “b”', 6, 'Unexpected "“"'],
  ['😀', 0, 'Unexpected "😀"'],
  ['alert(1)', 5, onlyMethods],
  ['a["at"](1)', 7, onlyMethods],
  ['a?.(1)', 1, onlyMethods],
  ['"a".trim()()', 10, onlyMethods],
  ['(x => x)(1)', 3, functionsAreArguments],
  ['x => x', 2, functionsAreArguments],
  ['[x => x]', 3, functionsAreArguments],
  ['a.map(b || x => x)', 13, functionsAreArguments],
  ['a.map(({ b }) => b)', 14, functionsAreArguments],
  ['a.map((b c) => b)', 9, 'Unexpected "c"; expected ")"'],
  ['a.map((b, b) => b)', 10, '"b" cannot be used as a parameter name'],
  ['a.map(null => 1)', 6, '"null" cannot be used as a parameter name'],
  ['a.map(this => 1)', 6, '"this" is not supported'],
  ['a.map(b => { return b })', 11, 'The body of a function must be an expression without braces'],
  ['a.map(function (b) { })', 6, '"function" is not supported'],
  ['a.map(async b => b)', 12, 'Unexpected "b"; expected ")"'],
  ['data.get("x") == "WiFi"', 5, 'Unknown method "get"'],
  ['a.toString()', 2, 'Unknown method "toString"'],
  ['a.constructor("b")', 2, 'Unknown method "constructor"'],
  ['a ?? b || c', 7, noMix],
  ['a || b ?? c', 7, noMix],
  ['a ?? b && c', 7, noMix],
  ['a && b ?? c', 7, noMix],
  ['a || b && c ?? d', 12, noMix],
])('rejects %j at position %i: %s', (source, position, sentence) => {
  const error = errorOf(source)
  expect(error.message).toBe(`${sentence} (at character ${position + 1})`)
  expect(error.position).toBe(position)
  expect(error.name).toBe('ExpressionError')
})
