import { isIPv4, isIPv6 } from 'node:net'

// Ranges that IANA lists as not globally reachable, and addresses that cloud providers use internally:
// https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry

const closedV4 = [
  '0.0.0.0/8', // this network, the unspecified address
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and a cloud metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // host agent of a cloud provider, at an address that looks public
  '169.254.0.0/16', // link-local, and the metadata service of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112 name servers for private reverse lookups
  '192.52.193.0/24', // automatic multicast tunneling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112 name servers for private reverse lookups
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** The only range allocated for public use; it excludes loopback, private, link-local and multicast addresses. */
const openV6 = '2000::/3'

const closedV6 = [
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112 name servers for private reverse lookups
  '3fff::/20', // documentation
]

/** Prefixes of IPv6 addresses whose last 32 bits contain an IPv4 address. */
const carriersOfV4 = ['::ffff:0:0/96', '64:ff9b::/96']

interface Range {
  first: bigint
  last: bigint
}

const v4Ranges = closedV4.map((range) => rangeOf(range, 32))
const v6Open = rangeOf(openV6, 128)
const v6Ranges = closedV6.map((range) => rangeOf(range, 128))
const v6Carriers = carriersOfV4.map((range) => rangeOf(range, 128))

/** Whether an IP address is reachable from the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(numberOfV4(address))
  // A zone id refers to a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  const number = numberOfV6(address)
  if (v6Carriers.some((range) => lies(number, range))) return isPublicV4(number & 0xffff_ffffn)
  return lies(number, v6Open) && !v6Ranges.some((range) => lies(number, range))
}

function isPublicV4(number: bigint): boolean {
  return !v4Ranges.some((range) => lies(number, range))
}

function lies(number: bigint, { first, last }: Range): boolean {
  return number >= first && number <= last
}

function rangeOf(notation: string, bits: 32 | 128): Range {
  const [address = '', length] = notation.split('/')
  const first = bits === 32 ? numberOfV4(address) : numberOfV6(address)
  return { first, last: first + (1n << BigInt(bits - Number(length))) - 1n }
}

function numberOfV4(address: string): bigint {
  return address.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n)
}

function numberOfV6(address: string): bigint {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...missing, ...after].reduce((number, group) => (number << 16n) | group, 0n)
}

/** Parses groups of 16 bits; an embedded IPv4 address at the end becomes two groups. */
function groupsOf(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return BigInt(`0x${group}`)
    const number = numberOfV4(group)
    return [number >> 16n, number & 0xffffn]
  })
}
