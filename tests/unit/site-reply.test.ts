import { expect, test } from 'vitest'
import { redirectReply } from '../../src/site/reply.ts'

test.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['https://example.com/über/😀', 'https://example.com/%C3%BCber/%F0%9F%98%80'],
  ['/a\r\nset-cookie: b', '/a%0D%0Aset-cookie:%20b'],
  ['/half of a letter \ud83d', '/half%20of%20a%20letter%20%EF%BF%BD'],
])('redirectReply encodes the target as a valid Location header: %j', (written, sent) => {
  const { headers, status } = redirectReply(written)
  expect(new Response(null, { status, headers }).headers.get('location')).toBe(sent)
})
