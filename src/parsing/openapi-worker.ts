import { type LoadedFile, SpecLoadError } from '../openapi/bundle.ts'
import { toStoredOutline } from '../openapi/former-paths.ts'
import { SpecError, type SpecFormat } from '../openapi/parse.ts'
import { formatProblem } from '../openapi/problem.ts'
import { processSpec } from '../openapi/process.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread. Other files of a specification are fetched by the caller.

export interface SpecTask {
  text: string
  /** Address of the text, the base of relative references; undefined if it has none. */
  url: string | undefined
  /** Current time. */
  now: string
  /** Outline of the latest version, as JSON. */
  previousOutline?: string | undefined
}

export type SpecResult =
  | { kind: 'done'; document: string; outline: string; format: SpecFormat; problems: string[] }
  | { kind: 'failed'; cause: 'text' | 'timeout' | 'error'; problems: string[] }

serveTasks<SpecTask, SpecResult, readonly string[], readonly LoadedFile[]>({
  async run({ text, url, now, previousOutline }, ask) {
    try {
      const { document, outline, format, problems } = await processSpec(text, { url, load: ask, now })
      const stored = JSON.stringify(toStoredOutline(outline, previousOutline))
      return { kind: 'done', document, outline: stored, format, problems: problems.map(formatProblem) }
    } catch (error) {
      if (error instanceof SpecError)
        return { kind: 'failed', cause: 'text', problems: error.problems.map(formatProblem) }
      if (error instanceof SpecLoadError)
        return { kind: 'failed', cause: error.failure, problems: [formatProblem(error.problem)] }
      throw error
    }
  },
})
