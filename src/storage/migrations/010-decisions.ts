/**
 * Adds the revision to which the resolution of a conflict was applied, and the blocks of a change request that combine
 * texts of both sides.
 */
export const decisions = `
alter table change_request_conflicts add column resolved_from text;
alter table change_requests add column combined text not null default '[]'
`
