import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadableFiles } from '../resources/content/folder.ts'
import { root } from '../root.ts'

/** Folders of `docs` for developers of Octavo, which are not part of the manual. */
const developerFolders = new Set(['contributing', 'decisions'])

/** Reads the manual from the folder `docs` of the package; undefined if the installation does not include it. */
export function readManual(): ReadableFiles | undefined {
  const folder = fileURLToPath(new URL('docs', root))
  if (!existsSync(folder)) return undefined
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !developerFolders.has(path.split('/')[0] ?? ''))
    .sort()
  return { paths, read: (path) => readFileSync(join(folder, path)) }
}
