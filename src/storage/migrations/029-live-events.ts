const presence = `
create table presence (
  credential_id text not null,
  tab text not null,
  user_id text not null references users (id) on delete cascade,
  organization_id text not null,
  space_id text not null,
  page_id text,
  change_request_id text,
  editing integer not null,
  updated_at text not null,
  expires_at text not null,
  constraint presence_pkey primary key (credential_id, tab),
  constraint presence_space foreign key (organization_id, space_id)
    references spaces (organization_id, id) on update cascade on delete cascade
);

create index presence_space on presence (organization_id, space_id);
create index presence_user on presence (user_id);
create index presence_expires on presence (expires_at)
`

/**
 * Adds live events and presence. Numbers of events are never used again. In PostgreSQL, the transaction of an event decides whether
 * a snapshot contains it, because transactions do not commit in the order of the numbers.
 */
export const liveEvents = {
  sqlite: `
create table live_events (
  number integer primary key autoincrement,
  organization_id text not null references organizations (id) on delete cascade,
  space_id text,
  kind text not null,
  data text not null,
  created_at text not null
);

create index live_events_organization on live_events (organization_id, number);
create index live_events_created on live_events (created_at);
${presence}`,
  postgres: `
create table live_events (
  number bigint generated always as identity,
  organization_id text not null references organizations (id) on delete cascade,
  space_id text,
  kind text not null,
  data text not null,
  created_at text not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  constraint live_events_pkey primary key (number)
);

create index live_events_organization on live_events (organization_id);
create index live_events_created on live_events (created_at);
create index live_events_transaction on live_events (transaction_id);
${presence}`,
}
