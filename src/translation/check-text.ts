import type { Language } from '../contract/space.ts'
import { isOtherLanguage } from './detect-language.ts'
import { MarkupError, assertSameTags, parseMarkup, textOfMarkup } from './markup.ts'

interface Languages {
  source: Language
  target: Language
}

/** Languages in which the same text can be correct. */
const similarLanguages: readonly (readonly Language[])[] = [
  ['pt', 'pt-br'],
  ['zh', 'zh-tw', 'yue'],
  ['no', 'da'],
  ['id', 'ms'],
]

const areSimilar = ({ source, target }: Languages): boolean =>
  similarLanguages.some((group) => group.includes(source) && group.includes(target))

/** Number of words from which a translation that equals its source was not translated; shorter texts may be names. */
const minWords = 6

/** Returns why a translation cannot be used, as a sentence; undefined if it can. */
export function findTextProblem(
  source: string,
  translation: string | undefined,
  languages: Languages,
): string | undefined {
  if (translation === undefined) return 'The reply contains no translation of the text'
  try {
    const [sourceNodes, nodes] = [parseMarkup(source), parseMarkup(translation)]
    assertSameTags(sourceNodes, nodes)
    return findWordProblem(textOfMarkup(sourceNodes), textOfMarkup(nodes), languages)
  } catch (error) {
    if (error instanceof MarkupError) return error.message
    throw error
  }
}

function findWordProblem(source: string, translation: string, languages: Languages): string | undefined {
  if (translation.trim() === '') return 'The translation is empty'
  if (/(?![\t\n\r])\p{Cc}|\ufffd/u.test(translation)) return 'The translation contains characters that are not text'
  if (!/\n/u.test(source) && /\n\s*\n/u.test(translation)) return 'The translation has several paragraphs'
  if (translation.length > source.length * 6 + 100) return 'The translation is much longer than the source'
  if (translation.length * 20 < source.length) return 'The translation is much shorter than the source'
  if (areSimilar(languages)) return undefined
  if (translation.trim() === source.trim() && (source.match(/\p{L}+/gu) ?? []).length >= minWords)
    return 'The text was not translated'
  return isOtherLanguage(translation, languages.target) ? 'The translation is in another language' : undefined
}
