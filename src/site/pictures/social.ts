import { hash } from 'node:crypto'
import { Cache } from '../../kernel/cache.ts'
import { heapSizeOf } from '../../kernel/heap-size.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { placeOf } from '../page/chrome.ts'
import { socialImage } from './social-image.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import type { PlacedPage } from '../view.ts'
import { type Output, handlingOf } from '../visit.ts'

type Card = Parameters<typeof socialImage>[0]

function cardOf({ site, settings, space, locale }: PageFrame, { page }: Pick<PlacedPage, 'page'>): Card {
  const { styling } = settings.all
  const [section] = placeOf(space.site, space.item, locale)
  return {
    siteTitle: site.title,
    title: page.title,
    description: page.description,
    section,
    colour: styling.primaryColor.light,
    font: styling.font,
  }
}

const markOf = (card: Card): string => hash('sha256', JSON.stringify(card), 'base64url').slice(0, 16)

/** Returns the URL of the social preview image of a page; it changes with the image. */
export function socialAddress(frame: PageFrame, placed: PlacedPage): string {
  const { site, item } = frame.space
  const mark = markOf(cardOf(frame, placed))
  return `${site.session.siteBase}~social/${item.id}/${placed.entry.id}.png?v=${mark}`
}

/** Cache of recent images, by their content. */
const kept = new Cache<Uint8Array>('social cards', heapSizeOf)
const underWay = new Map<string, Promise<Uint8Array | undefined>>()

/** Draws an image once for concurrent requests; after a failure, the next request tries again. */
async function drawnOnce(mark: string, card: Card): Promise<Uint8Array | undefined> {
  const known = kept.get(mark)
  if (known) return known
  let drawing = underWay.get(mark)
  if (!drawing) {
    drawing = socialImage(card).finally(() => underWay.delete(mark))
    underWay.set(mark, drawing)
  }
  const bytes = await drawing
  if (bytes) kept.set(mark, bytes)
  return bytes
}

const notYet: SiteReply = { status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '10' }, body: '' }

/** Serves the social preview image of a page. */
export const serveSocialImage: Output = async ({ view, request }, [itemId = '', file = '', ...rest]) => {
  const pageId = /^([\w-]+)\.png$/.exec(file)?.[1]
  const item = view.session.structure.get(itemId, 'space')
  const space = item && pageId !== undefined && rest.length === 0 ? await view.open(item) : undefined
  const placed = pageId === undefined ? undefined : (await space?.pagesWith([pageId]))?.get(pageId)
  if (!space || placed?.entry.type !== 'document') return undefined
  const card = cardOf(await readPageFrame(space), placed)
  const mark = markOf(card)
  const bytes = await drawnOnce(mark, card)
  if (!bytes) return notYet
  const reach = handlingOf(view, false).isPublic ? 'public' : 'private'
  const isCurrent = new URL(request.url).searchParams.get('v') === mark
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': isCurrent ? `${reach}, max-age=31536000, immutable` : `${reach}, no-cache`,
      'x-content-type-options': 'nosniff',
      etag: `"${mark}"`,
    },
    body: bytes,
    isCompressed: true,
  }
}
