import type { GlossaryEntry } from '../../contract/translation.ts'
import { glossary } from '../../contract/translations.ts'
import { recordOrganizationEvent } from '../../domain/audit/record-event-about.ts'
import * as store from '../../domain/translations/glossary-store.ts'
import type { Urls } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { findContradiction } from '../../translation/glossary.ts'

/** Maximum number of entries of a glossary, and of characters of their terms: every run and every list reads all of them. */
const maxEntries = 10_000
const maxCharacters = 2_000_000

type Terms = Readonly<Record<string, string>>

export const glossaryRoutes = implement(glossary, {
  async listGlossaryEntries({ db, organization, urls }, { query }) {
    const { orderBy, limit } = query
    const rows = await store.findEntries(db, organization.id)
    const keysOf = (row: store.EntryRow): [string, string] => [
      orderBy === undefined ? '' : sortKeyOf(parseTerms(row)[orderBy]),
      row.id,
    ]
    const after = decodeCursor(query.page, 2)
    // Without `orderBy`, the newest entries are first.
    const direction = orderBy === undefined ? -1 : 1
    const sorted = rows
      .map((row) => ({ row, keys: keysOf(row) }))
      .sort((a, b) => direction * compareKeys(a.keys, b.keys))
      .filter(({ keys }) => after === undefined || direction * compareKeys(keys, after) > 0)
      .map(({ row }) => row)
    return toPage(sorted.slice(0, limit + 1), query, rows.length, keysOf, (row) => presentEntry(row, urls))
  },

  async updateGlossaryEntries(context, { body }) {
    const { db, organization, newId, now } = context
    const entries = new Map((await store.findEntries(db, organization.id)).map((row) => [row.id, parseTerms(row)]))
    const changed = new Map<string, Terms | null>()
    for (const [index, operation] of body.operations.entries()) {
      const field = `body.operations.${index}`
      if (operation.type !== 'delete' && Object.keys(operation.translations).length === 0)
        throw invalid(`${field}.translations`, 'must have at least one term')
      if (operation.type === 'update' && !entries.has(operation.id))
        throw unknownReference(`${field}.id`, 'glossary entry')
      const id = operation.type === 'insert' ? newId() : operation.id
      const terms = operation.type === 'delete' ? null : operation.translations
      if (terms) entries.set(id, terms)
      else entries.delete(id)
      changed.set(id, terms)
    }
    if (entries.size > maxEntries) throw conflict(`A glossary has at most ${maxEntries} entries`)
    if (countCharacters(entries.values()) > maxCharacters)
      throw conflict(`The terms of a glossary have at most ${maxCharacters} characters together`)
    const contradiction = await findContradiction(entries.values(), createYielder())
    if (contradiction !== undefined) throw conflict(contradiction)
    await store.saveEntries(db, organization.id, changed, now())
    await recordOrganizationEvent(context, organization, 'glossary.update', {
      after: { operations: body.operations.length },
    })
  },

  async getGlossaryEntry({ db, organization, urls }, { params }) {
    const row = await store.findEntry(db, organization.id, params.glossaryEntryId)
    if (!row) throw notFound('glossary entry')
    return presentEntry(row, urls)
  },
})

function countCharacters(entries: Iterable<Terms>): number {
  let sum = 0
  for (const terms of entries) for (const term of Object.values(terms)) sum += term.length
  return sum
}

const parseTerms = ({ translations }: store.EntryRow): Terms => JSON.parse(translations) as Terms

/** Entries without a term in the language are last. */
const sortKeyOf = (term: string | undefined): string => (term === undefined ? '1' : `0${term.toLowerCase()}`)

const compareKeys = (a: readonly string[], b: readonly string[]): number =>
  compareTexts(a[0] ?? '', b[0] ?? '') || compareTexts(a[1] ?? '', b[1] ?? '')

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function presentEntry(row: store.EntryRow, urls: Urls): GlossaryEntry {
  return {
    object: 'glossary-entry',
    id: row.id,
    translations: parseTerms(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    urls: { location: urls.api(`/orgs/${row.organization_id}/translations-glossary/${row.id}`) },
  }
}
