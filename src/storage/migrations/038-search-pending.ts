/**
 * Limits the list of new rows that PostgreSQL has not yet added to the indexes of words, in kilobytes. Every search reads the whole list,
 * and the update that fills it merges it into the index. With the default of 4 MB, both take many times as long.
 */
export const searchPending = {
  sqlite: 'select 1',

  postgres: `
alter index search_sections_words set (gin_pending_list_limit = 256);
alter index search_sections_title_words set (gin_pending_list_limit = 256)`,
}
