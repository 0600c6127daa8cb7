/** What a decision about a conflict was made from, and which blocks of a change request combine texts of both sides. */
export const decisions = `
alter table change_request_conflicts add column resolved_from text;
alter table change_requests add column combined text not null default '[]'
`
