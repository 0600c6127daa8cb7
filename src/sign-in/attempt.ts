import type { Attempt } from '../domain/accounts/attempts.ts'
import { isKnownBrowser } from '../domain/accounts/known-browsers.ts'
import type { PageContext } from './context.ts'

/**
 * Returns the attempt of a request at an account, as it was named. The same queries run for an unknown account, so that the time does
 * not reveal whether it exists.
 */
export async function createAttempt(
  { database, browserId, request }: PageContext,
  kind: string,
  account: string,
  userId: string | undefined,
): Promise<Attempt> {
  const isKnown = await isKnownBrowser(database.reader, userId ?? '', browserId)
  return { kind, account, network: request.clientNetwork, knownBrowser: isKnown ? browserId : undefined }
}
