// Compiles each file of `src` to JavaScript for the tests, which load single modules.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './prepare.js'

const [, , target] = process.argv
const source = join(root, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

const modules = await rolldown({
  input: Object.fromEntries(files.map((name) => [name.slice(0, -'.ts'.length), join(source, name)])),
  platform: 'node',
  // The runtime that the bundler adds is not installed as a package.
  external: (id) => /^[@\w]/.test(id) && !id.startsWith('@oxc-project/runtime/'),
  treeshake: false,
  logLevel: 'warn',
})
await modules.write({
  dir: target,
  format: 'esm',
  sourcemap: true,
  preserveModules: true,
  preserveModulesRoot: source,
  entryFileNames: '[name].js',
})
await modules.close()
