/** Adds the pages that are generated from specifications. */
export const computedPages = `
alter table spaces add column computed_version text not null default '';
alter table revisions add column computed_root_hash text;

create table computed_sources (
  organization_id text not null,
  space_id text not null,
  spec text not null,
  constraint computed_sources_pkey primary key (organization_id, spec, space_id),
  constraint computed_sources_space foreign key (organization_id, space_id)
    references spaces (organization_id, id) on update cascade on delete cascade
);

create index computed_sources_spaces on computed_sources (organization_id, space_id);

create index search_reuses_spec on search_reuses (organization_id, reusable_content_id, space_id);

create table openapi_outlines (
  organization_id text not null,
  spec_id text not null,
  version_id text not null,
  outline text not null,
  constraint openapi_outlines_pkey primary key (organization_id, spec_id),
  constraint openapi_outlines_spec foreign key (organization_id, spec_id)
    references openapi_specs (organization_id, id) on delete cascade
)
`
