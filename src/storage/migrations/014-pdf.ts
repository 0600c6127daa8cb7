/** Adds the PDFs that were requested, by the hash of the data that they are made from. */
export const pdf = `
create table pdf_files (
  organization_id text not null references organizations (id) on update cascade on delete cascade,
  key text not null,
  name text not null,
  state text not null,
  progress integer not null,
  error text,
  blob text,
  size integer not null,
  requested_at text not null,
  updated_at text not null,
  constraint pdf_files_pkey primary key (organization_id, key)
);
create index pdf_files_requested on pdf_files (requested_at);
create index pdf_files_waiting on pdf_files (organization_id) where state in ('queued', 'running');
create index pdf_files_key on pdf_files (key);
create index pdf_files_blob on pdf_files (blob) where blob is not null
`
