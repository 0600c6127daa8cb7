/** Adds the audit log. Events refer to users and content only by ID, so that they remain when those are deleted. */
export const audit = `
alter table organizations add column audit_retention_days integer;

create table audit_events (
  id text not null,
  organization_id text references organizations (id) on delete cascade,
  action text not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text,
  actor_email text,
  credential_id text,
  target_type text not null,
  target_id text not null,
  target_title text,
  client_address text,
  user_agent text,
  before_values text,
  after_values text,
  created_at text not null,
  constraint audit_events_pkey primary key (id)
);

create index audit_events_organization on audit_events (organization_id, id);
create index audit_events_action on audit_events (organization_id, action, id);
create index audit_events_actor on audit_events (organization_id, actor_id, id);
create index audit_events_actor_action on audit_events (organization_id, actor_id, action, id);
create index audit_events_target on audit_events (organization_id, target_id, id)
`
