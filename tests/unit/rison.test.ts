import { expect, test } from 'vitest'
import { decodeClaims } from '../../src/publishing/rison.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

type Json = Record<string, unknown>

test('decodes Rison objects', () => {
  const examples: [string, Json][] = [
    ['()', {}],
    ['(a:0,b:1)', { a: 0, b: 1 }],
    ["(a:0,b:foo,c:'23skidoo')", { a: 0, b: 'foo', c: '23skidoo' }],
    ['(a:!t,b:!f,c:!n)', { a: true, b: false, c: null }],
    ['(id:!n,type:/common/document)', { id: null, type: '/common/document' }],
    ['(a:1.5,b:-3,c:1e30,d:1e-30,e:-0.25)', { a: 1.5, b: -3, c: 1e30, d: 1e-30, e: -0.25 }],
    [
      "(a:G.,b:a-z,c:'-h',d:'-3',e:domain.com,f:'user@domain.com')",
      { a: 'G.', b: 'a-z', c: '-h', d: '-3', e: 'domain.com', f: 'user@domain.com' },
    ],
    ["(a:'can!'t',b:'wow!!',c:'',d:'a b')", { a: "can't", b: 'wow!', c: '', d: 'a b' }],
    ["('a b':(c:!(1,!(),(d:e)),f:!(!t)))", { 'a b': { c: [1, [], { d: 'e' }], f: [true] } }],
    ['(größe:漢字,x:😀)', { größe: '漢字', x: '😀' }],
    ['(a:1,a:2)', { a: 2 }],
  ]
  for (const [text, claims] of examples) expect({ text, ...decodeClaims(text) }).toEqual({ text, claims })
})

test('accepts Rison without outer parentheses, and JSON', () => {
  expect(decodeClaims('plan:pro,unsigned:(beta:!t)')).toEqual({ claims: { plan: 'pro', unsigned: { beta: true } } })
  expect(decodeClaims('')).toEqual({ claims: {} })
  expect(decodeClaims(' {"plan": "pro", "teams": ["a", null]} ')).toEqual({
    claims: { plan: 'pro', teams: ['a', null] },
  })
})

test('rejects invalid input and names the position', () => {
  expect(decodeClaims('(a:1')).toEqual({ problem: 'is not valid Rison: unexpected end of input at position 5' })
  expect(decodeClaims('(a:b c)')).toEqual({ problem: 'is not valid Rison: unexpected " " at position 5' })
  const wrong = [
    '( ) (a (a: (a:) (a:1,) (,) (a:1)) (a:1)x (a:1)(b:2) (a:1;b:2) ((a:1)) !(a,b) !t 7 text a: :1 (1:2) (-a:1) (!t:1)',
    "(a:!x) (a:!) (a:!(1) (a:'x) (a:'!x') (a:'x!') 'text' (a:01) (a:1.) (a:.5,b:1 (a:1e+5) (a:1e999) (a:1a) (a:-) (a:*)",
    '(a:$b) { {"a":} {"a":1}} {a:1}',
  ]
    .join(' ')
    .split(' ')
  for (const text of wrong)
    expect({ text, ...decodeClaims(text) }).toEqual({ text, problem: expect.any(String) as string })
})

const deepRison = (levels: number) => `${'(a:'.repeat(levels)}1${')'.repeat(levels)}`
const deepJson = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('limits length and nesting', () => {
  for (const write of [deepRison, deepJson]) {
    expect(decodeClaims(write(10))).toHaveProperty('claims')
    expect(decodeClaims(write(11))).toHaveProperty('problem')
    expect(decodeClaims(write(1000))).toHaveProperty('problem')
  }
  expect(decodeClaims(`(a:${'!('.repeat(4000)}`)).toHaveProperty('problem')
  expect(decodeClaims(`(a:'${'x'.repeat(8000)}')`)).toHaveProperty('claims')
  expect(decodeClaims(`(a:'${'x'.repeat(9000)}')`)).toHaveProperty('problem')
})

test('ignores __proto__', () => {
  for (const text of ['(__proto__:(polluted:!t),a:1)', '{"__proto__":{"polluted":true},"a":1}']) {
    const decoded = decodeClaims(text)
    expect(decoded).toEqual({ claims: { a: 1 } })
    expect('claims' in decoded && 'polluted' in decoded.claims).toBe(false)
  }
})

/** Encodes a value as Rison with all strings quoted. */
function written(value: unknown): string {
  if (value === null) return '!n'
  if (typeof value === 'boolean') return value ? '!t' : '!f'
  if (typeof value === 'number') return String(value).replace('e+', 'e')
  if (typeof value === 'string') return `'${value.replaceAll(/[!']/g, '!$&')}'`
  if (Array.isArray(value)) return `!(${value.map(written).join(',')})`
  const members = Object.entries(value as Json).map(([name, inner]) => `${written(name)}:${written(inner)}`)
  return `(${members.join(',')})`
}

test('generated objects survive a round trip', () => {
  const chance = seededRandom(7)
  const texts = ['', 'a', "it's", '!', '!!', "!'", '(a:b)', 'ä 漢 😀', '1', '-', '\n', '"', '%', 'null']
  const value = (depth: number): unknown => {
    const length = randomInteger(chance, 0, 3)
    switch (randomInteger(chance, 0, depth > 0 ? 5 : 3)) {
      case 0:
        return texts[randomInteger(chance, 0, texts.length - 1)]
      case 1:
        return (chance() - 0.5) * 10 ** randomInteger(chance, -9, 30)
      case 2:
        return chance() < 0.5
      case 3:
        return null
      case 4:
        return Array.from({ length }, () => value(depth - 1))
      default:
        return object(depth - 1)
    }
  }
  const object = (depth: number): Json =>
    Object.fromEntries(
      Array.from({ length: randomInteger(chance, 0, 4) }, () => [
        texts[randomInteger(chance, 0, texts.length - 1)],
        value(depth),
      ]),
    )
  for (let round = 0; round < 500; round += 1) {
    const claims = object(4)
    const text = written(claims)
    expect({ text, ...decodeClaims(text) }).toEqual({ text, claims })
  }
})
