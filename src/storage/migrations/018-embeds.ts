/** Adds what is shown of URLs of other sites, by organization. */
export const embeds = `
create table embeds (
  organization_id text not null references organizations (id) on delete cascade,
  url_hash text not null,
  url text not null,
  state text not null,
  title text,
  site text,
  description text,
  icon text,
  player text,
  requested_at text,
  expires_at text not null,
  constraint embeds_pkey primary key (organization_id, url_hash)
);

create index embeds_requested on embeds (organization_id, requested_at) where requested_at is not null;
create index embeds_expiry on embeds (organization_id, expires_at);
create index embeds_state on embeds (state, expires_at)
`
