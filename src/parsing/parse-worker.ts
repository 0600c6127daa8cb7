import { randomUUID } from 'node:crypto'
import { type DeferredPage, readDeferred } from '../content/markdown/deferred.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread. The tree is not available here, so the caller resolves the destinations of links.
// JSON is parsed in a third of the time of a structured clone, and canonical JSON is stored without sorting.

export interface ParseTask {
  text: string
}

// Nobody can write a text that holds it.
const prefix = randomUUID().replaceAll('-', '')

serveTasks<ParseTask, DeferredPage>({ run: ({ text }) => readDeferred(text, prefix) })
