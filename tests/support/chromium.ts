import { existsSync } from 'node:fs'
import { join } from 'node:path'

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The Chromium of this machine, or the one that the environment names; undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  const folders = (process.env['PATH'] ?? '').split(':')
  const paths = programs.flatMap((name) => folders.map((folder) => join(folder, name)))
  return (named ? [named] : paths).find((path) => existsSync(path))
}
