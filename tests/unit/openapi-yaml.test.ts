import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { type ToStringOptions, parse, stringify } from 'yaml'
import { parseBlockYaml } from '../../src/openapi/block-yaml.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

// The parser of common YAML must agree with the YAML parser, or leave the text to it.

const readExpected = (text: string): unknown => {
  try {
    return parse(text, { merge: true, logLevel: 'silent' }) as unknown
  } catch {
    return 'invalid'
  }
}

test.each([
  'a: 1\nb: two\nc:\n  - x\n  - y: 1\n    z: 2\n  -\n    q: 1\n  - - 1\n    - 2\n',
  'a:\n- 1\n- b: c\n  d: e\n',
  '\'200\': ok\n"201": made\n200-x: y\n404:\n  description: none\n',
  '# comment\n---\na: b # more\n# end\nc: d#e\n',
  'a: |\n  one\n   two\n\n  three\n\nb: >-\n  one\n  two\n\n  three\nc: >\n  x\n\n\n  y\n',
  'a: |+\n  one\n\n',
  'a: |-\n  one\n\n\nb: 1',
  'a: |\n  x',
  'a: plain text\n  that continues\n\n  after a line\nb: 1\n',
  'a: "quoted \\"text\\" \\u00e9\\n"\nb: \'it\'\'s\'\nc: "folded\n  text\n\n  here"\nd: \'also\n  folded\'\n',
  'a: [1, two, "three", [4]]\nb: {x: 1, "y": [a, b], z: }\nc: []\nd: {}\ne: [one,\n  two]\n',
  'n: null\nt: true\nf: False\ni: -3\nj: 007\nk: 1.50\nl: 1e3\nm: .5\nv: 3.1.0\nw: ~\nx:\n',
  '/pets/{id}:\n  get: {}\napplication/json; charset=utf-8:\n  schema: {$ref: "#/components/schemas/Pet"}\n',
  'a: b\u00a0\nc: d\n',
  'a: http://example.com:80/x\nb: "x: y"\nc: a:b\n',
  'a: &x 1\nb: *x\nc: &y # comment\n  - &z {q: 1}\n  - *z # comment\n  - &w\n    p: *x\nd: *y\ne: [1]\nf: &n\ng: *n\n',
  'a: &x\n- 1\nb: &y |\n  text\nc: &t "quoted"\nd: [*x]\n',
  'a: &x\n- 1\nb: &y |\n  text\nc: &t "quoted"\nd: *y\ne: *t\nf: *x\n',
  'base: &b\n  p: 1\n  q: 2\none:\n  <<: *b\n  q: 3\ntwo:\n  r: 0\n  p: 9\n  <<: *b\nthree:\n  <<:\n    - *b\n    - {q: 5, s: 6}\n',
  '<<: {a: 1}\nb: 2\n',
])('reads common YAML like the YAML parser: %#', (text) => {
  const value = parseBlockYaml(text)
  // Left to the parser: a map whose value is missing, a number that is written differently, an alias in brackets.
  if (value === undefined) expect(text).toMatch(/z: \}|007|\[\*/)
  else expect(value).toEqual(readExpected(text))
})

test.each([
  'a: &x\n  b: *x\n',
  'a: &x 1\nb: &x\n  c: *x\n',
  'a: *x\n',
  'a: &x *y\n',
  'a: &x &y 1\n',
  '- &x a: 1\n- *x\n',
  'a: &x 1\n*x : 2\n',
  'a: &x 1\nb: *x\n  more\n',
  'a:\n  <<: 1\n',
  'a: !!str 1\n',
  'a: 1\na: 2\n',
  'a: b: c\n',
  'a:\n    b: 1\n  c: 2\n',
  'a: |2\n   x\n',
  'a: >\n  x\n    y\n',
  '? a\n: b\n',
  '1.0: a\n',
  'a:\tb\n',
  'a: "x\\\n  y"\n',
  '%YAML 1.2\n---\na: 1\n',
  'a: 1\n---\nb: 2\n',
  'a: [1, 2\n',
  'a: 0x10\n',
  'just text',
  '',
])('leaves other YAML to the YAML parser: %#', (text) => {
  expect(parseBlockYaml(text)).toBeUndefined()
})

test('reads the specification of the public API like the YAML parser', () => {
  const file = createRequire(import.meta.url)
    .resolve('@gitbook/api')
    .replace(/dist\/.*$/, 'spec/openapi.yaml')
  const text = readFileSync(file, 'utf8')
  const value = parseBlockYaml(text)
  expect(value).toBeDefined()
  expect(JSON.stringify(value)).toBe(JSON.stringify(readExpected(text)))
})

test('agrees with the YAML parser about generated documents in every style', () => {
  const chance = seededRandom(7)
  const random = {
    integer: (below: number) => randomInteger(chance, 0, below - 1),
    pick: <T>(items: readonly T[]): T => items[randomInteger(chance, 0, items.length - 1)] as T,
  }
  const words = [
    'pet',
    'a: b',
    'x #y',
    "it's",
    '"q"',
    '- item',
    '3.0',
    '12',
    'null',
    '',
    'é\u00a0x',
    '{id}',
    'a\nb\n',
    ' lead',
    'trail ',
    '\tt',
    '#',
    '~',
    'a:',
    '*x',
    'line\n\n  deep\n',
  ]
  const makeText = () =>
    Array.from({ length: 1 + random.integer(6) }, () => random.pick(words)).join(random.pick([' ', ' ', '\n', ', ']))
  const made: unknown[] = []
  const makeValue = (depth: number): unknown => {
    if (made.length > 0 && random.integer(8) === 0) return random.pick(made)
    const value = makeNewValue(depth)
    made.push(value)
    return value
  }
  const makeNewValue = (depth: number): unknown => {
    const kind = random.integer(depth > 4 ? 3 : 6)
    if (kind === 0) return random.pick([true, null, 0, -1, 2.5, 1e21, 100])
    if (kind <= 2) return makeText()
    if (kind === 3) return Array.from({ length: random.integer(4) }, () => makeValue(depth + 1))
    return Object.fromEntries(
      Array.from({ length: random.integer(5) }, () => [
        random.pick([...words, '200', '/a/{b}', '$ref']),
        makeValue(depth + 1),
      ]),
    )
  }
  const styles: ToStringOptions[] = [
    {},
    { lineWidth: 20 },
    { lineWidth: 0, indentSeq: false },
    { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 30 },
    { defaultStringType: 'QUOTE_SINGLE', lineWidth: 30 },
    { defaultStringType: 'BLOCK_FOLDED' },
    { defaultStringType: 'BLOCK_LITERAL', indent: 4 },
    { collectionStyle: 'flow', lineWidth: 40 },
  ]
  let read = 0
  for (let round = 0; round < 400; round++) {
    made.length = 0
    const text = stringify({ openapi: '3.1.0', value: makeValue(0) }, random.pick(styles))
    const value = parseBlockYaml(text)
    if (value === undefined) continue
    read++
    expect([text, value]).toEqual([text, readExpected(text)])
  }
  expect(read).toBeGreaterThan(100)
})
