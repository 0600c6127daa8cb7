/** Adds the authorization of apps with OAuth: clients, grants, codes and refresh tokens. */
export const oauth = `
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  created_at text not null,
  used_at text not null
);

create index oauth_clients_use on oauth_clients (used_at);

create table oauth_grants (
  id text primary key,
  client_id text not null references oauth_clients (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  scopes text not null,
  sso_organization_id text references organizations (id) on delete cascade,
  created_at text not null,
  used_at text not null
);

create index oauth_grants_user on oauth_grants (user_id, id);
create index oauth_grants_client on oauth_grants (client_id);

create table oauth_codes (
  hash text primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  used integer not null,
  expires_at text not null
);

create index oauth_codes_grant on oauth_codes (grant_id);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_refresh_tokens (
  hash text primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  used integer not null,
  expires_at text not null
);

create index oauth_refresh_tokens_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at);

alter table tokens add column grant_id text references oauth_grants (id) on delete cascade;
create index tokens_grant on tokens (grant_id) where grant_id is not null
`
