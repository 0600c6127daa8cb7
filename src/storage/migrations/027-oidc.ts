/** Adds sign-in with OpenID Connect: identities of users at providers, and sign-ins that a browser has started. */
export const oidc = `
create table oidc_identities (
  provider_id text not null,
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  created_at text not null,
  last_used_at text not null,
  constraint oidc_identities_pkey primary key (provider_id, issuer, subject)
);

create unique index oidc_identities_user on oidc_identities (user_id, provider_id);

create index email_invites_address on email_invites (email);

create table oidc_requests (
  state_hash text primary key,
  provider_id text not null,
  browser_hash text not null,
  user_id text references users (id) on delete cascade,
  secrets text not null,
  next_path text,
  expires_at text not null
);

create index oidc_requests_user on oidc_requests (user_id) where user_id is not null;
create index oidc_requests_expiry on oidc_requests (expires_at)
`
