/** Adds what people sign in with: sessions, passwords, one-time links, and counters of failed attempts. */
export const signIn = `
create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  hash text not null,
  method text not null,
  has_second_factor integer not null,
  sso_organization_id text references organizations (id) on delete cascade,
  sso_provider_id text,
  created_at text not null,
  last_used_at text not null,
  expires_at text not null,
  client_address text not null,
  user_agent text not null
);

create unique index sessions_hash on sessions (hash);
create index sessions_user on sessions (user_id, id);
create index sessions_organization on sessions (sso_organization_id, user_id) where sso_organization_id is not null;
create index sessions_expiry on sessions (expires_at);

create table passwords (
  user_id text primary key references users (id) on delete cascade,
  hash text not null,
  updated_at text not null
);

create table sign_in_links (
  hash text primary key,
  kind text not null,
  user_id text references users (id) on delete cascade,
  email text,
  browser_hash text,
  next_path text,
  created_at text not null,
  expires_at text not null
);

create index sign_in_links_user on sign_in_links (user_id) where user_id is not null;
create index sign_in_links_expiry on sign_in_links (expires_at);

create table sign_in_attempts (
  key text primary key,
  failures integer not null,
  expires_at text not null
);

create index sign_in_attempts_expiry on sign_in_attempts (expires_at);

create table known_browsers (
  user_id text not null references users (id) on delete cascade,
  browser_hash text not null,
  used_at text not null,
  constraint known_browsers_pkey primary key (user_id, browser_hash)
)
`
