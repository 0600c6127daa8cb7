import { ensureBuilt, ensureInstalled, ensureTestsBuilt } from './prepare.js'

ensureInstalled()
ensureBuilt()
if (process.argv.includes('--tests')) ensureTestsBuilt()
