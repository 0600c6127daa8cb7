import { stylesOf } from './look.ts'
import type { Output } from '../visit.ts'
import { settingsOf } from '../settings.ts'

/** The styles of a space on a site, named by what is in them. */
export const serveStyles: Output = async ({ view }, [name = '']) => {
  const [, itemId = '', mark] = /^([\w-]+)\.([0-9a-f]+)\.css$/.exec(name) ?? []
  const { site, structure, viewpoint } = view.entered
  const item = structure.get(itemId, 'space')
  if (!item || !structure.isVisible(item, viewpoint)) return undefined
  const styles = await stylesOf(await settingsOf(view.context, site, item))
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      // A page from before a change asks for what is no longer there, and gets what is, once.
      'cache-control': mark === styles.mark ? 'public, max-age=31536000, immutable' : 'no-store',
    },
    body: styles.text,
    isKept: mark === styles.mark,
  }
}
