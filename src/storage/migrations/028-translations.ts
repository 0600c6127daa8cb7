/** Adds translations of spaces, their runs, findings, glossary, memory and engines. */
export const translations = `
create table translations (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  source_space_id text not null,
  source_language text not null,
  language text not null,
  instructions text not null,
  status text not null,
  failure text,
  result_space_id text,
  result_revision_id text,
  source_root_hash text,
  machine_root_hash text,
  pending_change_request_id text,
  pending_source_root_hash text,
  pending_machine_root_hash text,
  runs_after_merge integer not null default 0,
  result_mode text not null,
  run_character_limit integer,
  month_character_limit integer,
  run_count integer not null default 0,
  total_words integer not null default 0,
  total_characters integer not null default 0,
  total_tokens integer not null default 0,
  total_duration integer not null default 0,
  latest_duration integer not null default 0,
  latest_pages integer not null default 0,
  latest_words integer not null default 0,
  created_by text references users (id) on delete set null,
  created_at text not null,
  updated_at text not null,
  constraint translations_pkey primary key (organization_id, id)
);

create unique index translations_source on translations (organization_id, source_space_id, language);
create unique index translations_result on translations (organization_id, result_space_id)
  where result_space_id is not null;

create table translation_runs (
  organization_id text not null,
  translation_id text not null,
  id text not null,
  status text not null,
  failure text,
  engine text,
  source_revision_id text,
  change_request_id text,
  result_revision_id text,
  page_count integer not null default 0,
  done_page_count integer not null default 0,
  text_count integer not null default 0,
  sent_text_count integer not null default 0,
  words integer not null default 0,
  characters integer not null default 0,
  tokens integer not null default 0,
  started_by text references users (id) on delete set null,
  created_at text not null,
  started_at text,
  ended_at text,
  constraint translation_runs_pkey primary key (organization_id, translation_id, id),
  constraint translation_runs_translation foreign key (organization_id, translation_id)
    references translations (organization_id, id) on delete cascade
);

create unique index translation_runs_active on translation_runs (organization_id, translation_id)
  where status in ('pending', 'running');
create index translation_runs_started_by on translation_runs (started_by) where started_by is not null;

create table translation_pages (
  organization_id text not null,
  translation_id text not null,
  page_id text not null,
  constraint translation_pages_pkey primary key (organization_id, translation_id, page_id),
  constraint translation_pages_translation foreign key (organization_id, translation_id)
    references translations (organization_id, id) on delete cascade
);

create table translation_findings (
  organization_id text not null,
  translation_id text not null,
  id text not null,
  run_id text not null,
  kind text not null,
  location text not null,
  page_id text,
  page_title text not null,
  source_text text not null,
  machine_text text not null,
  current_text text not null,
  message text,
  status text not null,
  resolved_by text references users (id) on delete set null,
  resolved_at text,
  created_at text not null,
  constraint translation_findings_pkey primary key (organization_id, translation_id, id),
  constraint translation_findings_translation foreign key (organization_id, translation_id)
    references translations (organization_id, id) on delete cascade
);

create index translation_findings_status on translation_findings (organization_id, translation_id, status, id);
create unique index translation_findings_open on translation_findings (organization_id, translation_id, location)
  where status = 'open';
create index translation_findings_resolved_by on translation_findings (resolved_by) where resolved_by is not null;
create index translations_created_by on translations (created_by) where created_by is not null;

create table translation_memory (
  organization_id text not null references organizations (id) on delete cascade,
  source_language text not null,
  language text not null,
  text_hash text not null,
  translated_text text not null,
  created_at text not null,
  constraint translation_memory_pkey primary key (organization_id, source_language, language, text_hash)
);

create table translation_usage (
  organization_id text not null references organizations (id) on delete cascade,
  month text not null,
  translation_id text not null,
  characters bigint not null,
  tokens bigint not null,
  constraint translation_usage_pkey primary key (organization_id, month, translation_id)
);

create table glossary_entries (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  translations text not null,
  created_at text not null,
  updated_at text not null,
  constraint glossary_entries_pkey primary key (organization_id, id)
);

create table translation_engines (
  organization_id text not null references organizations (id) on delete cascade,
  kind text not null,
  url text not null,
  model text,
  sealed_key text,
  updated_at text not null,
  constraint translation_engines_pkey primary key (organization_id)
)
`
