import { isIPv4, isIPv6 } from 'node:net'

// Ranges that IANA lists as not globally reachable, and addresses that cloud providers use internally:
// https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry

const nonPublicV4 = [
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
const publicV6 = '2000::/3'

const nonPublicV6 = [
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112 name servers for private reverse lookups
  '3fff::/20', // documentation
]

/** Prefixes of IPv6 addresses whose last 32 bits contain an IPv4 address. */
const v4EmbeddingPrefixes = ['::ffff:0:0/96', '64:ff9b::/96']

interface AddressRange {
  first: bigint
  last: bigint
}

const nonPublicV4Ranges = nonPublicV4.map((range) => parseCidr(range, 32))
const publicV6Range = parseCidr(publicV6, 128)
const nonPublicV6Ranges = nonPublicV6.map((range) => parseCidr(range, 128))
const v4EmbeddingRanges = v4EmbeddingPrefixes.map((range) => parseCidr(range, 128))

/** Whether an IP address is reachable from the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(parseV4(address))
  // A zone id refers to a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  const number = parseV6(address)
  if (v4EmbeddingRanges.some((range) => isInRange(number, range))) return isPublicV4(number & 0xffff_ffffn)
  return isInRange(number, publicV6Range) && !nonPublicV6Ranges.some((range) => isInRange(number, range))
}

function isPublicV4(number: bigint): boolean {
  return !nonPublicV4Ranges.some((range) => isInRange(number, range))
}

function isInRange(number: bigint, { first, last }: AddressRange): boolean {
  return number >= first && number <= last
}

function parseCidr(notation: string, bits: 32 | 128): AddressRange {
  const [address = '', length] = notation.split('/')
  const first = bits === 32 ? parseV4(address) : parseV6(address)
  return { first, last: first + (1n << BigInt(bits - Number(length))) - 1n }
}

function parseV4(address: string): bigint {
  return address.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n)
}

function parseV6(address: string): bigint {
  const [head = '', tail] = address.split('::')
  const before = parseV6Groups(head)
  const after = parseV6Groups(tail ?? '')
  const missing = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...missing, ...after].reduce((number, group) => (number << 16n) | group, 0n)
}

/** Parses groups of 16 bits; an embedded IPv4 address at the end becomes two groups. */
function parseV6Groups(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return BigInt(`0x${group}`)
    const number = parseV4(group)
    return [number >> 16n, number & 0xffffn]
  })
}
