import { invalid } from '../../kernel/errors.ts'
import { timestamp } from '../../kernel/time.ts'

/** Returns the expiry of a new token as it is stored, or undefined for none; fails if it is not in the future. */
export function parseTokenExpiry({ expiresAt }: { expiresAt?: string | undefined }, now: string): string | undefined {
  if (expiresAt === undefined) return undefined
  // Compared as times rather than strings, because a timestamp may omit its fraction of a second.
  const time = Date.parse(expiresAt)
  if (time <= Date.parse(now)) throw invalid('body.expiresAt', 'must be in the future')
  return timestamp(time)
}
