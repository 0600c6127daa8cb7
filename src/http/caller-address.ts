import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** Returns the client address of a request, as the outermost trusted proxy reported it. */
export function callerAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded =
    trustedProxies > 0
      ? (headers['x-forwarded-for'] ?? '')
          .toString()
          .split(',')
          .map((part) => part.trim())
      : []
  return forwarded.at(-trustedProxies) || (socket.remoteAddress ?? 'unknown')
}

/** Returns the /64 network of an IPv6 address, because one client can use all of it, or an IPv4 address unchanged. */
export function networkOf(address: string): string {
  // The check for IPv6 is a long regular expression, and this runs several times for each request.
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const allGroups = tail === undefined ? groups : [...groups, ...zeros(8 - groups.length - after.length), ...after]
  return `${allGroups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const zeros = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '0')
