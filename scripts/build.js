import { ensureBuilt, ensureInstalled } from './prepare.js'

ensureInstalled()
ensureBuilt()
