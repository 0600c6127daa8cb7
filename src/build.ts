import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Build {
  version: string
  /** When it was built. */
  builtAt: string
}

/** Which version this is. The package lies one level above, whether the sources run or what was built of them. */
export function readBuild(): Build {
  const manifest = fileURLToPath(new URL('../package.json', import.meta.url))
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return { version, builtAt: statSync(fileURLToPath(import.meta.url)).mtime.toISOString() }
}
