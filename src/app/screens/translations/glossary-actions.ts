import type { GlossaryEntry } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { formatCsv, parseCsv } from './csv.ts'
import { glossaryTexts as texts } from './glossary-texts.ts'
import { languageCodes } from './languages.ts'

type Terms = GlossaryEntry['translations']

export type GlossaryOperation =
  | { type: 'insert'; translations: Terms }
  | { type: 'update'; id: string; translations: Terms }
  | { type: 'delete'; id: string }

/** Maximum number of changes in one request. */
const batchSize = 1000
/** Maximum number of entries that are read with one request. */
const pageSize = 1000

/** Changes the glossary; many changes are sent in several requests, each of which applies wholly or not at all. */
export async function changeGlossary(
  organizationId: string,
  operations: readonly GlossaryOperation[],
  onProgress: (done: number) => void = () => undefined,
): Promise<void> {
  try {
    for (let start = 0; start < operations.length; start += batchSize) {
      const batch = operations.slice(start, start + batchSize)
      await request('PUT /orgs/{organizationId}/translations-glossary', {
        params: { organizationId },
        body: { operations: batch },
      })
      onProgress(start + batch.length)
    }
  } finally {
    invalidate(`/orgs/${organizationId}/translations-glossary`)
  }
}

/** Reads the operations that a CSV file describes: rows with an `id` change an entry, others add one. Throws with the line of an error. */
export function readGlossaryCsv(text: string): GlossaryOperation[] {
  const [head = [], ...rows] = parseCsv(text) ?? []
  const columns = head.map((name) => name.trim().toLowerCase())
  if (!columns.some(isLanguage)) throw new Error(texts.noColumns)
  return rows.map((row, index): GlossaryOperation => {
    const filled = columns.flatMap((name, at) => {
      const term = row[at]?.trim() ?? ''
      return isLanguage(name) && term !== '' ? [[name, term] as const] : []
    })
    if (filled.length === 0) throw new Error(fillText(texts.badLine, { line: index + 2, reason: texts.fewTerms }))
    const id = row[columns.indexOf('id')] ?? ''
    const translations = Object.fromEntries(filled)
    return id === '' ? { type: 'insert', translations } : { type: 'update', id, translations }
  })
}

const isLanguage = (name: string): boolean => languageCodes.some((code) => code === name)

/** Reads all entries and returns them as CSV, with a column for each language that occurs. */
export async function exportGlossaryCsv(organizationId: string): Promise<string> {
  const entries: GlossaryEntry[] = []
  for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
    const reply = await request('GET /orgs/{organizationId}/translations-glossary', {
      params: { organizationId },
      query: { limit: pageSize, ...(page !== undefined && { page }) },
    })
    entries.push(...reply.items)
    page = reply.next?.page
  }
  const used = languageCodes.filter((code) => entries.some(({ translations }) => translations[code] !== undefined))
  return formatCsv([
    ['id', ...used],
    ...entries.map(({ id, translations }) => [id, ...used.map((code) => translations[code] ?? '')]),
  ])
}
