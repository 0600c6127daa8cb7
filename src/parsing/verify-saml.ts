import { BusyError } from '../kernel/errors.ts'
import type { AssertionContent } from '../saml/assertion.ts'
import { SamlError } from '../saml/error.ts'
import type { LogoutExpectation, LogoutRequest } from '../saml/logout.ts'
import type { ResponseExpectation } from '../saml/response.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import type { SamlResult, SamlTask } from './saml-worker.ts'

/** One thread is sufficient for sign-ins, and limits the cost of unauthenticated requests. */
const pool = new ThreadPool<SamlTask, SamlResult>({
  file: 'saml-worker',
  threads: 1,
  maxWaiting: 20,
  loadTimeout: 20_000,
  taskTimeout: 10_000,
  idleTimeout: 60_000,
  memory: 128,
})

/** Verifies a response in a worker thread; throws a `SamlError` if it is not accepted. */
export async function verifySamlResponse(encoded: string, expected: ResponseExpectation): Promise<AssertionContent> {
  const result = await runTask({ kind: 'response', encoded, expected })
  if ('response' in result) return result.response
  throw new Error('The thread has verified another message')
}

/** Verifies a logout request of the POST binding in a worker thread; throws a `SamlError` if it is not accepted. */
export async function verifySamlLogout(encoded: string, expected: LogoutExpectation): Promise<LogoutRequest> {
  const result = await runTask({ kind: 'logout', encoded, expected })
  if ('logout' in result) return result.logout
  throw new Error('The thread has verified another message')
}

async function runTask(task: SamlTask): Promise<Exclude<SamlResult, { refused: string }>> {
  try {
    const result = await pool.run(task)
    if ('refused' in result) throw new SamlError(result.refused)
    return result
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error
    if (error.code === 'failed') throw new Error(`Verification failed in a thread: ${error.message}`, { cause: error })
    if (error.code === 'timeout' || error.code === 'crashed')
      throw new SamlError('The message takes too long or too much memory to verify')
    throw new BusyError('unavailable', 'Too many people are signing in at the same time. Try again in a few seconds', 5)
  }
}
