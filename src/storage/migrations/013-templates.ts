/** Adds the templates of organizations. */
export const templates = `
create table templates (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  title text not null,
  subtitle text not null,
  emoji text not null,
  features text not null,
  content_refs text not null,
  root_hash text not null,
  pages integer not null,
  created_by text references users (id) on delete set null,
  created_at text not null,
  constraint templates_pkey primary key (organization_id, id)
);

create index templates_by_user on templates (created_by)
`
