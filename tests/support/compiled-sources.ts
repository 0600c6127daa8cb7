import { spawnSync } from 'node:child_process'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'src') + sep
const compiled = join(root, 'dist-tests') + sep

/**
 * Plugin of Vitest: compiles `src` and lets Node.js load the result. Otherwise every worker would load a thousand modules through Vite,
 * which takes longer than most test files. In watch mode Vite loads the sources, so that it notices changes.
 */
export function compiledSources(): Plugin {
  let isEnabled = false
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { external: [/\/dist-tests\//] } } } }),
    configureVitest({ vitest }) {
      if (vitest.config.watch) return
      isEnabled = true
      const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--tests'], {
        stdio: ['ignore', 2, 2],
      })
      if (status !== 0) throw new Error('The sources could not be built')
    },
    resolveId(id, importer) {
      if (!isEnabled || importer === undefined || !id.startsWith('.') || !id.endsWith('.ts')) return undefined
      const file = resolve(dirname(importer), id)
      if (!file.startsWith(source)) return undefined
      return join(compiled, `${relative(source, file).slice(0, -'.ts'.length)}.js`)
    },
  }
}
