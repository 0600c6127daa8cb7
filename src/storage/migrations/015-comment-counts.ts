/**
 * Adds the numbers of comments and mentions, so that lists do not count rows. Rows with an empty page or author count the comments of all;
 * replies have the status `reply` and are counted by author only.
 */
export const commentCounts = `
create table comment_counts (
  organization_id text not null,
  space_id text not null,
  change_request_id text not null,
  page_id text not null,
  author_id text not null,
  status text not null,
  count integer not null,
  constraint comment_counts_pkey primary key (organization_id, space_id, change_request_id, page_id, author_id, status),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
insert into comment_counts (organization_id, space_id, change_request_id, page_id, author_id, status, count)
  select organization_id, space_id, coalesce(change_request_id, ''), '', '', status, count(*)
  from comments where parent_id is null group by organization_id, space_id, change_request_id, status;
insert into comment_counts (organization_id, space_id, change_request_id, page_id, author_id, status, count)
  select organization_id, space_id, coalesce(change_request_id, ''), page_id, '', status, count(*)
  from comments where parent_id is null and page_id is not null
  group by organization_id, space_id, change_request_id, page_id, status;
insert into comment_counts (organization_id, space_id, change_request_id, page_id, author_id, status, count)
  select organization_id, space_id, coalesce(change_request_id, ''), '', author_id,
    case when parent_id is null then status else 'reply' end, count(*)
  from comments where author_id is not null
  group by organization_id, space_id, change_request_id, author_id, case when parent_id is null then status else 'reply' end;
insert into comment_counts (organization_id, space_id, change_request_id, page_id, author_id, status, count)
  select organization_id, space_id, coalesce(change_request_id, ''), page_id, author_id, status, count(*)
  from comments where parent_id is null and page_id is not null and author_id is not null
  group by organization_id, space_id, change_request_id, page_id, author_id, status;

create table mention_counts (
  user_id text not null references users (id) on delete cascade,
  organization_id text not null,
  space_id text not null,
  count integer not null,
  constraint mention_counts_pkey primary key (user_id, organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade
);
create index mention_counts_space on mention_counts (organization_id, space_id);
insert into mention_counts (user_id, organization_id, space_id, count)
  select user_id, organization_id, space_id, count(*) from comment_mentions group by user_id, organization_id, space_id;
drop index comment_mentions_space
`
