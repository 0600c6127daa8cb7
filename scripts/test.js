// Runs the tests: installs npm packages if necessary, builds, lists the tests that this machine cannot run, and starts Vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, isRunning, root, run } from './prepare.js'

/** Programs that some tests need; system packages are never installed from here. */
const programs = [
  { name: 'PostgreSQL', debianPackage: 'postgresql', tests: 'tests on PostgreSQL', isInstalled: hasPostgres },
  { name: 'Chromium', debianPackage: 'chromium', tests: 'browser tests', isInstalled: hasChromium },
  { name: 'nginx', debianPackage: 'nginx-light', tests: 'load balancer test', isInstalled: () => isInPath('nginx') },
  {
    name: 'Apertium',
    debianPackage: 'apertium-eng-spa',
    tests: 'tests of translations by Apertium',
    isInstalled: () => isInPath('apertium'),
  },
]

const gigabyte = 1024 ** 3

ensureInstalled()
ensureBuilt()
// The quick tests need none of these programs.
if (!process.argv.includes('vitest.quick.config.ts'))
  reportMissing(programs.filter(({ isInstalled }) => !isInstalled()))
const inMemory = makeFolderInMemory()
if (inMemory !== undefined) process.once('exit', () => rmSync(inMemory, { recursive: true, force: true }))
run(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)], {
  env: { ...process.env, ...(inMemory !== undefined && { TMPDIR: inMemory }) },
})

/** Creates a folder in memory for test files if there is enough memory: disk access takes a fifth of the tests' time. */
function makeFolderInMemory() {
  const shared = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync('/proc/mounts') || freemem() < 8 * gigabyte) return undefined
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, path]) => path === shared)
  // Git hooks of repositories are executed there.
  if (mount === undefined || mount[2] !== 'tmpfs' || /\b(?:ro|noexec)\b/.test(mount[3] ?? '')) return undefined
  const { bavail, bsize } = statfsSync(shared)
  if (bavail * bsize < 4 * gigabyte) return undefined
  // Also removes folders of killed test runs.
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
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].some(
    isInPath,
  )
}

function isInPath(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/** Prints in one line which tests are skipped, and how to run them. */
function reportMissing(missing) {
  if (missing.length === 0) return
  const skipped = missing.map(({ name, tests }) => `${tests} (${name} not found)`).join(', ')
  const packages = missing.map(({ debianPackage }) => debianPackage).join(' ')
  const isDebian = existsSync('/etc/debian_version')
  const hint = isDebian ? `To run them: apt-get install ${packages}` : 'Install what is missing to run them'
  console.log(`Skipped: ${skipped}. ${hint}`)
}
