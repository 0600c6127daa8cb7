/** Adds the OpenAPI specifications of organizations and their versions. */
export const openapi = `
create table openapi_specs (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  slug text not null,
  source_url text,
  source_blob text,
  visibility text not null,
  state text not null,
  version_id text,
  error_code text,
  errors text not null,
  error_count integer not null,
  source_revision integer not null,
  refresh_at text,
  processed_at text,
  created_at text not null,
  updated_at text not null,
  constraint openapi_specs_pkey primary key (organization_id, id)
);

create unique index openapi_specs_slug on openapi_specs (organization_id, slug);
create index openapi_specs_refresh on openapi_specs (refresh_at) where refresh_at is not null;
create index openapi_specs_unprocessed on openapi_specs (state) where state <> 'complete';
create index openapi_specs_blob on openapi_specs (source_blob) where source_blob is not null;

create table openapi_versions (
  organization_id text not null,
  spec_id text not null,
  id text not null,
  source_url text,
  format text not null,
  source_blob text not null,
  document_blob text not null,
  document_size integer not null,
  created_at text not null,
  constraint openapi_versions_pkey primary key (organization_id, spec_id, id),
  constraint openapi_versions_spec foreign key (organization_id, spec_id)
    references openapi_specs (organization_id, id) on delete cascade
);

create index openapi_versions_source on openapi_versions (source_blob);
create index openapi_versions_document on openapi_versions (document_blob)
`
