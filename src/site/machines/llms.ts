import { hash } from 'node:crypto'
import type { StoredSiteItem } from '../../access/sites.ts'
import { escapeMarkdown } from '../../content/markdown/escape.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { findSpecsState } from '../../domain/openapi/load-specs.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { distinguishingTitlesOf } from '../page/site-shell.ts'
import { toMarkdownUrl, printPageMarkdown } from './markdown.ts'
import { textReply } from '../reply.ts'
import { type OutputHandler, type PageOutputHandler, type SiteVisit, replyPolicyOf } from '../visit.ts'
import { readEffectiveSettings } from '../settings.ts'
import type { SitePage, SiteView, SpaceView } from '../view.ts'

/** Maximum length of a text that is made completely and cached; longer texts are streamed. */
const maxBufferedLength = 256 * 1024

/** Serves `llms.txt` of a site: its pages with their descriptions. */
export const serveLlmsIndex: OutputHandler = (visit, rest) =>
  rest.length > 0 ? noReply : bufferOrStream(visit, (view) => writeIndex(view, view.listedItems))

/** Serves `llms-full.txt` of a site: the Markdown of all pages as one text. */
export const serveLlmsFullText: OutputHandler = (visit, rest) =>
  rest.length > 0 ? noReply : bufferOrStream(visit, (view) => writeFullText(view, view.listedItems))

/** Serves `llms.txt` of the section or site space whose first page this is. */
export const serveSpaceLlmsIndex: PageOutputHandler = (visit, space, sitePage) =>
  isLandingPage(space, sitePage) ? bufferOrStream(visit, (view) => writeIndex(view, itemsAtSameUrl(space))) : noReply

export const serveSpaceLlmsFullText: PageOutputHandler = (visit, space, sitePage) =>
  isLandingPage(space, sitePage) ? bufferOrStream(visit, (view) => writeFullText(view, itemsAtSameUrl(space))) : noReply

const noReply = Promise.resolve(undefined)

const isLandingPage = (space: SpaceView, { entry }: SitePage): boolean => space.landingPageId === entry.id

/**
 * Returns the site spaces of the section if the space is its default, because both have the same URL; otherwise the site space.
 */
function itemsAtSameUrl({ site, item }: SpaceView): StoredSiteItem[] {
  const { structure } = site.session
  if (!structure.isDefault(item)) return [item]
  return site.listedItems.filter(({ parentId }) => parentId === item.parentId)
}

/** Iterates over the listed pages of a site that are not excluded from indexes, in navigation order. */
export async function* iterateIndexedPages(
  view: SiteView,
  items: readonly StoredSiteItem[],
): AsyncIterable<{ space: SpaceView; sitePage: SitePage }> {
  const yieldIfDue = createYielder()
  for (const item of items) {
    const space = await view.openItem(item)
    if (!space) continue
    for await (const sitePage of space.listedPages()) {
      await yieldIfDue()
      if (sitePage.entry.type === 'document' && sitePage.page.noIndex !== true) yield { space, sitePage }
    }
  }
}

async function* writeIndex(view: SiteView, items: readonly StoredSiteItem[]): AsyncIterable<string> {
  const [first] = items
  const firstSpace = first && (await view.openItem(first))
  yield `# ${toSingleLine(await readSiteTitle(view, first))}\n`
  const description = (await firstSpace?.findPage([]))?.page.description
  if (description) yield `\n> ${toSingleLine(description)}\n`
  let current: SpaceView | undefined
  for await (const { space, sitePage } of iterateIndexedPages(view, items)) {
    if (space !== current) yield `\n## ${toSingleLine(headingOf(space))}\n\n`
    current = space
    const { description: about } = sitePage.page
    yield `- [${toSingleLine(navigationTitleOf(sitePage.page))}](${toMarkdownUrl(sitePage.address)})${about ? `: ${toSingleLine(about)}` : ''}\n`
  }
}

async function* writeFullText(view: SiteView, items: readonly StoredSiteItem[]): AsyncIterable<string> {
  let isFirst = true
  for await (const { space, sitePage } of iterateIndexedPages(view, items)) {
    const markdown = await printPageMarkdown(space, sitePage)
    yield isFirst ? markdown : `\n${markdown}`
    isFirst = false
  }
}

const toSingleLine = (text: string): string => escapeMarkdown(text.replace(/\s+/g, ' ').trim())

/** Returns the title of a site. */
export async function readSiteTitle({ context, session }: SiteView, item: StoredSiteItem | undefined): Promise<string> {
  const settings = item && (await readEffectiveSettings(context, session, item))
  return settings?.customization.title ?? session.site.title
}

/** Returns the heading of a space within its site. */
const headingOf = ({ site, item }: SpaceView): string =>
  distinguishingTitlesOf(site, item, item.language ?? '').join(': ') || item.title

async function bufferOrStream(
  { view, request, limits }: SiteVisit,
  write: (view: SiteView) => AsyncIterable<string>,
): Promise<SiteReply> {
  limits.checkStreamLimit(request.clientNetwork)
  const parts = write(view)[Symbol.asyncIterator]()
  let buffered = ''
  while (buffered.length <= maxBufferedLength) {
    const part = await parts.next()
    if (part.done)
      return { ...textReply(buffered, 'text/plain', replyPolicyOf(view, false)), isCacheable: !view.isPreview }
    buffered += part.value
  }
  const { headers, ...reply } = textReply('', 'text/plain', replyPolicyOf(view, false))
  const body =
    request.method === 'HEAD'
      ? { [Symbol.asyncIterator]: empty }
      : limits.stream(request.clientNetwork, toChunks(buffered, parts))
  return { ...reply, headers: { ...headers, etag: await computeEtag(view) }, body, isCacheable: false }
}

async function* empty(): AsyncGenerator<string> {
  // A reply to HEAD has no body.
}

/** Minimum length of a chunk of a streamed text, in characters. */
const minChunkLength = 32 * 1024

/** Splits a text into chunks. */
async function* toChunks(buffered: string, parts: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    let chunk = buffered
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      if (chunk.length >= minChunkLength) {
        yield chunk
        chunk = ''
      }
      chunk += part.value
    }
    yield chunk
  } finally {
    await parts.return?.()
  }
}

/** Returns an ETag for a streamed text: a hash of everything that it depends on. */
async function computeEtag(view: SiteView): Promise<string> {
  const { context, session } = view
  const { claims, seesDrafts, isPreviewing } = session.identity.visitor
  for (const item of view.visibleItems) await view.openItem(item)
  const heads = [...view.heads].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const specs = await findSpecsState(context.db, session.site.organization_id)
  // URLs of files change from time to time.
  const day = context.now().slice(0, 10)
  const inputs = JSON.stringify([
    session.site.version,
    session.siteBase,
    claims,
    seesDrafts,
    isPreviewing,
    heads,
    specs,
    day,
  ])
  return `"${hash('sha256', inputs, 'base64url').slice(0, 22)}"`
}
