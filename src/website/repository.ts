import { setImmediate } from 'node:timers/promises'
import type { Block, ContentRef, Document, FileRef, InlineNode, Table } from '../content/document/nodes.ts'
import { mapNodes, withNodes } from '../content/document/walk.ts'
import { isExpression } from '../content/expression/index.ts'
import { parsePage } from '../content/markdown/parse.ts'
import { printFrontMatter } from '../content/markdown/print-front-matter.ts'
import { printPage } from '../content/markdown/print.ts'
import { type References, verbatim, writeStable } from '../content/markdown/references.ts'
import { relativePath } from '../content/repository/paths.ts'
import { Scope, keyOfAddress, parseAddress } from './scope.ts'
import type { CrawledSite } from './crawl.ts'
import { FileNames, safePath, safeStep } from './file-names.ts'
import type { WebPage } from './page.ts'
import { type ListedFile, siteSummary } from './site-summary.ts'

export interface WebsiteFolder {
  /** Texts by their paths. */
  files: Map<string, string>
  /** Where each file with a page was read. */
  sourceOfFile: Map<string, string>
  /** The addresses of pictures by the paths that pages know them by. */
  images: Map<string, string>
}

/** A website as a folder of Markdown, in which pages refer to each other and to their pictures by paths. */
export async function websiteFolder(site: CrawledSite, start: string): Promise<WebsiteFolder> {
  const fileOfUrl = nameFiles(site, start)
  const fileOfAddress = (address: string): ListedFile | undefined =>
    fileOfUrl.get(site.urlOfKey.get(keyOfAddress(address)) ?? address)
  const images = new Images()
  const files = new Map<string, string>()
  const scope = scopeOfSite(site)
  files.set(
    'SUMMARY.md',
    siteSummary({
      navigation: site.navigation,
      files: [...fileOfUrl.values()],
      fileOfAddress,
      isElsewhere: (url) => {
        const address = parseAddress(url)
        return address !== undefined && !scope.holds(address)
      },
    }),
  )
  const sourceOfFile = new Map<string, string>()
  for (const page of site.pages) {
    const file = fileOfUrl.get(page.url)
    if (!file) continue
    files.set(file.path, printWebPage(page, file, referencesFrom(file.path, fileOfAddress), images))
    sourceOfFile.set(file.path, page.url)
    // A large site takes seconds, in which others want to be served.
    await setImmediate()
  }
  return { files, sourceOfFile, images: images.addresses }
}

function scopeOfSite({ base }: CrawledSite): Scope {
  const { origin, pathname } = new URL(base)
  return new Scope(origin, pathname)
}

/** What a repository means by these names is not what a page of that name is. */
const reservedNames = ['readme', 'summary']

