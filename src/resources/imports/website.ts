import type { Outside } from '../../content/repository/references.ts'
import { joinPath, percentDecoded } from '../../content/repository/paths.ts'
import type { ImportWarning } from '../../contract/imports.ts'
import { FetchError } from '../../fetch/errors.ts'
import { type CrawledSite, crawl } from '../../website/crawl.ts'
import type { WebPage } from '../../website/page.ts'
import { readWebPage } from '../../website/read-page.ts'
import { websiteFolder } from '../../website/repository.ts'
import { fetchImages } from './images.ts'
import { type ImportLimits, type ReadSource, type Work, readyFolder } from './source.ts'

const maxPageBytes = 8 * 1024 ** 2
/** Maximum number of characters of all pages together, which are kept in memory. */
const maxCharacters = 64 * 1024 ** 2
/** Share of the time limit for pages; the rest is for their images. */
const shareOfPages = 3 / 4

/** Reads a website as a folder. */
export async function readWebsite(work: Work, url: string): Promise<ReadSource> {
  const { services, watch } = work
  const { maxPages, maxSeconds } = services.config.importLimits
  const site = await crawl(url, {
    fetch: services.fetch,
    read: reader(work),
    limits: { maxPages, maxSeconds: maxSeconds * shareOfPages, maxPageBytes },
    signal: watch.signal,
    onProgress: ({ done, found }) => watch.count(done, found),
  })
  const { files, sourceOfFile, images } = await websiteFolder(site, url)
  const { stored, warnings } = await fetchImages(work, images, maxSeconds * (1 - shareOfPages))
  return {
    folders: [
      {
        source: readyFolder(files, stored),
        outside: addressesOf(images),
        sourceOf: sourceOfFile,
        warningOf({ file, message }) {
          const page = sourceOfFile.get(file)
          // Line numbers are left out: they refer to generated Markdown that the user has not seen.
          return page === undefined ? undefined : { url: page, message }
        },
      },
    ],
    warnings: [...site.problems, ...cutShort(site, url, services.config.importLimits), ...warnings],
    total: site.total,
  }
}

/** Returns a function that reads pages until the limit of characters is exceeded. */
function reader({ watch }: Work): (html: string, url: string) => Promise<WebPage> {
  const seen = new Set<string>()
  let characters = 0
  return async (html, url) => {
    if (characters > maxCharacters)
      throw new FetchError('tooLarge', 'The website contains more text than the limit of an import')
    const page = await readWebPage(html, url)
    characters += page.markdown.length
    if (!seen.has(page.url)) watch.found({ sourceURL: page.url, title: page.title })
    seen.add(page.url)
    return page
  }
}

function cutShort({ isCutShort }: CrawledSite, url: string, { maxPages, maxSeconds }: ImportLimits): ImportWarning[] {
  const message = `The website was not read completely: an import is limited to ${maxPages} pages and ${maxSeconds} seconds`
  return isCutShort ? [{ url, message }] : []
}

/** Maps paths of images to their original URLs, which are used for images that could not be fetched. */
function addressesOf(images: ReadonlyMap<string, string>): Outside {
  return {
    urlOf: (path) => images.get(percentDecoded(joinPath('', path) ?? '')),
    pathOf: () => undefined,
  }
}
