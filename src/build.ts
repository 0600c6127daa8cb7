import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { root } from './root.ts'

export interface Build {
  version: string
  /** When it was built. */
  builtAt: string
}

/** Which version this is. */
export function readBuild(): Build {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  return { version, builtAt: statSync(fileURLToPath(import.meta.url)).mtime.toISOString() }
}
