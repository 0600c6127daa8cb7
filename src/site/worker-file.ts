import { root } from '../root.ts'

/** The file that a worker thread starts with. Node runs no TypeScript in a thread, so from sources too it is the built one. */
export const workerFile = (name: string): URL => new URL(`dist/${name}.js`, root)
