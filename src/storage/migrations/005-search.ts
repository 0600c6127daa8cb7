const states = `
create table search_states (
  organization_id text not null,
  space_id text not null,
  format integer not null,
  root_hash text,
  pending_hash text,
  pending_after text not null,
  constraint search_states_pkey primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);

create table search_reuses (
  organization_id text not null,
  space_id text not null,
  page_id text not null,
  reusable_content_id text not null,
  constraint search_reuses_pkey primary key (organization_id, space_id, page_id, reusable_content_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index search_reuses_content on search_reuses (organization_id, space_id, reusable_content_id)`

const sectionColumns = `
  organization_id text not null,
  space_id text not null,
  page_id text not null,
  part integer not null,
  document text not null,
  anchor text,
  heading text not null,
  body text not null,
  conditions text not null`

const spaceForeignKey =
  'foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade'

/**
 * Adds the search index. Words are split and normalized before they are stored. SQLite stores them without the texts in
 * a full-text table whose row IDs are the IDs of sections; PostgreSQL stores them in the row of the section.
 */
export const search = {
  sqlite: `${states};

create table search_sections (
  id integer primary key,${sectionColumns},
  constraint search_sections_page unique (organization_id, space_id, page_id, part),
  ${spaceForeignKey}
);

create virtual table search_words using fts5 (
  scope, title, heading, description, body, around,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = "ascii tokenchars '@'"
);

create trigger search_sections_removed after delete on search_sections
  begin delete from search_words where rowid = old.id; end`,

  postgres: `${states};

create table search_sections (${sectionColumns},
  words tsvector not null,
  constraint search_sections_pkey primary key (organization_id, space_id, page_id, part),
  ${spaceForeignKey}
);
create index search_sections_words on search_sections using gin (words)`,
}
