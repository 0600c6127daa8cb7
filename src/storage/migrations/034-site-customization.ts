/** Adds unsaved settings of sites, which one user previews for a short time, and images of the customization. */
export const siteCustomization = `
create table customization_previews (
  organization_id text not null,
  site_id text not null,
  id text not null constraint customization_previews_id unique,
  user_id text not null references users (id) on delete cascade,
  settings text not null,
  created_at text not null,
  expires_at text not null,
  constraint customization_previews_pkey primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);

create index customization_previews_user on customization_previews (user_id, organization_id, site_id, created_at);
create index customization_previews_expiry on customization_previews (expires_at);

create table site_images (
  organization_id text not null,
  site_id text not null,
  id text not null,
  content_type text not null,
  data text not null,
  created_at text not null,
  constraint site_images_pkey primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
)
`
