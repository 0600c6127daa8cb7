#!/usr/bin/env node
// Command line of a checkout: prepares it if necessary, then runs the built program.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(`Octavo needs Node.js 20.20 or newer; this is ${process.version}.`)
  process.exit(1)
}

const { ensureBuilt, ensureInstalled, root } = await import('./prepare.js')
// A package without sources, for example in a container image, is already built and installed.
if (existsSync(join(root, 'src'))) {
  ensureInstalled()
  ensureBuilt()
}
await import('../dist/octavo.js')
