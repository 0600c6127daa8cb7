import { isDeepStrictEqual } from 'node:util'
import type { Route } from '../kernel/implement.ts'

/** Fails unless a reply has exactly the fields and values that the contract of its operation declares. */
export function checkReply({ name, operation: { reply } }: Pick<Route, 'name' | 'operation'>, value: unknown): void {
  if (!reply) {
    if (value !== undefined) throw new Error(`${name} has no reply in its contract, but gave one`)
    return
  }
  const sent: unknown = JSON.parse(JSON.stringify(value))
  const declared: unknown = JSON.parse(JSON.stringify(reply.parse(sent)))
  if (isDeepStrictEqual(sent, declared)) return
  const [left, right] = [sent, declared].map((part) => JSON.stringify(part))
  throw new Error(`${name} replied what its contract does not declare: ${left} instead of ${right}`)
}
