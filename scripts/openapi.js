// Writes openapi.json from the contract, or checks that the committed file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './prepare.js'

ensureInstalled()
ensureBuilt()
const { openApiDocument } = await import('../dist/openapi.js')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const file = join(root, 'openapi.json')
const fresh = `${JSON.stringify(openApiDocument({ version, server: '/v1' }), null, 2)}\n`
if (process.argv.includes('--write')) {
  writeFileSync(file, fresh)
} else if (readFileSync(file, 'utf8') !== fresh) {
  console.error('openapi.json is not what the contract says: run `npm run openapi` and commit it.')
  process.exit(1)
}
