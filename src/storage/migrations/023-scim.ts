/** Adds provisioning by identity providers with SCIM. */
export const scim = `
create table scim_tokens (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  label text not null,
  hash text not null constraint scim_tokens_hash unique,
  created_by text not null,
  created_at text not null,
  expires_at text,
  last_used_at text,
  constraint scim_tokens_pkey primary key (organization_id, id)
);
create index scim_tokens_id on scim_tokens (id);
create index scim_tokens_expiry on scim_tokens (expires_at);

alter table members add column user_name_key text not null default '';
update members set user_name_key = (select email from users where users.id = members.user_id);
create index members_user_name on members (organization_id, user_name_key, user_id);
create index members_disabled on members (organization_id, disabled, user_id);

create table scim_users (
  organization_id text not null,
  user_id text not null,
  user_name text not null,
  external_id text,
  display_name text,
  display_name_key text,
  given_name text,
  family_name text,
  formatted_name text,
  email text not null,
  email_type text not null,
  updated_at text not null,
  constraint scim_users_pkey primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
create index scim_users_external on scim_users (organization_id, external_id, user_id);
create index scim_users_email on scim_users (organization_id, email, user_id);
create index scim_users_name on scim_users (organization_id, display_name_key, user_id);

create table scim_groups (
  organization_id text not null,
  team_id text not null,
  external_id text,
  constraint scim_groups_pkey primary key (organization_id, team_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create index scim_groups_external on scim_groups (organization_id, external_id, team_id);

create table scim_accounts (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  constraint scim_accounts_pkey primary key (organization_id, user_id)
);
create index scim_accounts_user on scim_accounts (user_id)
`
