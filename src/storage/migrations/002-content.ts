/**
 * Adds change requests with their tables, and the columns and tables for content beyond the first revision. Until this
 * version all content was the same empty root, which is replaced by an empty root in the new format.
 */
export const content = `
alter table revisions add column change_request_id text;
alter table revisions add column merged_from_id text;
create index revisions_history on revisions (organization_id, space_id, change_request_id, id);

alter table objects add column written_at text not null default '';
alter table objects add column blob text;
create index objects_blob on objects (blob) where blob is not null;

create table unused_blobs (
  hash text not null constraint unused_blobs_pkey primary key,
  since text not null,
  is_deleting integer not null
);
create index unused_blobs_since on unused_blobs (since);

create table change_requests (
  organization_id text not null,
  id text not null,
  space_id text not null,
  number integer not null,
  status text not null,
  subject text not null,
  description text,
  links text not null,
  revision_id text not null,
  revision_initial_id text not null,
  revision_merged_ancestor_id text,
  revision_merged_id text,
  comments_open integer not null,
  conflicts_open integer not null,
  created_by text not null references users (id),
  created_at text not null,
  updated_at text not null,
  merged_by text references users (id),
  merged_at text,
  constraint change_requests_pkey primary key (organization_id, id),
  constraint change_requests_number unique (organization_id, space_id, number),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index change_requests_status on change_requests (organization_id, space_id, status, updated_at, id);
create index change_requests_updated on change_requests (organization_id, status, updated_at, id);
create index change_requests_created on change_requests (organization_id, status, created_at, id);

create table change_request_contributors (
  organization_id text not null,
  change_request_id text not null,
  user_id text not null references users (id) on delete cascade,
  action text not null,
  count integer not null,
  updated_at text not null,
  constraint change_request_contributors_pkey primary key (organization_id, change_request_id, user_id, action),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on update cascade on delete cascade
);
create index change_request_contributors_user on change_request_contributors (organization_id, user_id, change_request_id);

create table change_request_reviews (
  organization_id text not null,
  id text not null,
  change_request_id text not null,
  revision_id text not null,
  reviewer_id text not null references users (id) on delete cascade,
  requested_by text references users (id) on delete set null,
  status text not null,
  comment text,
  created_at text not null,
  updated_at text not null,
  constraint change_request_reviews_pkey primary key (organization_id, id),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on update cascade on delete cascade
);
create index change_request_reviews_request on change_request_reviews (organization_id, change_request_id, id);

create table change_request_reviewers (
  organization_id text not null,
  change_request_id text not null,
  user_id text not null references users (id) on delete cascade,
  revision_id text not null,
  requested_by text not null references users (id) on delete cascade,
  created_at text not null,
  constraint change_request_reviewers_pkey primary key (organization_id, change_request_id, user_id),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on update cascade on delete cascade
);
create index change_request_reviewers_user on change_request_reviewers (organization_id, user_id, change_request_id);

create table change_request_conflicts (
  organization_id text not null,
  id text not null,
  change_request_id text not null,
  name text not null,
  body text not null,
  resolution text,
  resolved_by text references users (id) on delete set null,
  resolved_at text,
  created_at text not null,
  constraint change_request_conflicts_pkey primary key (organization_id, id),
  constraint change_request_conflicts_name unique (organization_id, change_request_id, name),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on update cascade on delete cascade
);

create table uploads (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  content_type text not null,
  size integer not null,
  blob text,
  dimensions text,
  created_by text not null references users (id) on delete cascade,
  created_at text not null,
  constraint uploads_pkey primary key (organization_id, id)
);
create index uploads_created on uploads (created_at);
create index uploads_blob on uploads (blob) where blob is not null;

insert into objects (organization_id, hash, body)
  select organization_id, '1df3359471d05d8d4fd65a81b20e7b964e3bf147e5254fbf7dff1016f246d9a2',
    '{"files":{"entries":[],"level":0},"formerPaths":{"entries":[],"level":0},"kind":"root","pages":{"entries":[],"level":0},"parents":{"entries":[],"level":0},"reusableContents":{"entries":[],"level":0},"tags":{},"variables":{}}'
  from objects where hash = '35f15bb4c8074b5255af63c6d2057becf996f509fa0fb3da13b5e9f6b7df15ca';
update revisions set root_hash = '1df3359471d05d8d4fd65a81b20e7b964e3bf147e5254fbf7dff1016f246d9a2'
  where root_hash = '35f15bb4c8074b5255af63c6d2057becf996f509fa0fb3da13b5e9f6b7df15ca';
delete from objects where hash = '35f15bb4c8074b5255af63c6d2057becf996f509fa0fb3da13b5e9f6b7df15ca'
`
