import { root } from '../root.ts'

/**
 * Returns the URL of the bundled file of a worker thread: Node.js runs no TypeScript in a thread, so tests use the
 * built file too.
 */
export const workerUrl = (name: string): URL => new URL(`dist/${name}.js`, root)
