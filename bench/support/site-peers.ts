import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type PlainPage, toMarkdown, partTitle, listParts } from './site-pages.ts'

const peers = resolve('bench', 'peers')

/** Static site generator. */
export interface Peer {
  name: string
  /** Returns the path of a page on the generated site. */
  pathOf: (page: PlainPage) => string
  sources: (pages: readonly PlainPage[]) => Record<string, string>
  program: string
  output: string
}

const vitePress: Peer = {
  name: `VitePress ${wantedVersion('vitepress')}`,
  pathOf: ({ part, slug }) => `/${part}/${slug}`,
  sources: (pages) => ({
    ...Object.fromEntries(pages.map((page) => [`${page.part}/${page.slug}.md`, toMarkdown(page)])),
    '.vitepress/config.mjs': vitePressConfig(pages),
  }),
  program: 'vitepress/bin/vitepress.js',
  output: '.vitepress/dist',
}

const starlight: Peer = {
  name: `Starlight ${wantedVersion('@astrojs/starlight')}`,
  pathOf: ({ part, slug }) => `/${part}/${slug}/`,
  sources: (pages) => ({
    ...Object.fromEntries(
      pages.map(({ part, slug, title, text }) => [
        `src/content/docs/${part}/${slug}.md`,
        `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}`,
      ]),
    ),
    'src/content.config.mjs': starlightContent,
    'astro.config.mjs': starlightConfig(pages),
    'package.json': JSON.stringify({ type: 'module' }),
  }),
  program: 'astro/astro.js',
  output: 'dist',
}

/** Configuration as in the generator's guide: default theme, full navigation, search. Braces are not Vue expressions. */
const vitePressConfig = (pages: readonly PlainPage[]) => `
const line = (Token, content) => Object.assign(new Token('html_block', '', 0), { content })
export default {
  title: 'Handbook',
  cleanUrls: true,
  ignoreDeadLinks: true,
  themeConfig: {
    search: { provider: 'local' },
    sidebar: ${JSON.stringify(
      listParts(pages).map((part) => ({
        text: partTitle(part),
        items: pages
          .filter((page) => page.part === part)
          .map((page) => ({ text: page.title, link: vitePress.pathOf(page) })),
      })),
    )},
  },
  markdown: {
    html: false,
    attrs: { disable: true },
    config(markdown) {
      markdown.core.ruler.push('verbatim', ({ Token, tokens }) => {
        tokens.unshift(line(Token, '<div v-pre>\\n'))
        tokens.push(line(Token, '</div>\\n'))
      })
    },
  },
}
`

const starlightConfig = (pages: readonly PlainPage[]) => `
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
export default defineConfig({
  telemetry: false,
  integrations: [
    starlight({
      title: 'Handbook',
      sidebar: ${JSON.stringify(
        listParts(pages).map((part) => ({ label: partTitle(part), autogenerate: { directory: part } })),
      )},
    }),
  ],
})
`

const starlightContent = `
import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`

/** Returns the generators, installed if necessary; empty if they cannot be installed. */
export function installPeers(): Peer[] {
  if (!areInstalled()) {
    console.log('Installing VitePress and Starlight…\n')
    spawnSync('npm', ['ci', '--prefix', peers, '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return areInstalled() ? [vitePress, starlight] : []
}

function areInstalled(): boolean {
  return Object.entries(dependencies()).every(([name, version]) => installedVersion(name) === version)
}

function dependencies(): Record<string, string> {
  return (JSON.parse(readFileSync(join(peers, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies
}

function wantedVersion(name: string): string {
  return dependencies()[name] as string
}

function installedVersion(name: string): string | undefined {
  const manifest = join(peers, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : undefined
}

/** Builds a site for production; returns its files by path. */
export async function buildSite(peer: Peer, pages: readonly PlainPage[]): Promise<Record<string, Buffer>> {
  // The folder is beside the generators, because Astro does not work with symlinked packages.
  const folder = mkdtempSync(join(peers, 'dist-'))
  try {
    for (const [path, content] of Object.entries(peer.sources(pages))) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    await runProgram(peer, folder)
    const output = join(folder, peer.output)
    const entries = readdirSync(output, { recursive: true, encoding: 'utf8', withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return Object.fromEntries(paths.map((path) => [path.slice(output.length), readFileSync(path)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runProgram({ name, program }: Peer, folder: string): Promise<void> {
  const child = spawn(process.execPath, [join(peers, 'node_modules', program), 'build'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-5000)))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${output}`)
}
