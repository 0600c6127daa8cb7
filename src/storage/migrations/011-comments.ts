/**
 * Adds comments with replies, reactions and mentions, and moves the comments of reviews to them. Only the space has a foreign
 * key to it: a transfer updates the organization of all its comments in one statement.
 */
export const comments = `
create table comments (
  organization_id text not null,
  id text not null,
  space_id text not null,
  change_request_id text,
  review_id text,
  parent_id text,
  revision_id text not null,
  page_id text,
  page_title text,
  document_hash text,
  node_key text,
  cell_record text,
  cell_definition text,
  preview text,
  body text not null,
  status text not null,
  resolved_by text references users (id) on delete set null,
  resolved_at text,
  reply_count integer not null,
  author_id text references users (id) on delete set null,
  created_at text not null,
  edited_at text,
  constraint comments_pkey primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index comments_list on comments (organization_id, space_id, change_request_id, id) where parent_id is null;
create index comments_status on comments (organization_id, space_id, change_request_id, status, id) where parent_id is null;
create index comments_page on comments (organization_id, space_id, change_request_id, page_id, id) where parent_id is null;
create index comments_author on comments (organization_id, space_id, change_request_id, author_id, id);
create index comments_replies on comments (organization_id, parent_id, id) where parent_id is not null;
create index comments_review on comments (organization_id, review_id) where review_id is not null;

create table comment_reactions (
  organization_id text not null,
  comment_id text not null,
  emoji text not null,
  user_id text not null references users (id) on delete cascade,
  created_at text not null,
  constraint comment_reactions_pkey primary key (organization_id, comment_id, emoji, user_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on update cascade on delete cascade
);

create table comment_mentions (
  organization_id text not null,
  comment_id text not null,
  user_id text not null references users (id) on delete cascade,
  space_id text not null,
  created_at text not null,
  constraint comment_mentions_pkey primary key (organization_id, comment_id, user_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on update cascade on delete cascade
);
create index comment_mentions_user on comment_mentions (user_id, comment_id);
create index comment_mentions_space on comment_mentions (user_id, organization_id, space_id);

insert into comments (organization_id, id, space_id, change_request_id, review_id, revision_id, body, status, reply_count, author_id, created_at)
  select reviews.organization_id, reviews.id, change_requests.space_id, reviews.change_request_id, reviews.id, reviews.revision_id,
    reviews.comment, 'open', 0, reviews.reviewer_id, reviews.created_at
  from change_request_reviews as reviews
  join change_requests on change_requests.organization_id = reviews.organization_id and change_requests.id = reviews.change_request_id
  where reviews.comment is not null;
update change_requests set comments_open = (
  select count(*) from comments
  where comments.organization_id = change_requests.organization_id and comments.space_id = change_requests.space_id
    and comments.change_request_id = change_requests.id and comments.parent_id is null
);
alter table change_request_reviews drop column comment
`
