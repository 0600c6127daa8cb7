import { hasClass } from '../html-tree.ts'
import type { BlockReader } from '../node-reader.ts'
import { kindFromClass, readCallout } from './callouts.ts'

const isTitle = hasClass('markdown-alert-title')

/** Reads callouts in the markup of GitHub, whose `caution` corresponds to our `danger`. */
export const readGithubAlert: BlockReader = (element, reader) => {
  if (!element.classes.has('markdown-alert')) return undefined
  const kind = kindFromClass(element, 'markdown-alert-')
  return readCallout(element, { kind, isTitle, style: kind === 'caution' ? 'danger' : undefined }, reader)
}
