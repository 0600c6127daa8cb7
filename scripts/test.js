// Runs the tests: installs what is missing, finds PostgreSQL and Chromium (or installs them where it may), and starts vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './prepare.js'

const needs = [
  { name: 'PostgreSQL', debian: 'postgresql', skipped: 'the tests on PostgreSQL', isThere: hasPostgres },
  { name: 'Chromium', debian: 'chromium', skipped: 'the tests in a browser', isThere: hasChromium },
]

ensureInstalled()
ensureBuilt()
installMissing(needs.filter(({ isThere }) => !isThere()))
for (const { name, skipped, isThere } of needs) {
  if (!isThere()) console.log(`${name} is not on this machine: ${skipped} are skipped.`)
}
run(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)])

function hasPostgres() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  if (versions.some((version) => Number(version) >= 15 && existsSync(`/usr/lib/postgresql/${version}/bin/initdb`)))
    return true
  const found = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return found.status === 0 && existsSync(join(found.stdout.trim(), 'initdb'))
}

function hasChromium() {
  if (process.env.CHROMIUM_PATH) return existsSync(process.env.CHROMIUM_PATH)
  const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  const folders = (process.env.PATH ?? '').split(':')
  return programs.some((name) => folders.some((folder) => existsSync(join(folder, name))))
}

/** On Debian, as root, with its package manager at hand; anywhere else nothing is installed. */
function installMissing(missing) {
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  const packages = missing.map(({ debian }) => debian)
  console.log(`Installing ${packages.join(', ')}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = { stdio: 'ignore', env }
  spawnSync('apt-get', ['update'], quiet)
  const { status } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], quiet)
  if (status !== 0) console.log(`${packages.join(', ')} could not be installed.`)
}
