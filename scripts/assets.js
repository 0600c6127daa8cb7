// Makes the scripts and styles of published sites: each entry one small file, all styles one.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'
import { rolldown } from 'rolldown'
import { root } from './prepare.js'

const [, , target] = process.argv
const entries = ['site', 'search', 'mermaid']
/** Styles use `light-dark()`, so what is older than that is not provided for. */
const browsers = { chrome: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) }

for (const name of entries) {
  const bundle = await rolldown({
    input: join(root, 'src', 'browser', `${name}.ts`),
    treeshake: true,
    logLevel: 'warn',
  })
  await bundle.write({ file: join(target, `${name}.js`), format: 'esm', minify: true, codeSplitting: false })
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
  writeFileSync(join(target, `${name}.css`), code)
}
