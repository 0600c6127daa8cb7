import { Resolver } from 'node:dns/promises'
import { seconds } from '../kernel/time.ts'

/** Asks name servers. What they do not answer is a DnsError; what they say is not there is no failure. */
export interface Dns {
  /** The names that a name leads to, one after the other; undefined when there is no such name. */
  aliasesOf(name: string): Promise<string[] | undefined>
  textsOf(name: string): Promise<string[]>
}

export class DnsError extends Error {
  constructor(cause: unknown) {
    super('The name servers did not respond', { cause })
    this.name = 'DnsError'
  }
}

/** A chain of aliases in earnest has two or three. */
const maxAliases = 8
const timeout = seconds(2)
/** For a whole chain, each of whose name servers may be slow. */
const patience = seconds(8)

/** `servers`: the ones to ask, as addresses with or without ports; else those of this machine. */
export function createDns({ servers }: { servers: readonly string[] }): Dns {
  const resolver = new Resolver({ timeout, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  const aliasOf = async (name: string): Promise<string | null | undefined> => {
    try {
      const [alias] = await resolver.resolveCname(name)
      return alias?.toLowerCase() ?? null
    } catch (error) {
      if (isCode(error, 'ENODATA')) return null
      if (isCode(error, 'ENOTFOUND')) return undefined
      throw new DnsError(error)
    }
  }

  return {
    async aliasesOf(name) {
      const first = await aliasOf(name)
      if (first === undefined) return undefined
      const aliases: string[] = []
      const deadline = performance.now() + patience
      for (let next: string | null = first; next !== null; next = (await aliasOf(next)) ?? null) {
        if (aliases.includes(next) || aliases.length === maxAliases) break
        if (performance.now() > deadline) throw new DnsError('The DNS lookup timed out')
        aliases.push(next)
      }
      return aliases
    },
    async textsOf(name) {
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      } catch (error) {
        if (isCode(error, 'ENODATA') || isCode(error, 'ENOTFOUND')) return []
        throw new DnsError(error)
      }
    },
  }
}

const isCode = (error: unknown, code: string): boolean => (error as { code?: unknown }).code === code
