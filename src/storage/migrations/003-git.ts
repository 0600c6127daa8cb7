/**
 * Adds Git synchronization, its operations, and imports from other sources. Revisions store the files and the commit
 * from which they were imported or to which they were exported.
 */
export const git = `
alter table revisions add column listing_hash text;
alter table revisions add column listed_root_hash text;
alter table revisions add column git text;
alter table revisions add column is_aside integer not null default 0;

alter table spaces add column git_sync text;

create table git_connections (
  organization_id text not null,
  space_id text not null,
  id text not null,
  url text not null,
  credentials text,
  ref text not null,
  directory text not null,
  tree_url text,
  commit_url text,
  provider text,
  cache_id text,
  commit_message text,
  imports_after_push integer not null,
  exports_after_merge integer not null,
  webhook_secret text,
  synced_revision_id text,
  pushing_revision_id text,
  conflict_revision_id text,
  conflict_change_request_id text,
  newest_event_at text,
  created_by text references users (id) on delete set null,
  created_at text not null,
  updated_at text not null,
  constraint git_connections_pkey primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);

create table git_operations (
  organization_id text not null,
  id text not null,
  space_id text not null,
  direction text not null,
  state text not null,
  request text not null,
  credentials text,
  event_at text not null,
  created_by text references users (id) on delete set null,
  created_at text not null,
  started_at text,
  ended_at text,
  attempts integer not null,
  done integer not null,
  total integer not null,
  failure text,
  error text,
  commit_id text,
  revision_id text,
  change_request_id text,
  warnings text not null,
  warning_count integer not null,
  constraint git_operations_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index git_operations_space on git_operations (organization_id, space_id, state, event_at);
create index git_operations_ended on git_operations (ended_at);

create table import_runs (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  space_id text not null,
  change_request_id text,
  page_id text,
  source text not null,
  status text not null,
  reason text,
  revision_id text,
  done integer not null,
  total integer not null,
  pages text not null,
  warnings text not null,
  warning_count integer not null,
  created_by text references users (id) on delete set null,
  created_at text not null,
  updated_at text not null,
  started_at text,
  completed_at text,
  constraint import_runs_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index import_runs_space on import_runs (organization_id, space_id, id);
create index import_runs_updated on import_runs (updated_at)
`
