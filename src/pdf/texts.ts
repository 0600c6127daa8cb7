import { formatDate, getTexts } from '../render/texts/locales.ts'
import type { PdfTexts } from './source.ts'

/** Returns the words of a PDF in a language. */
export function createPdfTexts(language: string): PdfTexts {
  const { pages, notShown, hints } = getTexts(language)
  return { contents: pages, notShown, hints }
}

/** Formats the date of a PDF. */
export const formatPdfDate = (timestamp: string, language: string): string =>
  formatDate(timestamp.slice(0, 10), language, 'full')