/** The files of pages by their addresses: one that others lie below is the README of its folder. */
function nameFiles(site: CrawledSite, start: string): Map<string, ListedFile> {
  const home = site.urlOfKey.get(keyOfAddress(start)) ?? site.pages[0]?.url
  const scope = scopeOfSite(site)
  const names = new FileNames(reservedNames)
  const pathOfUrl = new Map<string, string>()
  for (const { url, canonical } of site.pages) {
    if (url === home) continue
    const said = canonical === undefined ? undefined : parseAddress(canonical)
    const isOwn = said && scope.holds(said) && site.urlOfKey.get(keyOfAddress(said.href)) === url
    const path = safePath(scope.pathOf(isOwn ? said : new URL(url)))
    pathOfUrl.set(url, names.take(withoutReadme(path) || 'page'))
  }
  const folders = new Set<string>()
  for (const path of pathOfUrl.values()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  return new Map(
    site.pages.map((page) => {
      const path = pathOfUrl.get(page.url)
      const file = path === undefined ? 'README.md' : folders.has(path) ? `${path}/README.md` : `${path}.md`
      return [page.url, { path: file, title: titleOf(page, path) }]
    }),
  )
}

/** A README in a folder would be taken for the page that the folder is. */
const withoutReadme = (path: string) => path.replace(/\/readme$/i, '/readme-page')

function titleOf({ title }: WebPage, path: string | undefined): string {
  return title.replace(/\s+/g, ' ').trim() || path?.slice(path.lastIndexOf('/') + 1) || 'Home'
}

function printWebPage(
  { markdown, description }: WebPage,
  { title }: ListedFile,
  references: References,
  images: Images,
): string {
  // Behind a title nothing is taken for front matter, or for the title.
  const { document } = parsePage(`# Title\n\n${markdown}`, { references, isExpression })
  const frontMatter = description ? printFrontMatter({ description }, references) : undefined
  return printPage({ frontMatter, title, document: withPictures(document, images) }, references)
}

/** Addresses of imported pages become paths as seen from a file; others stay. */
function referencesFrom(file: string, fileOfAddress: (address: string) => ListedFile | undefined): References {
  const writeUrl = (url: string): string => {
    if (!/^https?:/i.test(url)) return url
    const hash = url.indexOf('#')
    const fragment = hash < 0 ? '' : url.slice(hash)
    const target = fileOfAddress(hash < 0 ? url : url.slice(0, hash))
    if (!target) return url
    return target.path === file && fragment.length > 1 ? fragment : relativePath(file, target.path) + fragment
  }
  return {
    read: (destination) =>
      destination.startsWith('#') ? verbatim.read(destination) : { kind: 'url', url: destination },
    write(reference: ContentRef) {
      if (reference.kind === 'url') return writeUrl(reference.url)
      return reference.kind === 'file' ? relativePath(file, reference.file) : writeStable(reference)
    },
  }
}

const assetsFolder = '.gitbook/assets/'

/** The pictures of all pages; each address has one path. */
class Images {
  readonly addresses = new Map<string, string>()
  readonly #paths = new Map<string, string>()
  readonly #names = new FileNames()

  pathOf(address: string): string {
    const url = address.replace(/#.*$/, '')
    const known = this.#paths.get(url)
    if (known !== undefined) return known
    const last = safeStep(URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '')
    const ending = /\.[a-z0-9]{1,5}$/i.exec(last)?.[0] ?? ''
    const path = assetsFolder + this.#names.take(last.slice(0, last.length - ending.length) || 'image', ending)
    this.#paths.set(url, path)
    this.addresses.set(path, url)
    return path
  }
}

/** Points pictures at files; those whose bytes stand in the page itself are left out, for they would fill it. */
function withPictures(document: Document, images: Images): Document {
  const changeRef = (ref: FileRef): FileRef =>
    ref.kind === 'url' && /^https?:/i.test(ref.url) ? { kind: 'file', file: images.pathOf(ref.url) } : ref
  const changeData = <Data extends { ref: FileRef; refDark?: FileRef }>(data: Data): Data => {
    const { ref, refDark } = data
    return { ...data, ref: changeRef(ref), ...(refDark && { refDark: changeRef(refDark) }) }
  }
  const changeBlock = (block: Block): Block | readonly Block[] => {
    if (block.type === 'image') return isInline(block.data.ref) ? [] : { ...block, data: changeData(block.data) }
    if (block.type === 'images') return block.nodes.length > 0 ? block : []
    return block.type === 'table' ? withCovers(block, changeData) : block
  }
  const changeInline = (inline: InlineNode): InlineNode | readonly InlineNode[] => {
    if (inline.object === 'text' || inline.type !== 'inline-image') return inline
    return isInline(inline.data.ref) ? [] : { ...inline, data: changeData(inline.data) }
  }
  return withNodes(document, mapNodes(document.nodes, changeBlock, changeInline))
}

const isInline = (ref: FileRef) => ref.kind === 'url' && /^data:/i.test(ref.url)

/** Cells may hold pictures too. */
function withCovers(table: Table, change: <Data extends { ref: FileRef }>(data: Data) => Data): Table {
  const records = Object.entries(table.data.records).map(([id, record]) => {
    const values = Object.entries(record.values).map(([column, value]) => {
      const isPicture = typeof value === 'object' && value !== null && 'ref' in value
      return [column, isPicture ? change(value) : value] as const
    })
    return [id, { ...record, values: Object.fromEntries(values) }] as const
  })
  return { ...table, data: { ...table.data, records: Object.fromEntries(records) } }
}
