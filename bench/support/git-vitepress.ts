import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Files } from './git-repositories.ts'

const peers = resolve('bench', 'peers')
const program = join(peers, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
/** Memory limit in megabytes: half of the machine's memory, because large sites need much. */
const maxMemory = Math.floor(totalmem() / 2 ** 21)

/** Configuration in which pages are plain Markdown without HTML and Vue, so that every page can be built at the usual speed. */
const createConfig = (highlights: boolean) => `
const plain = (code) => '<pre><code>' + code.replaceAll('&', '&amp;').replaceAll('<', '&lt;') + '</code></pre>'
const line = (Token, content) => Object.assign(new Token('html_block', '', 0), { content })
export default {
  ignoreDeadLinks: true,
  srcExclude: ['**/SUMMARY.md'],
  markdown: {
    html: false,
    attrs: { disable: true },
    ${highlights ? '' : 'highlight: plain,'}
    config(markdown) {
      markdown.core.ruler.push('verbatim', ({ Token, tokens }) => {
        tokens.unshift(line(Token, '<div v-pre>\\n'))
        tokens.push(line(Token, '</div>\\n'))
      })
    },
  },
}
`

/** Installs VitePress if necessary; returns whether it is installed. */
export function installVitePress(): boolean {
  if (installedVersion() === wantedVersion()) return true
  console.log('Installing VitePress…\n')
  const { status } = spawnSync('npm', ['ci', '--prefix', peers, '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0
}

export const wantedVersion = (): string => readManifest(join(peers, 'package.json')).dependencies['vitepress'] as string

function installedVersion(): string | undefined {
  const manifest = join(peers, 'node_modules', 'vitepress', 'package.json')
  return existsSync(manifest) ? readManifest(manifest).version : undefined
}

function readManifest(path: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(path, 'utf8')) as { version: string; dependencies: Record<string, string> }
}

/** VitePress site of Markdown files in a temporary folder. */
export class VitePressSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'octavo-bench-vitepress-'))
  readonly #pageCount: number

  constructor(files: Files, pages: readonly string[], { highlights }: { highlights: boolean }) {
    this.#pageCount = pages.length
    for (const [path, content] of Object.entries({ ...files, '.vitepress/config.mjs': createConfig(highlights) })) {
      const file = join(this.#folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    symlinkSync(join(peers, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Builds the site; returns the milliseconds from the start of the process to its end. */
  async build(): Promise<number> {
    const output = join(this.#folder, '.vitepress', 'dist')
    for (const name of ['dist', 'cache', '.temp']) rmSync(join(this.#folder, '.vitepress', name), removeOptions)
    const started = performance.now()
    const child = spawn(process.execPath, [`--max-old-space-size=${maxMemory}`, program, 'build', this.#folder], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-5000)))
    const [code] = (await once(child, 'close')) as [number | null]
    const milliseconds = performance.now() - started
    if (code !== 0) throw new Error(`VitePress ended with ${code}: ${errors}`)
    const built = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    // VitePress also builds a page for 404.
    if (built.length !== this.#pageCount + 1) throw new Error(`VitePress built ${built.length} of the pages: ${errors}`)
    return milliseconds
  }

  remove(): void {
    rmSync(this.#folder, removeOptions)
  }
}

const removeOptions = { recursive: true, force: true }
