const size = `cast(coalesce(sum(length(rtrim(data, '=')) * 3 / 4), 0) as bigint)`

const charge = (owner: string, grouping: string) => `
insert into storage_usage (owner, bytes)
select ${owner}, ${size} from site_images where true ${grouping}
on conflict (owner) do update set bytes = storage_usage.bytes + excluded.bytes`

/** Charges organizations for images of sites that were stored when images did not count toward the storage quota. */
export const siteImageUsage = [charge('organization_id', 'group by organization_id'), charge(`''`, '')].join(';\n')
