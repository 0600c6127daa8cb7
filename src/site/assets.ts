import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { SiteAsset } from '../kernel/site-http.ts'
import { root } from '../root.ts'
import { fontFile } from './look/fonts.ts'

/** Folder with the compiled styles and scripts; it is the same when the server runs from source. */
const built = new URL('dist/assets/', root)
const { resolve } = createRequire(import.meta.url)

const types: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

interface Known {
  name: string
  load: () => Promise<SiteAsset>
}

function known(file: string, bytes: Uint8Array, load?: () => Promise<Uint8Array>): Known {
  const [, stem = file, ending = ''] = /^(.*)\.(\w+)$/.exec(file) ?? []
  const contentType = types[ending] ?? 'application/octet-stream'
  const made = async () => ({ bytes: load ? await load() : bytes, contentType, isText: true })
  let asset: Promise<SiteAsset> | undefined
  return {
    name: `${stem}.${hash('sha256', bytes, 'hex').slice(0, 12)}.${ending}`,
    load: () => (asset ??= made()),
  }
}

const ofBuild = (file: string): Known => known(file, readFileSync(new URL(file, built)))

/**
 * Returns an asset of a package; its name contains a hash of the manifest, because the file is too large to be read before it is
 * needed.
 */
function ofPackage(file: string, specifier: string): Known {
  const path = resolve(specifier)
  const manifest = readFileSync(path.replace(/(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/, '$1/package.json'))
  return known(file, manifest, () => readFile(path))
}

/** Scripts and styles of pages by purpose. */
export const assets = {
  script: ofBuild('site.js'),
  search: ofBuild('search.js'),
  searchStyles: ofBuild('search.css'),
  referenceStyles: ofBuild('reference.css'),
  drawMermaid: ofBuild('mermaid.js'),
  mermaid: ofPackage('mermaid-tiny.js', '@mermaid-js/tiny/dist/mermaid.tiny.js'),
  katex: ofPackage('katex.css', 'katex/dist/katex.min.css'),
}

/** Styles of all sites. */
export const baseStyles: string = readFileSync(new URL('site.css', built), 'utf8')

const byName = new Map(Object.values(assets).map((asset) => [asset.name, asset]))

/** Returns an asset by the last part of its URL. */
export async function findAsset(name: string): Promise<SiteAsset | undefined> {
  const asset = byName.get(name)
  if (asset) return asset.load()
  const font = /^fonts\/([\w.-]+)$/.exec(name)?.[1]
  if (font === undefined) return undefined
  if (font.startsWith('KaTeX_')) return katexFont(font)
  const found = await fontFile(font)
  return found && { ...found, isText: false }
}

async function katexFont(name: string): Promise<SiteAsset | undefined> {
  try {
    const bytes = await readFile(resolve(`katex/dist/fonts/${name}`))
    return { bytes, contentType: 'font/woff2', isText: false }
  } catch {
    return undefined
  }
}
