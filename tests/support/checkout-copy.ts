import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { shortManual } from './short-manual.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a built checkout that differs from this one by its short manual. */
    checkoutCopy: string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Global setup of Vitest: builds the sources before the tests are timed, and copies the files for starting processes. */
export default function setup(project: TestProject): () => void {
  if (spawnSync(process.execPath, [join(root, 'scripts/build.js')], { stdio: ['ignore', 2, 2] }).status !== 0) {
    throw new Error('The sources could not be built')
  }
  const copy = mkdtempSync(join(tmpdir(), 'octavo-checkout-'))
  // Copies instead of links, because modules resolve files beside them by their real path.
  for (const name of ['scripts', 'dist', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  for (const name of ['src', 'assets', 'node_modules']) symlinkSync(join(root, name), join(copy, name))
  mkdirSync(join(copy, 'docs'))
  for (const [path, text] of Object.entries(shortManual)) writeFileSync(join(copy, 'docs', path), text)
  project.provide('checkoutCopy', copy)
  return () => rmSync(copy, { recursive: true, force: true })
}
