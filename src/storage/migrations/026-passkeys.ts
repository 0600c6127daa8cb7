/** Adds passkeys and second factors: authenticator apps, recovery codes, and sign-ins that wait for a second factor. */
export const passkeys = `
create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  label text not null,
  backed_up integer not null,
  created_at text not null,
  last_used_at text
);

create index passkeys_user on passkeys (user_id, created_at);

create table used_challenges (
  hash text primary key,
  expires_at text not null
);

create index used_challenges_expiry on used_challenges (expires_at);

create table authenticator_apps (
  user_id text primary key references users (id) on delete cascade,
  secret text not null,
  last_step integer not null,
  created_at text not null
);

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  hash text not null,
  constraint recovery_codes_pkey primary key (user_id, hash)
);

create table pending_sign_ins (
  hash text primary key,
  user_id text not null references users (id) on delete cascade,
  browser_hash text not null,
  method text not null,
  sso_organization_id text references organizations (id) on delete cascade,
  sso_provider_id text,
  next_path text,
  expires_at text not null
);

create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);

alter table organizations add column second_factor_required integer not null default 0
`
