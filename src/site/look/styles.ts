import { stylesOf } from './look.ts'
import type { SiteReply } from '../reply.ts'
import { type Settings, settingsOf } from '../settings.ts'
import type { Output } from '../visit.ts'

/** The styles of a space on a site, named by what is in them. */
export const serveStyles: Output = async ({ view }, [name = '']) => {
  const [, itemId = '', mark] = /^([\w-]+)\.([0-9a-f]+)\.css$/.exec(name) ?? []
  const { site, structure, viewpoint } = view.entered
  const item = structure.get(itemId, 'space')
  if (!item || !structure.isVisible(item, viewpoint)) return undefined
  return stylesReply(await settingsOf(view.context, site, item), mark)
}

/** The styles that settings make, for a page that names them by a mark. */
export async function stylesReply(settings: Settings, asked: string | undefined): Promise<SiteReply> {
  const { text, mark } = await stylesOf(settings)
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      // A page from before a change asks for what is no longer there, and gets what is, once.
      'cache-control': asked === mark ? 'public, max-age=31536000, immutable' : 'no-store',
    },
    body: text,
    isKept: asked === mark,
  }
}
