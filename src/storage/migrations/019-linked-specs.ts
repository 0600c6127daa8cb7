/** Adds the OpenAPI files and URLs that blocks of pages name directly, with the documents made from them. */
export const linkedSpecs = `
create table linked_specs (
  organization_id text not null references organizations (id) on delete cascade,
  key text not null,
  source_url text,
  source_blob text,
  state text not null,
  document_blob text,
  error text,
  refresh_at text,
  requested_at text not null,
  updated_at text not null,
  constraint linked_specs_pkey primary key (organization_id, key)
);

create index linked_specs_waiting on linked_specs (organization_id) where state = 'queued';
create index linked_specs_requested on linked_specs (requested_at);
create index linked_specs_document on linked_specs (document_blob) where document_blob is not null
`
