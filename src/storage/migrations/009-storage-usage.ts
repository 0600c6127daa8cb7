/** Adds the blobs that each organization is charged for, and the total bytes by owner; the owner of the overall total is ''. */
const tables = `
create table organization_blobs (
  organization_id text not null,
  hash text not null,
  size bigint not null,
  constraint organization_blobs_pkey primary key (organization_id, hash)
);
create index organization_blobs_hash on organization_blobs (hash);
create table storage_usage (
  owner text not null constraint storage_usage_pkey primary key,
  bytes bigint not null
);
`

/** Charges organizations for their existing files. */
const charge = (sizeOf: string) => `
insert into organization_blobs (organization_id, hash, size)
select organization_id, blob, max(size) from (
  select organization_id, blob, ${sizeOf} as size from objects where blob is not null
  union all
  select organization_id, blob, size from uploads where blob is not null
) as files group by organization_id, blob;
insert into storage_usage (owner, bytes)
select organization_id, sum(size) from organization_blobs group by organization_id;
insert into storage_usage (owner, bytes) select '', coalesce(sum(size), 0) from organization_blobs
`

export const storageUsage = {
  sqlite: tables + charge(`json_extract(body, '$.size')`),
  postgres: tables + charge(`cast(cast(body as json) ->> 'size' as bigint)`),
}
