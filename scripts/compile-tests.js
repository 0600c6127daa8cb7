// Compiles `src` to JavaScript for the tests, which import single modules: each is a small file that exports from one large file,
// because loading a thousand files takes twice as long.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './prepare.js'

const [, , target] = process.argv
const source = join(root, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** Packages with hundreds of files, which take long to load one by one, and the runtime that the bundler adds. */
const bundledPackages = ['kysely', 'zod', 'hono', '@hono/node-server', '@oxc-project/runtime', 'yaml']
const isBundled = (id) => bundledPackages.some((name) => id === name || id.startsWith(`${name}/`))
/** Programs and worker threads start when they are loaded; the app and scripts of pages are loaded by few tests. */
const isSeparate = (id) => /-worker\.ts$|\/src\/(?:cli\/main\.ts|app\/|browser\/)/.test(id)

const modules = await rolldown({
  input: Object.fromEntries(files.map((name) => [name.slice(0, -'.ts'.length), join(source, name)])),
  platform: 'node',
  external: (id) => /^[@\w]/.test(id) && !isBundled(id),
  treeshake: false,
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
})
await modules.write({
  dir: target,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  codeSplitting: { groups: [{ name: 'server', test: (id) => !isSeparate(id) }] },
})
await modules.close()
