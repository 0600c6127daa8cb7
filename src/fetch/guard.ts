import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type LookupFunction, isIP } from 'node:net'
import { callbackify } from 'node:util'
import { isPublicAddress } from './ip-addresses.ts'
import { FetchError } from './errors.ts'

/** Resolves a host name to all of its IP addresses. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>

export interface GuardOptions {
  /** Allows private IP addresses. */
  allowPrivateNetwork: boolean
  resolve?: ResolveHost
  isPublic?: (address: string) => boolean
}

/** Restricts the targets of requests. */
export interface Guard {
  /** Parses and checks a URL; the IP addresses of a host name are checked by `lookup`. */
  check(address: string, base?: URL): URL
  /** Lookup function for sockets that returns only checked IP addresses, so that a socket cannot connect to any other. */
  lookup: LookupFunction
}

export function createGuard(options: GuardOptions): Guard {
  const { allowPrivateNetwork, resolve = resolveWithSystem, isPublic = isPublicAddress } = options
  const isAllowedAddress = (address: string) => allowPrivateNetwork || isPublic(address)

  const resolveAllowed = async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw hostError(cause)
    })
    // A name with both public and private addresses is rejected, as it indicates an attack.
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowedAddress(address))) throw hostError()
    return addresses
  }

  return {
    check(address, base) {
      const url = parseUrl(address, base)
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new FetchError('address', 'The URL must begin with http:// or https://')
      if (url.username !== '' || url.password !== '')
        throw new FetchError('address', 'The URL must not contain a user name or a password')
      const host = hostOf(url)
      if (isIP(host) !== 0 ? !isAllowedAddress(host) : isLocalName(host) && !allowPrivateNetwork) throw hostError()
      return url
    },
    lookup(hostname, { all }, callback) {
      callbackify(resolveAllowed)(hostname, (error, addresses) => {
        const [first] = addresses ?? []
        if (!first) callback(error, '')
        else if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}

/** Same error for missing and for private hosts, so that private names cannot be discovered. */
function hostError(cause?: unknown): FetchError {
  return new FetchError(
    'host',
    'The host was not found or has a private address. Set OCTAVO_ALLOW_PRIVATE_NETWORK on the server to allow private addresses',
    cause,
  )
}

function parseUrl(address: string, base: URL | undefined): URL {
  try {
    return new URL(address, base)
  } catch (cause) {
    throw new FetchError('address', 'The URL is not valid', cause)
  }
}

/** Returns the host name or IP address without brackets and trailing dots. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/** Whether a name refers to this machine by convention, independent of the resolver. */
function isLocalName(host: string): boolean {
  return /(^|\.)localhost$|^localhost\.localdomain$|^(ip6-)?(localhost|loopback)$/.test(host)
}

function resolveWithSystem(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}
