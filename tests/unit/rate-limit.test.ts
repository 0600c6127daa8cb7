import { expect, test } from 'vitest'
import { RateLimit } from '../../src/http/rate-limit.ts'
import { minutes, seconds } from '../../src/kernel/time.ts'
import { TestClock } from '../support/server.ts'

function count(limit: RateLimit, caller: string): { headers: Record<string, string>; error?: unknown } {
  const headers: Record<string, string> = {}
  try {
    limit.count(caller, headers)
    return { headers }
  } catch (error) {
    return { headers, error }
  }
}

test('limits the requests of a caller per minute and reports how many remain', () => {
  const clock = new TestClock()
  const limit = new RateLimit(3, clock.now)
  const left = [1, 2, 3].map(() => count(limit, 'a').headers['x-ratelimit-remaining'])
  expect(left).toEqual(['2', '1', '0'])

  clock.advance(seconds(20))
  const refused = count(limit, 'a')
  expect(refused.error).toMatchObject({ code: 'rateLimited', status: 429 })
  expect(refused.headers).toMatchObject({
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '0',
    'retry-after': '40',
    'x-ratelimit-reset': String(Date.parse('2026-01-01T00:01:00.000Z') / 1000),
  })
  expect(count(limit, 'b')).toMatchObject({ headers: { 'x-ratelimit-remaining': '2' } })

  clock.advance(seconds(40))
  expect(count(limit, 'a')).toMatchObject({ headers: { 'x-ratelimit-remaining': '2' } })
})

test('accepts a request after the time in Retry-After', () => {
  const clock = new TestClock()
  const limit = new RateLimit(1, clock.now)
  count(limit, 'a')
  for (let round = 0; round < 5; round++) {
    clock.advance(seconds(7))
    const { headers, error } = count(limit, 'a')
    expect(error).toBeDefined()
    clock.advance(seconds(Number(headers['retry-after'])))
    expect(count(limit, 'a').error).toBeUndefined()
  }
})

test('a limit of 0 allows any number of requests and sends no headers', () => {
  const clock = new TestClock()
  const limit = new RateLimit(0, clock.now)
  for (let request = 0; request < 1000; request++) expect(count(limit, 'a')).toEqual({ headers: {} })
  clock.advance(minutes(1))
  expect(count(limit, 'a')).toEqual({ headers: {} })
})
