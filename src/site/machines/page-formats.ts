import type { SiteReply } from '../../kernel/site-http.ts'
import { buildSiteItemUrl, locatePath } from '../../visitors/locate.ts'
import { toFeedUrl, serveFeed } from './feed.ts'
import { serveSpaceLlmsFullText, serveSpaceLlmsIndex } from './llms.ts'
import { toMarkdownUrl, serveMarkdown } from './markdown.ts'
import { redirectReply } from '../reply.ts'
import type { PageOutputHandler, SiteVisit } from '../visit.ts'
import { SiteView } from '../view.ts'

/** Other format of a page, selected by the end of the URL. */
interface PageFormat {
  /** Path of the page itself. */
  segments: readonly string[]
  output: PageOutputHandler
  /** Returns the URL of this format for the URL of a page. */
  toUrl: (address: string) => string
}

const formatsByName: Readonly<Record<string, Omit<PageFormat, 'segments'>>> = {
  'index.md': { output: serveMarkdown, toUrl: toMarkdownUrl },
  'rss.xml': { output: serveFeed, toUrl: toFeedUrl },
  'llms.txt': { output: serveSpaceLlmsIndex, toUrl: (address) => `${address}llms.txt` },
  'llms-full.txt': { output: serveSpaceLlmsFullText, toUrl: (address) => `${address}llms-full.txt` },
}

function matchFormats(segments: readonly string[]): PageFormat[] {
  const last = segments.at(-1) ?? ''
  const parentSegments = segments.slice(0, -1)
  const formats: PageFormat[] = []
  if (/.\.md$/i.test(last)) {
    formats.push({ segments: [...parentSegments, last.slice(0, -3)], output: serveMarkdown, toUrl: toMarkdownUrl })
  }
  const format = Object.hasOwn(formatsByName, last) ? formatsByName[last] : undefined
  return format ? [...formats, { ...format, segments: parentSegments }] : formats
}

/** Serves a page in another format if the path ends with one. */
export async function servePageFormat(visit: SiteVisit): Promise<{ view: SiteView; reply: SiteReply } | undefined> {
  const { context, session } = visit.view
  for (const { segments, output, toUrl } of matchFormats(visit.segments)) {
    const located = await locatePath(context, session, segments)
    if (located.kind !== 'place') continue
    const view = new SiteView(context, session, located)
    const space = await view.openItem(located.space)
    const sitePage = await space?.findPage(located.rest)
    if (!space || sitePage?.entry.type !== 'document') continue
    const requestedUrl = buildSiteItemUrl(located, located.space, [...located.previewPath, ...located.rest])
    if (sitePage.address !== requestedUrl) {
      return { view, reply: redirectReply(toUrl(sitePage.address) + located.search) }
    }
    const reply = await output({ ...visit, view }, space, sitePage)
    if (reply) return { view, reply }
  }
  return undefined
}
