import { hasClass } from '../html-tree.ts'
import type { BlockReader } from '../reading.ts'
import { kindIn, readCallout } from './callouts.ts'

const isTitle = hasClass('markdown-alert-title')

/** Callouts as GitHub shows them. Its cautions are about harm. */
export const readAlert: BlockReader = (element, reading) => {
  if (!element.classes.has('markdown-alert')) return undefined
  const kind = kindIn(element, 'markdown-alert-')
  return readCallout(element, { kind, isTitle, style: kind === 'caution' ? 'danger' : undefined }, reading)
}
