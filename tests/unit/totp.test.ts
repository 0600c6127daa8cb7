import { expect, test } from 'vitest'
import { computeTotpCode, createTotpUrl, findTotpStep } from '../../src/domain/accounts/totp.ts'

/** Base32 of the secret in appendix B of RFC 6238. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at second %i is that of RFC 6238', (second, code) => {
  expect(computeTotpCode(secret, second * 1000)).toBe(code)
  expect(findTotpStep(secret, code, second * 1000)).toBe(Math.floor(second / 30))
})

test('codes are accepted one step early or late, and with spaces', () => {
  const time = 1234567890_000
  const step = Math.floor(time / 30_000)
  expect(findTotpStep(secret, '005 924', time - 30_000)).toBe(step)
  expect(findTotpStep(secret, '005924', time + 30_000)).toBe(step)
  expect(findTotpStep(secret, '005924', time + 60_000)).toBeUndefined()
  for (const code of ['', '5924', '0059241', 'abcdef', '٠٠٥٩٢٤'])
    expect(findTotpStep(secret, code, time)).toBeUndefined()
})

test('the URL for apps escapes the names in it', () => {
  expect(createTotpUrl(secret, { issuer: 'Octavo (docs.example)', account: 'a&b@example.com' })).toBe(
    `otpauth://totp/Octavo%20(docs.example):a%26b%40example.com?secret=${secret}&issuer=Octavo%20%28docs.example%29`,
  )
})
