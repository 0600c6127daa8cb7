import { hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { SiteAsset } from '../kernel/site-http.ts'
import type { ContentAssets } from '../resources/rendered/render-content.ts'
import { root } from '../root.ts'
import { readFontFile } from './theme/fonts.ts'

/** Folder with the compiled styles and scripts; it is the same when the server runs from source. */
const assetsFolder = new URL('dist/assets/', root)
const { resolve } = createRequire(import.meta.url)

const types: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

interface HashedAsset {
  name: string
  load: () => Promise<SiteAsset>
}

function defineAsset(file: string, bytes: Uint8Array, load?: () => Promise<Uint8Array>): HashedAsset {
  const [, stem = file, ending = ''] = /^(.*)\.(\w+)$/.exec(file) ?? []
  const contentType = types[ending] ?? 'application/octet-stream'
  const loadAsset = async () => ({ bytes: load ? await load() : bytes, contentType, isText: true })
  let asset: Promise<SiteAsset> | undefined
  return {
    name: `${stem}.${hash('sha256', bytes, 'hex').slice(0, 12)}.${ending}`,
    load: () => (asset ??= loadAsset()),
  }
}

const readBuilt = (file: string): Buffer => readFileSync(new URL(file, assetsFolder))

const assetFromBuild = (file: string): HashedAsset => defineAsset(file, readBuilt(file))

/** Returns two scripts with the same hash in their names, so that the first can load the second without knowing its name. */
function scriptWithPart(file: string, part: string): [HashedAsset, HashedAsset] {
  const [bytes, partBytes] = [readBuilt(file), readBuilt(part)]
  const both = Buffer.concat([bytes, partBytes])
  return [defineAsset(file, both, async () => bytes), defineAsset(part, both, async () => partBytes)]
}

const [script, editorBar] = scriptWithPart('site.js', 'editor-bar.js')

/**
 * Returns an asset of a package; its name contains a hash of the manifest, because the file is too large to be read before it is
 * needed.
 */
function assetFromPackage(file: string, specifier: string): HashedAsset {
  const path = resolve(specifier)
  const manifest = readFileSync(path.replace(/(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/, '$1/package.json'))
  return defineAsset(file, manifest, () => readFile(path))
}

/** Scripts and styles of pages by purpose. */
export const assets = {
  script,
  editorBar,
  search: assetFromBuild('search.js'),
  searchStyles: assetFromBuild('search.css'),
  openApiStyles: assetFromBuild('openapi.css'),
  tryIt: assetFromBuild('try-it.js'),
  tryItStyles: assetFromBuild('try-it.css'),
  signInStyles: assetFromBuild('sign-in.css'),
  passkeys: assetFromBuild('passkeys.js'),
  appStyles: assetFromBuild('app.css'),
  drawMermaid: assetFromBuild('mermaid.js'),
  mermaid: assetFromPackage('mermaid-tiny.js', '@mermaid-js/tiny/dist/mermaid.tiny.js'),
  katex: assetFromPackage('katex.css', 'katex/dist/katex.min.css'),
}

/** Modules of the web app, which the build names by their content. */
const appModules = new Set(readdirSync(new URL('app/', assetsFolder)).filter((name) => name.endsWith('.js')))

/** The first module of the web app and those that it imports, those of each screen by its addresses, and those of the visual editor. */
export const appEntry = JSON.parse(readFileSync(new URL('app/entry.json', assetsFolder), 'utf8')) as {
  file: string
  imports: string[]
  /** `{name}` in an address matches one segment of the path. */
  screens: { paths: string[]; modules: string[] }[]
  visualEditor: string[]
}

/** Returns the URLs of the assets of contents, given the URL of all assets with a trailing slash. */
export const contentAssetsAt = (assetsHref: string): ContentAssets => ({
  katex: assetsHref + assets.katex.name,
  openApiStyles: assetsHref + assets.openApiStyles.name,
  drawMermaid: assetsHref + assets.drawMermaid.name,
  mermaid: assetsHref + assets.mermaid.name,
})

/** Styles of all sites. */
export const baseStyles: string = readFileSync(new URL('site.css', assetsFolder), 'utf8')

const assetsByName = new Map(Object.values(assets).map((asset) => [asset.name, asset]))

/** Returns an asset by the last part of its URL. */
export async function findAsset(name: string): Promise<SiteAsset | undefined> {
  const asset = assetsByName.get(name)
  if (asset) return asset.load()
  const appModule = /^app\/(.+)$/.exec(name)?.[1]
  if (appModule !== undefined) return appModules.has(appModule) ? loadAppModule(appModule) : undefined
  const font = /^fonts\/([\w.-]+)$/.exec(name)?.[1]
  if (font === undefined) return undefined
  if (font.startsWith('KaTeX_')) return readKatexFont(font)
  const found = await readFontFile(font)
  return found && { ...found, isText: false }
}

/** Modules of the web app that were requested; compressed bodies are cached by the asset. */
const loadedModules = new Map<string, Promise<SiteAsset>>()

function loadAppModule(name: string): Promise<SiteAsset> {
  let asset = loadedModules.get(name)
  if (!asset) loadedModules.set(name, (asset = readAppModule(name)))
  return asset
}

async function readAppModule(name: string): Promise<SiteAsset> {
  const bytes = await readFile(new URL(`app/${name}`, assetsFolder))
  return { bytes, contentType: types['js'] as string, isText: true }
}

async function readKatexFont(name: string): Promise<SiteAsset | undefined> {
  try {
    const bytes = await readFile(resolve(`katex/dist/fonts/${name}`))
    return { bytes, contentType: 'font/woff2', isText: false }
  } catch {
    return undefined
  }
}
