// Bundles the server with its worker threads, and the scripts and styles of published sites.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'
import { rolldown } from 'rolldown'
import { root } from './prepare.js'

const [, , target] = process.argv

/** Entry points; all other modules are in shared chunks. */
const programs = {
  octavo: 'cli/main.ts',
  openapi: 'http/openapi.ts',
  'highlight-worker': 'highlight/highlight-worker.ts',
  'parse-worker': 'parsing/parse-worker.ts',
  'openapi-worker': 'parsing/openapi-worker.ts',
  'saml-worker': 'parsing/saml-worker.ts',
  'formula-worker': 'formulas/formula-worker.ts',
  'sqlite-worker': 'storage/sqlite-worker.ts',
  'drawing-worker': 'site/pictures/drawing-worker.ts',
  'typst-worker': 'typesetting/typst-worker.ts',
}
/**
 * Packages that are bundled: they have hundreds of files, and loading these one by one would take half of the start time; and the
 * runtime that the bundler adds.
 */
const bundledPackages = ['kysely', 'zod', 'hono', '@hono/node-server', '@oxc-project/runtime']
const isBundled = (id) => bundledPackages.some((name) => id === name || id.startsWith(`${name}/`))

const server = await rolldown({
  input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, 'src', file)])),
  platform: 'node',
  external: (id) => /^[@\w]/.test(id) && !isBundled(id),
  logLevel: 'warn',
})
await server.write({ dir: target, format: 'esm', sourcemap: true })
await server.close()

const pageAssets = join(target, 'assets')
mkdirSync(pageAssets, { recursive: true })
const entries = ['site', 'search', 'mermaid', 'try-it', 'passkeys', 'editor-bar']
/** Minimum browser versions: those that support `light-dark()`, which the styles use. */
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

/** Converts icons to their shapes, without the element around them and the invisible frame. */
const inlineIcons = {
  name: 'inline-icons',
  load: {
    filter: { id: /\.svg$/ },
    handler(id) {
      const shapes = /<svg[^>]*>([^]*)<\/svg>/.exec(readFileSync(id, 'utf8'))[1]
      const text = shapes
        .replace(/<path stroke="none"[^>]*>/, '')
        .replace(/\s*\n\s*/g, '')
        .replaceAll(' />', '/>')
      return { code: `export default ${JSON.stringify(text)}`, moduleType: 'js' }
    },
  },
}

const app = await rolldown({
  input: { app: join(root, 'src', 'app', 'main.tsx') },
  platform: 'browser',
  tsconfig: join(root, 'src', 'app', 'tsconfig.json'),
  plugins: [inlineIcons],
  treeshake: true,
  logLevel: 'warn',
})
const { output } = await app.write({
  dir: join(pageAssets, 'app'),
  format: 'esm',
  minify: true,
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    groups: [
      { name: 'shared', test: /src\/app\//, minShareCount: 12, priority: 1 },
      // Each request costs more than what a screen does not use of small modules.
      {
        name: 'small',
        test: /src\/.*\/(?:can-edit-live|formatting-tags|escape-pattern|image-data|limit-lines|open-menu)\.ts$/,
      },
    ],
  },
})
await app.close()
const entry = output.find(({ isEntry }) => isEntry)
// The page of the app loads the modules that its entry imports together with it, and those of the screen of its address.
const screens = (await readScreenRoutes()).map(({ paths, source }) => ({ paths, modules: findModules(source) }))
const visualEditor = findModules(join(root, 'src', 'app', 'editor', 'visual-editor.tsx'))
writeFileSync(
  join(pageAssets, 'app', 'entry.json'),
  JSON.stringify({ file: entry.fileName, imports: entry.imports, screens, visualEditor }),
)

/** Returns the modules that a source file needs besides the entry of the app. */
function findModules(source) {
  const { fileName } = output.find(({ facadeModuleId }) => facadeModuleId === source)
  const loaded = new Set([entry.fileName, ...entry.imports])
  return [...collectImports(fileName)].filter((name) => !loaded.has(name))
}

/** Returns the addresses of all screens, each with the file that contains the screen. */
async function readScreenRoutes() {
  const folder = join(root, 'src', 'app')
  const bundle = await rolldown({ input: join(folder, 'routes.ts'), external: (id) => !id.endsWith('/routes.ts') })
  const { output: chunks } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const { routes } = await import(`data:text/javascript,${encodeURIComponent(chunks[0].code)}`)
  return routes.map(({ paths, load }) => ({
    paths,
    source: join(folder, /import\(["'](.*)["']\)/.exec(String(load))[1]),
  }))
}

/** Returns a module of the app and all modules that it imports. */
function collectImports(fileName, found = new Set()) {
  if (found.has(fileName)) return found
  found.add(fileName)
  for (const name of output.find((chunk) => chunk.fileName === fileName)?.imports ?? []) collectImports(name, found)
  return found
}

const assets = join(root, 'assets')
const parts = readdirSync(join(assets, 'site')).filter((name) => name.endsWith('.css'))
const styles = {
  // `site` is loaded by every page, the others only by some.
  site: parts.sort().map((name) => join('site', name)),
  search: ['search.css'],
  openapi: ['openapi.css'],
  'try-it': ['try-it.css'],
  'sign-in': ['sign-in.css'],
  // Pages look the same in the app as on a site.
  app: [
    ...parts.filter((name) => /^(?:25|3\d|5\d|65)-/.test(name)).map((name) => join('site', name)),
    'openapi.css',
    ...readdirSync(join(assets, 'app'))
      .sort()
      .map((name) => join('app', name)),
  ],
}
for (const [name, files] of Object.entries(styles)) {
  const text = files.map((file) => readFileSync(join(assets, file), 'utf8')).join('\n')
  const { code } = transform({ filename: `${name}.css`, code: Buffer.from(text), minify: true, targets: browsers })
  writeFileSync(join(pageAssets, `${name}.css`), code)
}
