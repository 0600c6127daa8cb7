import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadableFiles } from './resources/content/folder.ts'
import { root } from './root.ts'

/**
 * The manual of this server, which is Markdown itself. It lies beside the sources, and beside what was built of them;
 * undefined where somebody left it out.
 */
export function readManual(): ReadableFiles | undefined {
  const folder = fileURLToPath(new URL('docs', root))
  if (!existsSync(folder)) return undefined
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll(sep, '/'))
    .sort()
  return { paths, read: (path) => readFileSync(join(folder, path)) }
}
