/**
 * Adds sign-in through SAML identity providers. The requirement of SSO was not enforced before, and could not be met without
 * providers, so it is turned off: otherwise nobody could open these organizations any more.
 */
export const saml = `
alter table organizations add column sso_admin_id text references users (id) on delete set null;
update organizations set sso = 0;
update members set sso = 0;

alter table tokens add column sso_organization_id text;
alter table tokens add column is_from_operator integer not null default 0;

alter table sessions add column sso_subject text;
alter table sessions add column sso_subject_format text;
alter table sessions add column sso_session_index text;
create index sessions_provider on sessions (sso_provider_id, sso_subject) where sso_provider_id is not null;

create table saml_providers (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  label text not null,
  sso_url text not null,
  entity_id text not null,
  certificate text not null,
  certificate_expires_at text,
  logout_url text,
  default_team_id text,
  default_role text not null,
  sign_requests integer not null,
  allow_idp_initiated integer not null,
  created_at text not null,
  updated_at text not null,
  constraint saml_providers_pkey primary key (organization_id, id)
);

create unique index saml_providers_id on saml_providers (id);
create index saml_providers_expiry on saml_providers (certificate_expires_at) where certificate_expires_at is not null;

create table saml_requests (
  organization_id text not null,
  provider_id text not null,
  id text not null,
  browser_hash text,
  return_to text,
  answer text,
  expires_at text not null,
  constraint saml_requests_pkey primary key (organization_id, provider_id, id),
  constraint saml_requests_provider foreign key (organization_id, provider_id)
    references saml_providers (organization_id, id) on delete cascade
);

create index saml_requests_expiry on saml_requests (expires_at);

create table saml_replays (
  organization_id text not null,
  provider_id text not null,
  assertion_hash text not null,
  expires_at text not null,
  constraint saml_replays_pkey primary key (organization_id, provider_id, assertion_hash),
  constraint saml_replays_provider foreign key (organization_id, provider_id)
    references saml_providers (organization_id, id) on delete cascade
);

create index saml_replays_expiry on saml_replays (expires_at);

create table saml_identities (
  provider_kind text not null,
  provider_id text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  organization_id text references organizations (id) on delete cascade,
  is_managed integer not null,
  created_at text not null,
  last_used_at text not null,
  constraint saml_identities_pkey primary key (provider_kind, provider_id, subject)
);

create index saml_identities_user on saml_identities (user_id);
create index saml_identities_organization on saml_identities (organization_id)
`
