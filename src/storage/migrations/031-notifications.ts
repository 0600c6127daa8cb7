/**
 * Adds notifications. An event is stored once, with the change that caused it, and a job adds a row for each receiver. Only the event
 * has a foreign key to the space, and only to it, so that a transfer updates the organization in one statement.
 */
export const notifications = `
create table notification_events (
  organization_id text not null,
  id text not null,
  space_id text not null,
  cause text not null,
  change_request_id text,
  page_id text,
  comment_id text,
  actor_id text references users (id) on delete set null,
  receivers text not null,
  details text not null,
  created_at text not null,
  constraint notification_events_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index notification_events_space on notification_events (organization_id, space_id);
create index notification_events_comment on notification_events (organization_id, comment_id) where comment_id is not null;
create index notification_events_actor on notification_events (actor_id);
create index notification_events_created on notification_events (created_at);

create table notifications (
  user_id text not null references users (id) on delete cascade,
  event_id text not null,
  organization_id text not null,
  space_id text not null,
  kind text not null,
  in_app integer not null,
  mail_due integer not null,
  read_at text,
  created_at text not null,
  constraint notifications_pkey primary key (user_id, event_id),
  foreign key (organization_id, event_id) references notification_events (organization_id, id) on update cascade on delete cascade
);
create index notifications_event on notifications (organization_id, event_id);
create index notifications_spaces on notifications (user_id, organization_id, space_id) where in_app = 1;
create index notifications_unread on notifications (user_id, organization_id, space_id, event_id) where in_app = 1 and read_at is null;
create index notifications_mail on notifications (created_at, user_id) where mail_due = 1;

create table follows (
  organization_id text not null,
  space_id text not null,
  target text not null,
  target_id text not null,
  user_id text not null references users (id) on delete cascade,
  is_following integer not null,
  created_at text not null,
  constraint follows_pkey primary key (organization_id, space_id, target, target_id, user_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index follows_user on follows (user_id);

create table notification_settings (
  user_id text not null references users (id) on delete cascade,
  kind text not null,
  in_app integer not null,
  email text not null,
  constraint notification_settings_pkey primary key (user_id, kind)
);

alter table live_events add column user_id text;

insert into follows (organization_id, space_id, target, target_id, user_id, is_following, created_at)
  select organization_id, space_id, 'change-request', id, created_by, 1, created_at from change_requests
  where status in ('draft', 'open')
`
