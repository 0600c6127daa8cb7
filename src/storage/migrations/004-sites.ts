/**
 * Adds sites: their structure, access and hostnames. `version` changes with every change to a site, so that results
 * computed from a site can be cached under it.
 */
export const sites = `
create table sites (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  type text not null,
  title text not null,
  visibility text not null,
  basename text not null,
  proxy text constraint sites_proxy unique,
  published integer not null,
  agents_context text not null,
  adaptive_content integer not null,
  default_level text not null,
  resolved_level text not null,
  default_item_id text,
  customization text,
  customization_updated_at text,
  adaptive_schema text,
  adaptive_schema_updated_at text,
  auth_backend text not null,
  auth_key text,
  auth_fallback_url text,
  auth_logout_url text,
  version text not null,
  created_at text not null,
  updated_at text not null,
  constraint sites_pkey primary key (organization_id, id),
  constraint sites_basename unique (organization_id, basename)
);
create index sites_id on sites (id);

create table site_items (
  organization_id text not null,
  site_id text not null,
  id text not null,
  kind text not null,
  parent_id text,
  position text not null,
  title text,
  localized_title text,
  description text,
  localized_description text,
  icon text,
  path text,
  condition text,
  draft integer not null,
  hidden integer not null,
  space_id text,
  page_id text,
  url text,
  default_item_id text,
  customization text,
  created_at text not null,
  constraint site_items_pkey primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, site_id, parent_id) references site_items (organization_id, site_id, id) on delete cascade,
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);
create index site_items_parent on site_items (organization_id, site_id, parent_id, position, id);
create index site_items_space on site_items (organization_id, space_id, site_id);

create table share_links (
  organization_id text not null,
  site_id text not null,
  id text not null,
  key text not null constraint share_links_key unique,
  name text not null,
  active integer not null,
  created_at text not null,
  constraint share_links_pkey primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);

create table site_redirects (
  organization_id text not null,
  site_id text not null,
  id text not null,
  source text not null,
  source_key text not null,
  draft integer not null,
  capture_wildcard integer not null,
  permanent integer not null,
  destination text not null,
  item_id text,
  created_at text not null,
  updated_at text not null,
  constraint site_redirects_pkey primary key (organization_id, site_id, id),
  constraint site_redirects_source unique (organization_id, site_id, source_key, draft),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, site_id, item_id) references site_items (organization_id, site_id, id) on delete cascade
);
create index site_redirects_item on site_redirects (organization_id, site_id, item_id);
create index site_redirects_created on site_redirects (organization_id, site_id, draft, created_at, id);
create index site_redirects_updated on site_redirects (organization_id, site_id, draft, updated_at, id);

create table custom_hostnames (
  organization_id text not null,
  site_id text not null,
  hostname text not null,
  token text not null,
  status text not null,
  is_active integer not null,
  created_at text not null,
  checked_at text,
  constraint custom_hostnames_pkey primary key (organization_id, site_id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);
create unique index custom_hostnames_active on custom_hostnames (hostname) where is_active = 1;
create index custom_hostnames_hostname on custom_hostnames (hostname, created_at);

alter table grants add column site_id text;
alter table organizations add column default_site_id text
`
