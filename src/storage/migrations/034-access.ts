/** Adds events for one user, and the teams that people join with an invite. */
export const access = `
alter table live_events add column user_id text;
alter table email_invites add column team_ids text not null default '[]'
`
