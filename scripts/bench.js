// Runs one of the benchmarks in bench/, or lists them.
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './prepare.js'

const benchmarks = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const name = process.argv[2]
if (!benchmarks.includes(name)) {
  console.log('Usage: npm run bench -- <name>\n')
  for (const known of benchmarks) console.log(`  ${known.padEnd(10)} ${summaryOf(known)}`)
  process.exit(name === undefined ? 0 : 1)
}

ensureInstalled()
ensureBuilt()
run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.bench.json'])
process.chdir(root)
// Worker threads are started from the built files, which are expected beside the sources.
if (!existsSync('dist-bench/dist')) symlinkSync(join('..', 'dist'), 'dist-bench/dist', 'dir')
await import(`../dist-bench/bench/${name}.js`)

/** Returns the first comment of a benchmark. */
function summaryOf(benchmark) {
  return /^\/\/ (.*)/.exec(readFileSync(join(root, 'bench', `${benchmark}.ts`), 'utf8'))?.[1] ?? ''
}
