/**
 * Creates the first tables. All keys of tenant tables start with `organization_id`, so that the tables can be distributed by
 * it; foreign keys include it, so that transferring something to another organization is one update of its top row.
 */
export const ground = `
create table instance (
  key text not null constraint instance_pkey primary key,
  value text not null
);

create table users (
  id text not null constraint users_pkey primary key,
  email text not null constraint users_email unique,
  display_name text not null,
  photo_url text,
  created_at text not null,
  updated_at text not null
);

create table tokens (
  id text not null constraint tokens_pkey primary key,
  user_id text not null references users (id) on delete cascade,
  label text not null,
  hash text not null constraint tokens_hash unique,
  scopes text,
  created_at text not null,
  expires_at text,
  last_used_at text
);
create index tokens_user on tokens (user_id, id);

create table organizations (
  id text not null constraint organizations_pkey primary key,
  title text not null,
  type text not null,
  use_case text,
  community_type text,
  email_domains text not null,
  hostname text constraint organizations_hostname unique,
  default_role text not null,
  logo text,
  sso integer not null,
  ai integer not null,
  invite_links integer not null,
  plan text not null,
  merge_rules text not null,
  member_count integer not null,
  created_at text not null,
  updated_at text not null
);

create table email_domains (
  organization_id text not null references organizations (id) on delete cascade,
  domain text not null,
  constraint email_domains_pkey primary key (organization_id, domain)
);
create index email_domains_domain on email_domains (domain, organization_id);

create table members (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null,
  disabled integer not null,
  sso integer not null,
  joined_at text not null,
  last_seen_at text,
  name_key text not null,
  search_text text not null,
  constraint members_pkey primary key (organization_id, user_id)
);
create index members_user on members (user_id, organization_id);
create index members_joined on members (organization_id, joined_at, user_id);
create index members_seen on members (organization_id, last_seen_at, user_id);
create index members_name on members (organization_id, name_key, user_id);
create index members_role on members (organization_id, role, joined_at, user_id);

create table teams (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  title text not null,
  member_count integer not null,
  created_at text not null,
  updated_at text not null,
  constraint teams_pkey primary key (organization_id, id)
);

create table team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  role text not null,
  added_at text not null,
  constraint team_members_pkey primary key (organization_id, team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
create index team_members_user on team_members (organization_id, user_id, team_id);

create table collections (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  parent_id text,
  title text not null,
  description text,
  default_level text not null,
  resolved_level text not null,
  position text not null,
  created_at text not null,
  updated_at text not null,
  constraint collections_pkey primary key (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id) on update cascade on delete cascade
);
create index collections_id on collections (id);
create index collections_parent on collections (organization_id, parent_id, position, id);

create table spaces (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  parent_id text,
  title text not null,
  emoji text not null,
  icon text,
  visibility text not null,
  edit_mode text not null,
  language text,
  default_level text not null,
  resolved_level text not null,
  position text not null,
  revision_id text not null,
  merge_rules text not null,
  comments_open integer not null,
  change_requests integer not null,
  change_requests_open integer not null,
  change_requests_draft integer not null,
  created_at text not null,
  updated_at text not null,
  deleted_at text,
  constraint spaces_pkey primary key (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id) on update cascade
);
create index spaces_id on spaces (id);
create index spaces_parent on spaces (organization_id, parent_id, position, id);
create index spaces_live on spaces (organization_id, resolved_level, id) where deleted_at is null;
create index spaces_deleted on spaces (deleted_at) where deleted_at is not null;

create table grants (
  organization_id text not null,
  content_id text not null,
  grantee_id text not null,
  space_id text,
  collection_id text,
  user_id text,
  team_id text,
  role text not null,
  created_at text not null,
  constraint grants_pkey primary key (organization_id, content_id, grantee_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade,
  foreign key (organization_id, collection_id) references collections (organization_id, id) on update cascade on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create index grants_grantee on grants (organization_id, grantee_id, content_id);

create table link_invites (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  role text not null,
  space_id text,
  collection_id text,
  created_by text not null,
  created_at text not null,
  constraint link_invites_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  foreign key (organization_id, collection_id) references collections (organization_id, id) on delete cascade
);
create index link_invites_space on link_invites (organization_id, space_id);
create index link_invites_collection on link_invites (organization_id, collection_id);

create table email_invites (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  email text not null,
  role text not null,
  sso integer not null,
  invited_by text not null,
  created_at text not null,
  constraint email_invites_pkey primary key (organization_id, id),
  constraint email_invites_email unique (organization_id, email)
);

create table revisions (
  organization_id text not null,
  id text not null,
  space_id text not null,
  parents text not null,
  root_hash text not null,
  type text not null,
  created_by text,
  created_at text not null,
  constraint revisions_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index revisions_space on revisions (organization_id, space_id, created_at, id);
create index revisions_root on revisions (organization_id, root_hash);

create table objects (
  organization_id text not null references organizations (id) on delete cascade,
  hash text not null,
  body text not null,
  constraint objects_pkey primary key (organization_id, hash)
);

create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  status integer not null,
  location text,
  body text,
  created_at text not null,
  constraint idempotency_keys_pkey primary key (user_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table jobs (
  id text not null constraint jobs_pkey primary key,
  name text not null,
  key text,
  payload text not null,
  state text not null,
  attempts integer not null,
  run_at text not null,
  lease text,
  lease_until text,
  error text,
  created_at text not null,
  finished_at text
);
create index jobs_due on jobs (state, run_at, id);
create index jobs_key on jobs (name, key, state);

create table schedules (
  name text not null constraint schedules_pkey primary key,
  next_at text not null
)
`
