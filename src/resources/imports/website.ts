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
/** How many characters the texts of all pages may have, as they are held in memory. */
const maxCharacters = 64 * 1024 ** 2
/** How much of the time is for pages; the rest is for their pictures. */
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
          // Lines are those of a text that nobody has seen.
          return page === undefined ? undefined : { url: page, message }
        },
      },
    ],
    warnings: [...site.problems, ...cutShort(site, url, services.config.importLimits), ...warnings],
    total: site.total,
  }
}

/** Reads pages until they are too much to be held. */
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

/** Pictures that could not be fetched are still shown from where they are. */
function addressesOf(images: ReadonlyMap<string, string>): Outside {
  return {
    urlOf: (path) => images.get(percentDecoded(joinPath('', path) ?? '')),
    pathOf: () => undefined,
  }
}
