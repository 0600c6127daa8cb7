/** Adds what the last DNS check of a hostname found, and the number of results of searches on sites. */
export const siteChecks = `
alter table custom_hostnames add column found_records text;
alter table site_events add column result_count integer
`
