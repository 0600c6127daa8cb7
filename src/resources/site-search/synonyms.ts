import type { SiteSearchSettings } from '../../contract/site-search.ts'
import type { Row } from '../../schema/tables.ts'

/** Returns the stored synonyms of a site. */
export const parseSynonyms = ({ search_synonyms }: Pick<Row<'sites'>, 'search_synonyms'>): string[][] =>
  search_synonyms === null ? [] : (JSON.parse(search_synonyms) as string[][])

export const presentSearchSettings = (site: Pick<Row<'sites'>, 'search_synonyms'>): SiteSearchSettings => ({
  object: 'site-search-settings',
  synonyms: parseSynonyms(site),
})
