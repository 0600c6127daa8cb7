import { setImmediate } from 'node:timers/promises'
import type { ContentRef } from '../content/document/nodes.ts'
import { escapeMarkdown } from '../content/markdown/escape.ts'
import { printFrontMatter } from '../content/markdown/print-front-matter.ts'
import { printPage } from '../content/markdown/print.ts'
import { type References, verbatimReferences, printStableDestination } from '../content/markdown/references.ts'
import { baseName, decodeFilePath, relativeFilePath } from '../content/repository/paths.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { mapImages, withoutDataUrl } from './image-files.ts'
import { readWebPage } from './read-page.ts'

export interface HtmlFolder {
  /** HTML texts by file path. */
  html: ReadonlyMap<string, string>
  /** Whether another file of the folder has this path. */
  isTaken: (path: string) => boolean
  /** Called before each file is read; may throw to abort. */
  onFile?: () => void
}

const htmlExtension = /\.html?$/i

export const isHtmlFile = (path: string): boolean => htmlExtension.test(path)

/** Converts HTML files to Markdown files next to them, with relative links to each other and to the rest of the folder. */
export async function convertHtmlFiles({ html, isTaken, onFile }: HtmlFolder): Promise<Map<string, string>> {
  const fileOfHtml = new Map<string, string>()
  const assigned = new Set<string>()
  for (const path of html.keys()) {
    const file = markdownPath(path, (one) => isTaken(one) || assigned.has(one))
    fileOfHtml.set(path, file)
    assigned.add(file)
  }
  const files = new Map<string, string>()
  for (const [path, text] of html) {
    onFile?.()
    const file = fileOfHtml.get(path) as string
    const { title, description, markdown } = await readWebPage(text, toFolderUrl(path))
    const references = createReferences(file, fileOfHtml)
    const document = await parseMarkdown(markdown, references)
    const frontMatter = description ? printFrontMatter({ description }, references) : undefined
    const pageTitle = title.replace(/\s+/g, ' ').trim() || baseName(path).replace(htmlExtension, '')
    files.set(
      file,
      document
        ? printPage({ frontMatter, title: pageTitle, document: mapImages(document, withoutDataUrl) }, references)
        : // The import of the file reports why it cannot be parsed.
          `# ${escapeMarkdown(pageTitle)}\n\n${markdown}`,
    )
    // Many files take seconds, so this yields to the event loop.
    await setImmediate()
  }
  return files
}

function markdownPath(path: string, isTaken: (path: string) => boolean): string {
  const bare = path.replace(htmlExtension, '')
  const wanted = bare.replace(/(^|\/)index$/i, '$1README')
  for (const one of [wanted, bare]) if (!isTaken(`${one}.md`)) return `${one}.md`
  for (let number = 2; ; number++) if (!isTaken(`${bare}-${number}.md`)) return `${bare}-${number}.md`
}

/** Base URL that makes the folder a website; the host name is reserved and never exists. */
const folderBaseUrl = 'http://folder.invalid/'

const toFolderUrl = (path: string) => folderBaseUrl + path.split('/').map(encodeURIComponent).join('/')

function createReferences(file: string, fileOfHtml: ReadonlyMap<string, string>): References {
  const writeUrl = (url: string): string => {
    if (!url.startsWith(folderBaseUrl)) return url
    const hash = url.indexOf('#')
    const fragment = hash < 0 ? '' : url.slice(hash)
    const targetPath = decodeFilePath(url.slice(folderBaseUrl.length, hash < 0 ? undefined : hash).replace(/\?.*$/, ''))
    const page =
      fileOfHtml.get(targetPath) ??
      fileOfHtml.get(`${targetPath.replace(/(?<!\/)\/*$/, '/').replace(/^\//, '')}index.html`)
    if (page === file && fragment.length > 1) return fragment
    return relativeFilePath(file, page ?? targetPath) + fragment
  }
  return {
    resolve: (destination) =>
      destination.startsWith('#') ? verbatimReferences.resolve(destination) : { kind: 'url', url: destination },
    print: (reference: ContentRef) =>
      reference.kind === 'url' ? writeUrl(reference.url) : printStableDestination(reference),
  }
}
