// Prepares a checkout: installs its dependencies and builds its sources. Plain JavaScript without dependencies, because it runs
// before these are installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const installStamp = join(root, 'node_modules', '.octavo-installed')

/** What is built from the sources: a folder, and the script that writes it. */
const programs = { folder: 'dist', script: 'bundle.js' }
const testModules = { folder: 'dist-tests', script: 'compile-tests.js' }

/** Options that redirect output to stderr, because stdout is reserved for the output of the command. */
const stderrOptions = { stdio: ['inherit', 2, 2] }

/** Installs the dependencies unless those of the lockfile are installed. */
export function ensureInstalled() {
  const wanted = digest(readFileSync(join(root, 'package-lock.json')))
  if (readIfExists(installStamp) === wanted) return
  withLock(() => {
    if (readIfExists(installStamp) === wanted) return
    if (!isInstalled()) {
      console.error('Installing dependencies…')
      run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], stderrOptions)
    }
    writeFileSync(installStamp, wanted)
  })
}

/** Builds `dist` unless it is up to date with the sources. */
export function ensureBuilt() {
  ensure(programs)
}

/** Compiles the modules that tests load unless they are up to date with the sources. */
export function ensureTestsBuilt() {
  ensure(testModules)
}

function ensure(output) {
  if (isBuilt(output)) return
  withLock(() => {
    if (!isBuilt(output)) build(output)
  })
}

function isBuilt({ folder, script }) {
  return readIfExists(join(root, folder, '.octavo-built')) === digest(describeSources(script))
}

function build({ folder, script }) {
  const wanted = digest(describeSources(script))
  console.error('Building…')
  // Builds in a separate folder and renames it, so that a server that runs from the old build is not affected.
  const [fresh, old] = [join(root, `dist-${process.pid}`), join(root, `dist-${process.pid}-old`)]
  // Also removes folders of killed builds, as only one build runs at a time.
  const cleanUp = () => {
    const left = readdirSync(root).filter((name) => /^dist-\d+(?:-old)?$/.test(name))
    for (const name of left) rmSync(join(root, name), { recursive: true, force: true })
  }
  // A failed step ends the process without returning here.
  process.once('exit', cleanUp)
  try {
    run(process.execPath, [join(root, 'scripts', script), fresh], stderrOptions)
    writeFileSync(join(fresh, '.octavo-built'), wanted)
    if (existsSync(join(root, folder))) renameSync(join(root, folder), old)
    renameSync(fresh, join(root, folder))
  } finally {
    process.off('exit', cleanUp)
    cleanUp()
  }
}

/** Runs `work` in one process of this checkout at a time, because several may be started at once on a fresh checkout. */
function withLock(work) {
  // A symbolic link, because it is created atomically together with its content.
  const lock = join(tmpdir(), `octavo-preparing-${digest(root).slice(0, 16)}`)
  for (;;) {
    try {
      symlinkSync(String(process.pid), lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isRunning(readOwner(lock))) sleep(100)
      else rmSync(lock, { force: true })
    }
  }
  const unlock = () => rmSync(lock, { force: true })
  // A failed step ends the process without returning here.
  process.once('exit', unlock)
  try {
    work()
  } finally {
    process.off('exit', unlock)
    unlock()
  }
}

function readOwner(lock) {
  try {
    return Number(readlinkSync(lock))
  } catch {
    return undefined
  }
}

export function isRunning(pid) {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Whether every package of the lockfile is installed in the right version. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, { version, optional }]) => {
    if (path === '' || optional) return true
    const manifest = readIfExists(join(root, path, 'package.json'))
    return manifest !== undefined && JSON.parse(manifest).version === version
  })
}

function describeSources(script) {
  const lines = ['package-lock.json', join('scripts', script)].map((name) => digest(readFileSync(join(root, name))))
  for (const folder of ['src', 'assets']) {
    for (const file of listFiles(folder)) {
      const { mtimeMs, size } = statSync(join(root, file))
      lines.push(`${file} ${mtimeMs} ${size}`)
    }
  }
  return lines.join('\n')
}

/** Lists the files of a folder in a stable order; the recursive mode of readdir takes eight times as long. */
function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}

export function run(command, parameters, options = {}) {
  const { status, error } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) {
    console.error(`${command} ${parameters[0] ?? ''} failed.`)
    process.exit(status ?? 1)
  }
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex')
}

function readIfExists(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
