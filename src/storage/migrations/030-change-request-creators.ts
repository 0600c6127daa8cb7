/** Adds an index for the change requests that a user created; it contains all columns that counting them needs. */
export const changeRequestCreators = `
create index change_requests_creator on change_requests (organization_id, created_by, status, updated_at, id, space_id)
`
