import { languages } from '../../../contract/languages.ts'
import type { GlossaryEntry } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { readAll } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { parseCsv, toCsv } from '../../ui/csv.ts'
import { glossaryTexts as texts } from './glossary-texts.ts'

type Terms = GlossaryEntry['translations']

export type GlossaryOperation =
  | { type: 'insert'; translations: Terms }
  | { type: 'update'; id: string; translations: Terms }
  | { type: 'delete'; id: string }

/** Maximum number of changes in one request. */
const batchSize = 1000
/** Maximum number of entries that are read with one request. */
const pageSize = 1000

/** Changes the glossary; many changes are sent in several requests, each of which is applied completely or not at all. */
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
  const { rows, hasOpenQuote } = parseCsv(text)
  const [head, ...entries] = rows
  const columns = head?.cells.map((name) => name.toLowerCase()) ?? []
  if (hasOpenQuote || !columns.some(isLanguage)) throw new Error(texts.noColumns)
  return entries.map(({ line, cells }): GlossaryOperation => {
    const filled = columns.flatMap((name, at) => {
      const term = cells[at] ?? ''
      return isLanguage(name) && term !== '' ? [[name, term] as const] : []
    })
    if (filled.length === 0) throw new Error(fillText(texts.badLine, { line, reason: texts.fewTerms }))
    const id = cells[columns.indexOf('id')] ?? ''
    const translations = Object.fromEntries(filled)
    return id === '' ? { type: 'insert', translations } : { type: 'update', id, translations }
  })
}

const isLanguage = (name: string): boolean => languages.some((code) => code === name)

/** Reads all entries and returns them as CSV, with a column for each language that occurs. */
export async function exportGlossaryCsv(organizationId: string): Promise<string> {
  const entries = await readAll('GET /orgs/{organizationId}/translations-glossary', {
    params: { organizationId },
    query: { limit: pageSize },
  })
  const used = languages
    .filter((code) => entries.some(({ translations }) => translations[code] !== undefined))
    .toSorted()
  return toCsv([
    ['id', ...used],
    ...entries.map(({ id, translations }) => [id, ...used.map((code) => translations[code] ?? '')]),
  ])
}
