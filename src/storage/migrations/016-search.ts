const vocabulary = (wordType: string) => `
create table search_vocabulary (
  organization_id text not null,
  word ${wordType} not null,
  space_id text not null,
  constraint search_vocabulary_pkey primary key (organization_id, word, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
)`

/**
 * Adds the words of each space, from which typos are corrected, and the synonyms of each site. PostgreSQL also gets an index of titles
 * and headings alone, because its index of all words does not store in which field a word occurs.
 */
export const searchVocabulary = {
  sqlite: `${vocabulary('text')} without rowid;
create index search_vocabulary_space on search_vocabulary (organization_id, space_id, word);

alter table search_states add column vocabulary_cursor text not null default '';
alter table sites add column search_synonyms text`,

  postgres: `${vocabulary('text collate "C"')};
create index search_vocabulary_space on search_vocabulary (organization_id, space_id, word);

alter table search_sections add column title_words tsvector not null default '';
create index search_sections_title_words on search_sections using gin (title_words);

alter table search_states add column vocabulary_cursor text not null default '';
alter table sites add column search_synonyms text`,
}
