/** Adds highlighted code of published pages as HTML, and for each space the content that it was generated from. */
export const highlightedCode = `
create table highlight_states (
  organization_id text not null,
  space_id text not null,
  format integer not null,
  root_hash text,
  pending_hash text,
  pending_after text not null,
  constraint highlight_states_pkey primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);

create table highlighted_code (
  organization_id text not null,
  space_id text not null,
  page_id text not null,
  key text not null,
  html text,
  constraint highlighted_code_pkey primary key (organization_id, space_id, page_id, key),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
)`
