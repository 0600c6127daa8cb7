/**
 * Adds events of published sites and feedback from visitors. All events of a visitor are in the same portion, so that
 * the figures of a site are the sums over its portions. Events and feedback remain for a while after their site is
 * deleted, because deleting millions of rows with it would take too long; therefore no foreign key refers to the site.
 */
export const insights = `
create table site_events (
  organization_id text not null,
  site_id text not null,
  portion integer not null,
  occurred_at text not null,
  id text not null,
  week text not null,
  day_of_week integer not null,
  type text not null,
  url_origin text not null,
  url_path text not null,
  display_context text not null,
  section_id text,
  site_space_id text,
  share_link_id text,
  space_id text,
  revision_id text,
  page_id text,
  visitor_hash text not null,
  session_hash text not null,
  authenticated integer not null,
  device text not null,
  browser text not null,
  os text not null,
  bot text,
  language text,
  referrer text,
  referrer_domain text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  link_target text,
  link_kind text,
  link_domain text,
  link_position text,
  operation_path text,
  operation_method text,
  llms_variant text,
  markdown_source text,
  query text,
  record_id text,
  feedback_rating text,
  feedback_comment text,
  ask_rating integer,
  ad_domain text,
  ad_placement text,
  trademark_placement text,
  constraint site_events_pkey primary key (organization_id, site_id, portion, occurred_at, id)
);
create index site_events_occurred on site_events (occurred_at);

create table site_feedback (
  organization_id text not null,
  site_id text not null,
  id text not null,
  said_by text not null,
  space_id text,
  page_id text,
  url text not null,
  rating text not null,
  comment text,
  created_at text not null,
  constraint site_feedback_pkey primary key (organization_id, site_id, id),
  constraint site_feedback_said_by unique (organization_id, site_id, said_by)
);
create index site_feedback_created on site_feedback (organization_id, site_id, created_at, id);
create index site_feedback_age on site_feedback (created_at)
`
