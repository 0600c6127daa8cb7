/** Adds the links of spaces, and for each space the content that they were read from. Keys are compared by their bytes. */
function createTables(key: string): string {
  const spaceForeignKey =
    'foreign key (organization_id, space_id) references spaces (organization_id, id) on update cascade on delete cascade'
  return `
create table link_states (
  organization_id text not null,
  space_id text not null,
  format integer not null,
  root_hash text,
  pending_hash text,
  pending_after text not null,
  constraint link_states_pkey primary key (organization_id, space_id),
  ${spaceForeignKey}
);

create table links (
  organization_id text not null,
  space_id ${key} not null,
  source ${key} not null,
  target ${key} not null,
  subject ${key} not null,
  nodes text not null,
  constraint links_pkey primary key (organization_id, space_id, source, target),
  ${spaceForeignKey}
);
create index links_subject on links (organization_id, subject, target, space_id, source);

create table link_targets (
  organization_id text not null,
  space_id text not null,
  target ${key} not null,
  subject ${key} not null,
  container text not null,
  status text not null,
  uses integer not null,
  body text not null,
  constraint link_targets_pkey primary key (organization_id, space_id, target),
  ${spaceForeignKey}
);
create index link_targets_status on link_targets (organization_id, space_id, status, target);
create index link_targets_subject on link_targets (organization_id, subject, space_id, target);
create index link_targets_container on link_targets (organization_id, container, space_id, target);

create table link_counts (
  organization_id text not null,
  space_id text not null,
  container text not null,
  status text not null,
  count integer not null,
  constraint link_counts_pkey primary key (organization_id, space_id, container, status),
  ${spaceForeignKey}
)`
}

export const links = { sqlite: createTables('text'), postgres: createTables('text collate "C"') }
