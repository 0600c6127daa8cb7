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

const folder = join(root, 'assets', 'site')
const styles = readdirSync(folder)
  .filter((name) => name.endsWith('.css'))
  .sort()
  .map((name) => readFileSync(join(folder, name), 'utf8'))
const { code } = transform({
  filename: 'site.css',
  code: Buffer.from(styles.join('\n')),
  minify: true,
  targets: browsers,
})
writeFileSync(join(target, 'site.css'), code)
