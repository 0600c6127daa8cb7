import type { InlineElement } from '../../../content/document/nodes.ts'
import { formTexts as texts } from './form-texts.ts'

/** Returns the name of a part of a line with a form; undefined if it has none. */
export function inlineTitle(inline: InlineElement): string | undefined {
  switch (inline.type) {
    case 'inline-math':
      return texts.inlineFormula
    case 'expression':
      // In replies, HTML that is kept as it was written is an expression with an additional field.
      return 'html' in inline.data ? undefined : texts.expression
    case 'icon':
      return texts.icon
    case 'button':
      return texts.button
    case 'mention':
      return texts.mention
    case 'annotation':
      return texts.annotation
    case 'inline-image':
      return texts.inlineImage
    default:
      return undefined
  }
}
