import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signJwt, verifyJwt } from '../../src/kernel/jwt.ts'

const key = 'the key of the site'
const now = Date.UTC(2026, 0, 1)
const second = now / 1000

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Returns a correctly signed token with an arbitrary header and payload. */
function forge(header: unknown, payload: unknown, digest = 'sha256', secret = key): string {
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`
}

const header = { alg: 'HS256', typ: 'JWT' }

test('verifies a signed token and returns its payload', () => {
  const payload = { plan: 'pro', name: 'Zoë 😀', nested: { list: [1, null, true] }, exp: second + 1 }
  expect(verifyJwt(signJwt(payload, key), key, now)).toEqual({ payload })
  expect(verifyJwt(forge(header, payload), key, now)).toEqual({ payload })
  // The example token of jwt.io, signed by another implementation.
  const foreign =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'
  expect(verifyJwt(foreign, 'your-256-bit-secret', now)).toMatchObject({ payload: { name: 'John Doe' } })
})

test('rejects a token with another key, another payload or an altered signature', () => {
  const token = signJwt({ plan: 'pro' }, key)
  const [head = '', body = '', signature = ''] = token.split('.')
  expect(verifyJwt(token, 'the key of another site', now)).toEqual({ error: 'signature' })
  expect(verifyJwt(token, '', now)).toEqual({ error: 'signature' })
  expect(verifyJwt(forge(header, { plan: 'pro' }, 'sha256', ''), '', now)).toEqual({ error: 'signature' })
  expect(verifyJwt(`${head}.${encode({ plan: 'free' })}.${signature}`, key, now)).toEqual({ error: 'signature' })
  expect(verifyJwt(`${head}.${body}.${'A'.repeat(43)}`, key, now)).toEqual({ error: 'signature' })

  // Four final characters decode to the same signature bytes; only the original one is accepted.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const place = alphabet.indexOf(signature.slice(-1))
  const sibling = `${head}.${body}.${signature.slice(0, -1)}${alphabet[place + 1]}`
  expect(Buffer.from(sibling.split('.')[2] ?? '', 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
  expect(verifyJwt(sibling, key, now)).toEqual({ error: 'signature' })
  expect(verifyJwt(`${token}=`, key, now)).toEqual({ error: 'signature' })
})

test('rejects every truncation of a token', () => {
  const token = signJwt({ plan: 'pro' }, key)
  for (let length = 0; length < token.length; length += 1) {
    expect(verifyJwt(token.slice(0, length), key, now)).toHaveProperty('error')
  }
})

test('rejects every algorithm other than HS256', () => {
  const names = 'none None NONE nOnE hs256 HS384 HS512 RS256 ES256 EdDSA'.split(' ')
  const algorithms = [...names, '', 'HS256 ', null, true, 0, ['HS256'], { alg: 'HS256' }, undefined]
  for (const alg of algorithms) {
    const unsigned = `${encode({ typ: 'JWT', alg })}.${encode({ plan: 'pro' })}`
    expect(verifyJwt(`${unsigned}.`, key, now)).toEqual({ error: 'algorithm' })
    expect(verifyJwt(forge({ alg }, { plan: 'pro' }), key, now)).toEqual({ error: 'algorithm' })
  }
  expect(verifyJwt(forge({ alg: 'HS512' }, { plan: 'pro' }, 'sha512'), key, now)).toEqual({ error: 'algorithm' })
  expect(verifyJwt(forge('{"__proto__":{"alg":"HS256"}}', {}), key, now)).toEqual({ error: 'algorithm' })
  expect(verifyJwt(`${encode(header)}.${encode({ plan: 'pro' })}.`, key, now)).toEqual({ error: 'signature' })
  // Critical header extensions are not supported.
  expect(verifyJwt(forge({ ...header, crit: ['exp'] }, {}), key, now)).toEqual({ error: 'algorithm' })
  expect(verifyJwt(forge({ ...header, crit: [] }, {}), key, now)).toEqual({ error: 'algorithm' })
})

const at = (times: object) => verifyJwt(forge(header, times), key, now)

test('checks expiry exactly and the start time with a tolerance of a minute', () => {
  expect(at({ exp: second + 0.5, nbf: second + 60, iat: second })).toHaveProperty('payload')
  expect(at({ exp: second })).toEqual({ error: 'expired' })
  expect(at({ exp: 0 })).toEqual({ error: 'expired' })
  expect(at({ exp: -1e300 })).toEqual({ error: 'expired' })
  expect(at({ nbf: second + 61 })).toEqual({ error: 'notYet' })
  for (const name of ['exp', 'nbf', 'iat']) {
    for (const value of [String(second + 100), null, true, [second + 100], {}]) {
      expect(at({ [name]: value })).toEqual({ error: 'malformed' })
    }
    expect(verifyJwt(forge(header, `{"${name}":1e999}`), key, now)).toEqual({ error: 'malformed' })
  }
})

test('reports malformed tokens separately from wrong signatures', () => {
  const body = encode({ plan: 'pro' })
  const head = encode(header)
  const whole = `${head}.${body}.x`
  const texts = ['', '.', '..', '...', 'abc', head, `${head}.${body}`, `.${body}.x`, `${whole}.y`, 'a.b.c', '😀.😀.😀']
  texts.push(` ${whole}`, whole.replace('.', '=.'), whole.replace('.', '\n.'), `a+b/.${body}.x`)
  for (const text of texts) expect(verifyJwt(text, key, now)).toEqual({ error: 'malformed' })
  for (const start of ['', '"HS256"', '[]', 'null', '{"alg":', '\ufeff{"alg":"HS256"}']) {
    expect(verifyJwt(forge(start, {}), key, now)).toEqual({ error: 'malformed' })
  }
  for (const payload of ['', 'plan', '"plan"', '["plan"]', 'null', '7', '{"plan":']) {
    expect(verifyJwt(forge(header, payload), key, now)).toEqual({ error: 'malformed' })
  }
  const broken = `${head}.${Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url')}`
  const signature = createHmac('sha256', key).update(broken).digest('base64url')
  expect(verifyJwt(`${broken}.${signature}`, key, now)).toEqual({ error: 'malformed' })

  const fits = (length: number) => verifyJwt(signJwt({ text: 'x'.repeat(length) }, key), key, now)
  expect(fits(6000)).toHaveProperty('payload')
  expect(fits(6200)).toEqual({ error: 'malformed' })
})
