import { root } from '../root.ts'

/** The bundled file that a worker thread starts with: Node.js runs no TypeScript in a thread, so tests use the built file too. */
export const workerFile = (name: string): URL => new URL(`dist/${name}.js`, root)
