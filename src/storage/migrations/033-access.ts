/** Adds the teams that people join with an invite, and operators of the server. */
export const access = `
alter table email_invites add column team_ids text not null default '[]';
alter table users add column is_operator integer not null default 0
`
