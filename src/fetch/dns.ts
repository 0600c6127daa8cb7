import { Resolver } from 'node:dns/promises'
import { seconds } from '../kernel/time.ts'

/** DNS client. Lookups fail with a `DnsError` if the name servers do not respond; missing names and records are not errors. */
export interface Dns {
  /** Returns the chain of CNAME targets of a name; undefined if the name does not exist. */
  resolveCnameChain(name: string): Promise<string[] | undefined>
  resolveTxtRecords(name: string): Promise<string[]>
}

export class DnsError extends Error {
  constructor(cause: unknown) {
    super('The name servers did not respond', { cause })
    this.name = 'DnsError'
  }
}

/** Maximum length of a CNAME chain; real chains have two or three aliases. */
const maxAliases = 8
const queryTimeout = seconds(2)
/** Timeout in milliseconds for a whole chain, whose name servers may all be slow. */
const chainTimeout = seconds(8)

/** Creates a DNS client. `servers`: IP addresses of name servers with optional ports; empty for those of the system. */
export function createDns({ servers }: { servers: readonly string[] }): Dns {
  const resolver = new Resolver({ timeout: queryTimeout, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  const resolveCname = async (name: string): Promise<string | null | undefined> => {
    try {
      const [alias] = await resolver.resolveCname(name)
      return alias?.toLowerCase() ?? null
    } catch (error) {
      if (hasErrorCode(error, 'ENODATA')) return null
      if (hasErrorCode(error, 'ENOTFOUND')) return undefined
      throw new DnsError(error)
    }
  }

  return {
    async resolveCnameChain(name) {
      const first = await resolveCname(name)
      if (first === undefined) return undefined
      const aliases: string[] = []
      const deadline = performance.now() + chainTimeout
      for (let next: string | null = first; next !== null; next = (await resolveCname(next)) ?? null) {
        if (aliases.includes(next) || aliases.length === maxAliases) break
        if (performance.now() > deadline) throw new DnsError('The DNS lookup timed out')
        aliases.push(next)
      }
      return aliases
    },
    async resolveTxtRecords(name) {
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      } catch (error) {
        if (hasErrorCode(error, 'ENODATA') || hasErrorCode(error, 'ENOTFOUND')) return []
        throw new DnsError(error)
      }
    },
  }
}

const hasErrorCode = (error: unknown, code: string): boolean => (error as { code?: unknown }).code === code
