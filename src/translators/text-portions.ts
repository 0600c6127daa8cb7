import type { ChangedItem } from '../translation/translate-tree.ts'
import type { EngineLimits } from './engine.ts'

/** Texts that are sent in one request. */
export interface TextPortion {
  texts: readonly string[]
  /** Titles of the pages that contain the texts. */
  context: string
}

const maxContextLength = 500

/** Divides the texts of items that need a translation into portions for an engine; each text is in one portion only. */
export function toPortions(
  items: readonly ChangedItem[],
  isNeeded: (text: string) => boolean,
  { texts: maxTexts, characters: maxCharacters }: EngineLimits,
): TextPortion[] {
  const portions: TextPortion[] = []
  const seen = new Set<string>()
  let texts: string[] = []
  let titles = new Set<string>()
  let characters = 0
  const finish = () => {
    if (texts.length > 0) portions.push({ texts, context: [...titles].join('; ').slice(0, maxContextLength) })
    texts = []
    titles = new Set()
    characters = 0
  }
  for (const { owner, texts: located } of items) {
    for (const { text } of located) {
      if (seen.has(text) || !isNeeded(text)) continue
      seen.add(text)
      if (texts.length === maxTexts || (texts.length > 0 && characters + text.length > maxCharacters)) finish()
      texts.push(text)
      titles.add(owner.title)
      characters += text.length
    }
  }
  finish()
  return portions
}
