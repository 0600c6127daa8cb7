// What a checkout needs before anything else runs: its dependencies installed and its sources built.
// Plain JavaScript without dependencies, because it runs when neither is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const installStamp = join(root, 'node_modules', '.octavo-installed')
const buildStamp = join(root, 'dist', '.octavo-built')

/** Installs the dependencies unless those of the lockfile are there already. */
export function ensureInstalled() {
  const wanted = digest(readFileSync(join(root, 'package-lock.json')))
  if (readOr(installStamp) === wanted) return
  if (!isInstalled()) {
    console.log('Installing dependencies…')
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  writeFileSync(installStamp, wanted)
}

/** Builds `dist` unless it was built from the sources as they are. */
export function ensureBuilt() {
  const wanted = digest(describeSources())
  if (readOr(buildStamp) === wanted) return
  console.log('Building…')
  // Built aside and swapped in, so that a server which runs from the old build is not torn.
  const fresh = join(root, `dist-${process.pid}`)
  try {
    run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      'tsconfig.build.json',
      '--outDir',
      fresh,
    ])
    mkdirSync(fresh, { recursive: true })
    writeFileSync(join(fresh, '.octavo-built'), wanted)
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    renameSync(fresh, join(root, 'dist'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Whether every package that the lockfile demands on this machine is there in the right version. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, { version, optional }]) => {
    if (path === '' || optional) return true
    const manifest = readOr(join(root, path, 'package.json'))
    return manifest !== undefined && JSON.parse(manifest).version === version
  })
}

function describeSources() {
  const lines = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
    digest(readFileSync(join(root, name))),
  )
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
    const { mtimeMs, size } = statSync(join(root, 'src', name))
    lines.push(`${name} ${mtimeMs} ${size}`)
  }
  return lines.join('\n')
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

function readOr(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
