/**
 * The file that a worker thread starts with, named as it lies in the build beside the module that asks.
 * Node runs no TypeScript in a thread, so from sources it is the one that was built from them.
 */
export function workerFile(name: string, askedBy: string): URL {
  const beside = askedBy.endsWith('.ts') ? askedBy.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : askedBy
  return new URL(`./${name}.js`, beside)
}
