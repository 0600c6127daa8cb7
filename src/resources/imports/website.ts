import type { FileUrlMapping } from '../../content/repository/references.ts'
import { resolvePath, decodeFilePath } from '../../content/repository/paths.ts'
import type { ImportWarning } from '../../contract/imports.ts'
import { FetchError } from '../../fetch/errors.ts'
import { type CrawledSite, crawl } from '../../website/crawl.ts'
import type { WebPage } from '../../website/page.ts'
import { readWebPage } from '../../website/read-page.ts'
import { toWebsiteFolder } from '../../website/website-folder.ts'
import { fetchImages } from './images.ts'
import { type ImportLimits, type ReadSource, type ImportTask, createSourceFolder } from './source.ts'

const maxPageBytes = 8 * 1024 ** 2
/** Maximum number of characters of all pages together, which are kept in memory. */
const maxCharacters = 64 * 1024 ** 2
/** Share of the time limit for pages; the rest is for their images. */
const pageTimeShare = 3 / 4

/** Reads a website as a folder. */
export async function readWebsite(task: ImportTask, url: string): Promise<ReadSource> {
  const { services, monitor } = task
  const { maxPages, maxSeconds } = services.config.importLimits
  const site = await crawl(url, {
    fetch: services.fetch,
    read: createPageReader(task),
    limits: { maxPages, maxSeconds: maxSeconds * pageTimeShare, maxPageBytes },
    signal: monitor.signal,
    onProgress: ({ done, found }) => monitor.setProgress(done, found),
  })
  const { files, sourceOfFile, images } = await toWebsiteFolder(site, url)
  const { stored, warnings } = await fetchImages(task, images, maxSeconds * (1 - pageTimeShare))
  return {
    folders: [
      {
        source: createSourceFolder(files, stored),
        fileUrls: mapToOriginalUrls(images),
        sourceUrls: sourceOfFile,
        toWarning({ file, message }) {
          const page = sourceOfFile.get(file)
          // Line numbers are left out: they refer to generated Markdown that the user has not seen.
          return page === undefined ? undefined : { url: page, message }
        },
      },
    ],
    warnings: [...site.problems, ...createLimitWarnings(site, url, services.config.importLimits), ...warnings],
    total: site.total,
  }
}

/** Returns a function that reads pages until the limit of characters is exceeded. */
function createPageReader({ monitor }: ImportTask): (html: string, url: string) => Promise<WebPage> {
  const seen = new Set<string>()
  let characters = 0
  return async (html, url) => {
    if (characters > maxCharacters)
      throw new FetchError('tooLarge', 'The website contains more text than the limit of an import')
    const page = await readWebPage(html, url)
    characters += page.markdown.length
    if (!seen.has(page.url)) monitor.addPage({ sourceURL: page.url, title: page.title })
    seen.add(page.url)
    return page
  }
}

function createLimitWarnings(
  { isCutShort }: CrawledSite,
  url: string,
  { maxPages, maxSeconds }: ImportLimits,
): ImportWarning[] {
  const message = `The website was not read completely: an import is limited to ${maxPages} pages and ${maxSeconds} seconds`
  return isCutShort ? [{ url, message }] : []
}

/** Maps paths of images to their original URLs, which are used for images that could not be fetched. */
function mapToOriginalUrls(images: ReadonlyMap<string, string>): FileUrlMapping {
  return {
    urlOf: (path) => images.get(decodeFilePath(resolvePath('', path) ?? '')),
    pathOf: () => undefined,
  }
}
