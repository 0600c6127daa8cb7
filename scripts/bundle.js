// Makes what runs: the server with its threads, and the scripts and styles of published sites.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'
import { rolldown } from 'rolldown'
import { root } from './prepare.js'

const [, , target] = process.argv

/** What is started by its name; all else is in files that these share. */
const programs = {
  octavo: 'cli/main.ts',
  openapi: 'http/openapi.ts',
  'highlight-worker': 'highlight/highlight-worker.ts',
  'parse-worker': 'parsing/parse-worker.ts',
  'formula-worker': 'site/formulas/formula-worker.ts',
  'sqlite-worker': 'storage/sqlite-worker.ts',
  'drawing-worker': 'site/pictures/drawing-worker.ts',
}
/** Packages of hundreds of files, which would take half of a start to load one by one; and what the bundler adds itself. */
const takenIn = ['kysely', 'zod', 'hono', '@hono/node-server', '@oxc-project/runtime']
const isTakenIn = (id) => takenIn.some((name) => id === name || id.startsWith(`${name}/`))

const server = await rolldown({
  input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, 'src', file)])),
  platform: 'node',
  external: (id) => /^[@\w]/.test(id) && !isTakenIn(id),
  logLevel: 'warn',
})
await server.write({ dir: target, format: 'esm', sourcemap: true })
await server.close()

const pageAssets = join(target, 'assets')
mkdirSync(pageAssets, { recursive: true })
const entries = ['site', 'search', 'mermaid']
/** Styles use `light-dark()`, so what is older than that is not provided for. */
const browsers = { chrome: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) }

for (const name of entries) {
  const bundle = await rolldown({
    input: join(root, 'src', 'browser', `${name}.ts`),
    treeshake: true,
    logLevel: 'warn',
  })
  await bundle.write({ file: join(pageAssets, `${name}.js`), format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
}

const assets = join(root, 'assets')
const parts = readdirSync(join(assets, 'site')).filter((name) => name.endsWith('.css'))
const styles = {
  // What every page needs, and what only some do.
  site: parts.sort().map((name) => join('site', name)),
  search: ['search.css'],
  reference: ['reference.css'],
}
for (const [name, files] of Object.entries(styles)) {
  const text = files.map((file) => readFileSync(join(assets, file), 'utf8')).join('\n')
  const { code } = transform({ filename: `${name}.css`, code: Buffer.from(text), minify: true, targets: browsers })
  writeFileSync(join(pageAssets, `${name}.css`), code)
}
