import type { OpenApiLabels } from '../openapi/labels.ts'
import { formatDate, getTexts } from '../render/texts/locales.ts'
import type { PdfTexts } from './source.ts'

/** Returns the words of a PDF in a language. */
export function createPdfTexts(language: string): PdfTexts {
  const { pages, notShown, hints } = getTexts(language)
  return { contents: pages, notShown, hints }
}

/** Returns the texts of OpenAPI operations in a language. */
export const createOpenApiLabels = (language: string): OpenApiLabels => getTexts(language).openApi

/** Formats the date of a PDF. */
export const formatPdfDate = (timestamp: string, language: string): string =>
  formatDate(timestamp.slice(0, 10), language, 'full')
