// Runs the tests: installs what is missing, finds PostgreSQL and Chromium (or installs them where it may), and starts vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, isRunning, root, run } from './prepare.js'

const needs = [
  { name: 'PostgreSQL', debian: 'postgresql', skipped: 'the tests on PostgreSQL', isThere: hasPostgres },
  { name: 'Chromium', debian: 'chromium', skipped: 'the tests in a browser', isThere: hasChromium },
]

const gigabyte = 1024 ** 3

ensureInstalled()
ensureBuilt()
installMissing(needs.filter(({ isThere }) => !isThere()))
for (const { name, skipped, isThere } of needs) {
  if (!isThere()) console.log(`${name} is not on this machine: ${skipped} are skipped.`)
}
const inMemory = makeFolderInMemory()
if (inMemory !== undefined) process.once('exit', () => rmSync(inMemory, { recursive: true, force: true }))
run(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)], {
  env: { ...process.env, ...(inMemory !== undefined && { TMPDIR: inMemory }) },
})

/** A folder for what the tests write, where this machine can keep that in memory: waiting for a disk takes a fifth of their time. */
function makeFolderInMemory() {
  const shared = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync('/proc/mounts') || freemem() < 8 * gigabyte) return undefined
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, path]) => path === shared)
  // Hooks of Git repositories are run from there.
  if (mount === undefined || mount[2] !== 'tmpfs' || /\b(?:ro|noexec)\b/.test(mount[3] ?? '')) return undefined
  const { bavail, bsize } = statfsSync(shared)
  if (bavail * bsize < 4 * gigabyte) return undefined
  // Also what runs left behind that were killed.
  for (const name of readdirSync(shared)) {
    const owner = /^octavo-tests-(\d+)$/.exec(name)?.[1]
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(shared, name), { recursive: true, force: true })
  }
  const folder = join(shared, `octavo-tests-${process.pid}`)
  mkdirSync(folder)
  return folder
}

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
