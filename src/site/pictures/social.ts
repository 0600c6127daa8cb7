import { hash } from 'node:crypto'
import { Cache } from '../../kernel/cache.ts'
import { estimateHeapSize } from '../../kernel/heap-size.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { distinguishingTitlesOf } from '../page/site-shell.ts'
import { drawSocialImage } from './social-image.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import type { SitePage } from '../view.ts'
import { type OutputHandler, replyPolicyOf } from '../visit.ts'

type SocialImageInput = Parameters<typeof drawSocialImage>[0]

function toSocialImageInput(
  { site, settings, space, locale }: PageFrame,
  { page }: Pick<SitePage, 'page'>,
): SocialImageInput {
  const { styling } = settings.customization
  const [section] = distinguishingTitlesOf(space.site, space.item, locale)
  return {
    siteTitle: site.title,
    title: page.title,
    description: page.description,
    section,
    colour: styling.primaryColor.light,
    font: styling.font,
  }
}

const hashCard = (card: SocialImageInput): string => hash('sha256', JSON.stringify(card), 'base64url').slice(0, 16)

/** Returns the URL of the social preview image of a page; it changes with the image. */
export function socialImageUrl(frame: PageFrame, sitePage: SitePage): string {
  const { site, item } = frame.space
  const cardHash = hashCard(toSocialImageInput(frame, sitePage))
  return `${site.session.siteBase}~social/${item.id}/${sitePage.entry.id}.png?v=${cardHash}`
}

/** Cache of recent images, by their content. */
const imageCache = new Cache<Uint8Array>('social cards', estimateHeapSize)
const inProgress = new Map<string, Promise<Uint8Array | undefined>>()

/** Draws an image once for concurrent requests; after a failure, the next request tries again. */
async function drawOnce(cardHash: string, card: SocialImageInput): Promise<Uint8Array | undefined> {
  const cached = imageCache.get(cardHash)
  if (cached) return cached
  let drawing = inProgress.get(cardHash)
  if (!drawing) {
    drawing = drawSocialImage(card).finally(() => inProgress.delete(cardHash))
    inProgress.set(cardHash, drawing)
  }
  const bytes = await drawing
  if (bytes) imageCache.set(cardHash, bytes)
  return bytes
}

const retryLater: SiteReply = { status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '10' }, body: '' }

/** Serves the social preview image of a page. */
export const serveSocialImage: OutputHandler = async ({ view, request }, [itemId = '', file = '', ...rest]) => {
  const pageId = /^([\w-]+)\.png$/.exec(file)?.[1]
  const item = view.session.structure.get(itemId, 'space')
  const space = item && pageId !== undefined && rest.length === 0 ? await view.openItem(item) : undefined
  const sitePage = pageId === undefined ? undefined : (await space?.findPagesById([pageId]))?.get(pageId)
  if (!space || sitePage?.entry.type !== 'document') return undefined
  const card = toSocialImageInput(await readPageFrame(space), sitePage)
  const cardHash = hashCard(card)
  const bytes = await drawOnce(cardHash, card)
  if (!bytes) return retryLater
  const cacheScope = replyPolicyOf(view, false).isPublic ? 'public' : 'private'
  const isCurrent = new URL(request.url).searchParams.get('v') === cardHash
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': isCurrent ? `${cacheScope}, max-age=31536000, immutable` : `${cacheScope}, no-cache`,
      'x-content-type-options': 'nosniff',
      etag: `"${cardHash}"`,
    },
    body: bytes,
    isCompressed: true,
  }
}
