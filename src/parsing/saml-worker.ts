import type { AssertionContent } from '../saml/assertion.ts'
import { SamlError } from '../saml/error.ts'
import { type ResponseExpectation, verifyResponse } from '../saml/response.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread, because verifying the largest message takes longer than the main thread may be blocked.

export interface SamlTask {
  /** Value of the form field `SAMLResponse`. */
  encoded: string
  expected: ResponseExpectation
}

export type SamlResult = { content: AssertionContent } | { refused: string }

serveTasks<SamlTask, SamlResult>({
  async run({ encoded, expected }) {
    try {
      return { content: await verifyResponse(encoded, expected) }
    } catch (error) {
      if (error instanceof SamlError) return { refused: error.message }
      throw error
    }
  },
})
