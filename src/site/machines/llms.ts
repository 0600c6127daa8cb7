import { hash } from 'node:crypto'
import type { StoredItem } from '../../access/sites.ts'
import { escapeMarkdown } from '../../content/markdown/escape.ts'
import { labelOf } from '../../content/revision/objects.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { placeOf } from '../page/chrome.ts'
import { markdownAddress, markdownOf } from './markdown.ts'
import { textReply } from '../reply.ts'
import { type Output, type PageOutput, type SiteVisit, handlingOf } from '../visit.ts'
import { settingsOf } from '../settings.ts'
import type { PlacedPage, SiteView, SpaceView } from '../view.ts'

/** Maximum length of a text that is made completely and cached; longer texts are streamed. */
const wholeLength = 256 * 1024

/** Serves `llms.txt` of a site: its pages with their descriptions. */
export const serveIndex: Output = (visit, rest) =>
  rest.length > 0 ? nothingThere : textOf(visit, (view) => indexOf(view, view.listedItems))

/** Serves `llms-full.txt` of a site: the Markdown of all pages as one text. */
export const serveFullText: Output = (visit, rest) =>
  rest.length > 0 ? nothingThere : textOf(visit, (view) => fullTextOf(view, view.listedItems))

/** Serves `llms.txt` of the section or site space whose first page this is. */
export const serveIndexOf: PageOutput = (visit, space, placed) =>
  beginsWith(space, placed) ? textOf(visit, (view) => indexOf(view, itemsAround(space))) : nothingThere

export const serveFullTextOf: PageOutput = (visit, space, placed) =>
  beginsWith(space, placed) ? textOf(visit, (view) => fullTextOf(view, itemsAround(space))) : nothingThere

const nothingThere = Promise.resolve(undefined)

const beginsWith = (space: SpaceView, { entry }: PlacedPage): boolean => space.landing === entry.id

/**
 * Returns the site spaces of the section if the space is its default, because both have the same URL; otherwise the site space.
 */
function itemsAround({ site, item }: SpaceView): StoredItem[] {
  const { structure } = site.session
  if (!structure.isDefault(item)) return [item]
  return site.listedItems.filter(({ parentId }) => parentId === item.parentId)
}

/** Iterates over the listed pages of a site that are not excluded from indexes, in navigation order. */
export async function* pagesToRead(
  view: SiteView,
  items: readonly StoredItem[],
): AsyncIterable<{ space: SpaceView; placed: PlacedPage }> {
  const yieldIfDue = createYielder()
  for (const item of items) {
    const space = await view.open(item)
    if (!space) continue
    for await (const placed of space.listedPages()) {
      await yieldIfDue()
      if (placed.entry.type === 'document' && placed.page.noIndex !== true) yield { space, placed }
    }
  }
}

async function* indexOf(view: SiteView, items: readonly StoredItem[]): AsyncIterable<string> {
  const [first] = items
  const begin = first && (await view.open(first))
  yield `# ${inLine(await titleOf(view, first))}\n`
  const description = (await begin?.findPage([]))?.page.description
  if (description) yield `\n> ${inLine(description)}\n`
  let current: SpaceView | undefined
  for await (const { space, placed } of pagesToRead(view, items)) {
    if (space !== current) yield `\n## ${inLine(headingOf(space))}\n\n`
    current = space
    const { description: about } = placed.page
    yield `- [${inLine(labelOf(placed.page))}](${markdownAddress(placed.address)})${about ? `: ${inLine(about)}` : ''}\n`
  }
}

async function* fullTextOf(view: SiteView, items: readonly StoredItem[]): AsyncIterable<string> {
  let isFirst = true
  for await (const { space, placed } of pagesToRead(view, items)) {
    const markdown = await markdownOf(space, placed)
    yield isFirst ? markdown : `\n${markdown}`
    isFirst = false
  }
}

const inLine = (text: string): string => escapeMarkdown(text.replace(/\s+/g, ' ').trim())

/** Returns the title of a site. */
export async function titleOf({ context, session: { site } }: SiteView, item: StoredItem | undefined): Promise<string> {
  const settings = item && (await settingsOf(context, site, item))
  return settings?.all.title ?? site.title
}

/** Returns the heading of a space within its site. */
const headingOf = ({ site, item }: SpaceView): string =>
  placeOf(site, item, item.language ?? '').join(': ') || item.title

async function textOf(
  { view, request, limits }: SiteVisit,
  write: (view: SiteView) => AsyncIterable<string>,
): Promise<SiteReply> {
  limits.admitStream(request.network)
  const parts = write(view)[Symbol.asyncIterator]()
  let begin = ''
  while (begin.length <= wholeLength) {
    const part = await parts.next()
    if (part.done) return { ...textReply(begin, 'text/plain', handlingOf(view, false)), isCacheable: !view.isAside }
    begin += part.value
  }
  const { headers, ...reply } = textReply('', 'text/plain', handlingOf(view, false))
  const body =
    request.method === 'HEAD'
      ? { [Symbol.asyncIterator]: empty }
      : limits.stream(request.network, portionsOf(begin, parts))
  return { ...reply, headers: { ...headers, etag: await tagOf(view) }, body, isCacheable: false }
}

async function* empty(): AsyncGenerator<string> {
  // A reply to HEAD has no body.
}

/** Minimum length of a chunk of a streamed text, in characters. */
const portionLength = 32 * 1024

/** Splits a text into chunks. */
async function* portionsOf(begin: string, parts: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    let portion = begin
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      if (portion.length >= portionLength) {
        yield portion
        portion = ''
      }
      portion += part.value
    }
    yield portion
  } finally {
    await parts.return?.()
  }
}

/** Returns an ETag for a streamed text: a hash of everything that it depends on. */
async function tagOf(view: SiteView): Promise<string> {
  const { context, session } = view
  const { claims, seesDrafts, isPreviewing } = session.identity.visitor
  for (const item of view.items) await view.open(item)
  const heads = [...view.heads].toSorted(([a], [b]) => (a < b ? -1 : 1))
  // URLs of files change from time to time.
  const day = context.now().slice(0, 10)
  const made = JSON.stringify([session.site.version, session.siteBase, claims, seesDrafts, isPreviewing, heads, day])
  return `"${hash('sha256', made, 'base64url').slice(0, 22)}"`
}
