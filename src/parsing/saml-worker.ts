import type { AssertionContent } from '../saml/assertion.ts'
import { SamlError } from '../saml/error.ts'
import type { LogoutExpectation, LogoutRequest } from '../saml/logout.ts'
import { verifyPostedLogoutRequest } from '../saml/posted-logout.ts'
import { type ResponseExpectation, verifyResponse } from '../saml/response.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread, because verifying the largest message takes longer than the main thread may be blocked.

/** Message of the POST binding: the value of the form field, and the expected values. */
export type SamlTask =
  | { kind: 'response'; encoded: string; expected: ResponseExpectation }
  | { kind: 'logout'; encoded: string; expected: LogoutExpectation }

export type SamlResult = { response: AssertionContent } | { logout: LogoutRequest } | { refused: string }

serveTasks<SamlTask, SamlResult>({
  async run(task) {
    try {
      return task.kind === 'response'
        ? { response: await verifyResponse(task.encoded, task.expected) }
        : { logout: await verifyPostedLogoutRequest(task.encoded, task.expected) }
    } catch (error) {
      if (error instanceof SamlError) return { refused: error.message }
      throw error
    }
  },
})
