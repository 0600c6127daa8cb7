const indexReversed = `
create index search_vocabulary_reversed on search_vocabulary (organization_id, space_id, reversed, word)`

/**
 * Adds the letters of each word in the opposite order, so that words with the same end are found. They are empty until the space is
 * indexed again.
 */
export const searchSpelling = {
  sqlite: `
alter table search_vocabulary add column reversed text not null default '';${indexReversed}`,

  postgres: `
alter table search_vocabulary add column reversed text collate "C" not null default '';${indexReversed}`,
}
