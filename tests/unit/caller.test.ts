import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddress, networkOf } from '../../src/http/caller-address.ts'

const request = (forwarded: string | undefined) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage

test.each([
  [0, '192.0.2.1', '10.0.0.1'],
  [1, '192.0.2.1', '192.0.2.1'],
  [1, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
  [2, '203.0.113.9, 192.0.2.1', '203.0.113.9'],
  [1, undefined, '10.0.0.1'],
  [1, '', '10.0.0.1'],
])('behind %i proxies, X-Forwarded-For "%s" means the caller %s', (proxies, forwarded, address) => {
  expect(callerAddress(request(forwarded), proxies)).toBe(address)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['a:b', 'a:b'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
