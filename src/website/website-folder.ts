import { setImmediate } from 'node:timers/promises'
import type { ContentRef } from '../content/document/nodes.ts'
import { escapeMarkdown } from '../content/markdown/escape.ts'
import { printFrontMatter } from '../content/markdown/print-front-matter.ts'
import { printPage } from '../content/markdown/print.ts'
import { type References, verbatimReferences, printStableDestination } from '../content/markdown/references.ts'
import { relativeLinkPath } from '../content/repository/paths.ts'
import { CrawlScope, urlKeyFromString, parsePageUrl } from './crawl-scope.ts'
import type { CrawledSite } from './crawl.ts'
import { UniquePaths, safePath } from './file-names.ts'
import type { WebPage } from './page.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { ImageFiles, mapImages } from './image-files.ts'
import { type PageFile, printSiteSummary } from './site-summary.ts'

export interface WebsiteFolder {
  /** File contents by path. */
  files: Map<string, string>
  /** URLs of pages by file path. */
  sourceOfFile: Map<string, string>
  /** URLs of images by the paths that pages use; small images may be data URLs. */
  images: Map<string, string>
}

/** Converts a website to a folder of Markdown in which pages refer to each other and to images by path. */
export async function toWebsiteFolder(site: CrawledSite, start: string): Promise<WebsiteFolder> {
  const fileOfUrl = nameFiles(site, start)
  const fileOfAddress = (address: string): PageFile | undefined =>
    fileOfUrl.get(site.urlOfKey.get(urlKeyFromString(address)) ?? address)
  const images = new ImageFiles()
  const files = new Map<string, string>()
  const scope = scopeOfSite(site)
  files.set(
    'SUMMARY.md',
    printSiteSummary({
      navigation: site.navigation,
      files: [...fileOfUrl.values()],
      fileOfAddress,
      isOutsideScope: (url) => {
        const address = parsePageUrl(url)
        return address !== undefined && !scope.includes(address)
      },
    }),
  )
  const sourceOfFile = new Map<string, string>()
  for (const page of site.pages) {
    const file = fileOfUrl.get(page.url)
    if (!file) continue
    files.set(file.path, await printWebPage(page, file, createReferences(file.path, fileOfAddress), images))
    sourceOfFile.set(file.path, page.url)
    // A large site takes seconds, so this yields to the event loop.
    await setImmediate()
  }
  return { files, sourceOfFile, images: images.addresses }
}

function scopeOfSite({ base }: CrawledSite): CrawlScope {
  const { origin, pathname } = new URL(base)
  return new CrawlScope(origin, pathname)
}

/** File names with a special meaning in a repository. */
const reservedNames = ['readme', 'summary']

/** Returns the files of pages by URL; a page with pages below it is the README of its folder. */
function nameFiles(site: CrawledSite, start: string): Map<string, PageFile> {
  const home = site.urlOfKey.get(urlKeyFromString(start)) ?? site.pages[0]?.url
  const scope = scopeOfSite(site)
  const names = new UniquePaths(reservedNames)
  const pathOfUrl = new Map<string, string>()
  for (const { url, canonical } of site.pages) {
    if (url === home) continue
    const canonicalUrl = canonical === undefined ? undefined : parsePageUrl(canonical)
    const isOwnCanonical =
      canonicalUrl && scope.includes(canonicalUrl) && site.urlOfKey.get(urlKeyFromString(canonicalUrl.href)) === url
    const path = safePath(scope.relativePathOf(isOwnCanonical ? canonicalUrl : new URL(url)))
    pathOfUrl.set(url, names.assign(renameReadme(path) || 'page'))
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

/** Renames a page called README, which would be considered the page of the folder. */
const renameReadme = (path: string) => path.replace(/\/readme$/i, '/readme-page')

function titleOf({ title }: WebPage, path: string | undefined): string {
  return title.replace(/\s+/g, ' ').trim() || path?.slice(path.lastIndexOf('/') + 1) || 'Home'
}

async function printWebPage(
  { markdown, description }: WebPage,
  { title }: PageFile,
  references: References,
  images: ImageFiles,
): Promise<string> {
  const document = await parseMarkdown(markdown, references)
  // The import of the file reports why it cannot be parsed.
  if (!document) return `# ${escapeMarkdown(title)}\n\n${markdown}`
  const frontMatter = description ? printFrontMatter({ description }, references) : undefined
  return printPage({ frontMatter, title, document: mapImages(document, images.toFileRef) }, references)
}

/** Replaces URLs of imported pages by paths relative to a file; others are unchanged. */
function createReferences(file: string, fileOfAddress: (address: string) => PageFile | undefined): References {
  const writeUrl = (url: string): string => {
    if (!/^https?:/i.test(url)) return url
    const hash = url.indexOf('#')
    const fragment = hash < 0 ? '' : url.slice(hash)
    const target = fileOfAddress(hash < 0 ? url : url.slice(0, hash))
    if (!target) return url
    return target.path === file && fragment.length > 1 ? fragment : relativeLinkPath(file, target.path) + fragment
  }
  return {
    resolve: (destination) =>
      destination.startsWith('#') ? verbatimReferences.resolve(destination) : { kind: 'url', url: destination },
    print(reference: ContentRef) {
      if (reference.kind === 'url') return writeUrl(reference.url)
      return reference.kind === 'file' ? relativeLinkPath(file, reference.file) : printStableDestination(reference)
    },
  }
}
