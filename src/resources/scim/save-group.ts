import { z } from 'zod'
import { recordAccessEvents, recordTeamAccessEvents } from '../../domain/live/record-event.ts'
import { findMemberUsers } from '../../domain/members/member-store.ts'
import {
  deleteOtherTeamMembers,
  deleteTeam,
  deleteTeamMembers,
  insertTeam,
  updateTeam,
  upsertTeamMembers,
} from '../../domain/teams/team-store.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Attributes } from '../../scim/canonical.ts'
import { ScimError } from '../../scim/errors.ts'
import type { MemberChanges } from '../../scim/group-changes.ts'
import type { ScimContext } from '../../scim/route.ts'
import { parseAttributes } from '../../scim/user-values.ts'
import * as store from './group-store.ts'

/** Longer than the titles that people enter, because groups of identity providers have such names. */
const DisplayName = z.string().trim().min(1).max(256)
const ExternalId = z.string().trim().max(256).nullable()

const NewGroup = z.object({ displayName: DisplayName, externalId: ExternalId.optional() })
const ChangedGroup = NewGroup.partial()

/** Returns a team, or fails as for an unknown one if it belongs to another organization. */
export async function getGroup({ db, organization }: ScimContext, teamId: string): Promise<store.ScimGroupRow> {
  const row = await store.findGroup(db, organization.id, teamId)
  if (!row) throw notFound('group')
  return row
}

/** Creates a team with members. */
export async function createGroup(
  context: ScimContext,
  attributes: Attributes,
  memberIds: readonly string[],
): Promise<string> {
  const { db, organization, now, newId } = context
  const { displayName, externalId } = parseAttributes(NewGroup, attributes)
  await assertTitleIsFree(context, displayName, '')
  const [id, at] = [newId(), now()]
  await insertTeam(db, {
    organization_id: organization.id,
    id,
    title: displayName,
    member_count: 0,
    created_at: at,
    updated_at: at,
  })
  await store.upsertScimGroup(db, organization.id, id, externalId || null)
  await changeMembers(context, id, { replacesAll: false, added: new Set(memberIds), removed: new Set() })
  return id
}

/** Changes a team. Attributes that are absent stay as they are. */
export async function saveGroup(
  context: ScimContext,
  group: store.ScimGroupRow,
  attributes: Attributes,
  members: MemberChanges,
): Promise<void> {
  const { db, organization, now } = context
  const { displayName = group.title, externalId } = parseAttributes(ChangedGroup, attributes)
  if (displayName !== group.title) await assertTitleIsFree(context, displayName, group.id)
  await updateTeam(db, organization.id, group.id, { title: displayName, updated_at: now() })
  if (externalId !== undefined) await store.upsertScimGroup(db, organization.id, group.id, externalId || null)
  await changeMembers(context, group.id, members)
}

/** Deletes a team. */
export async function removeGroup(context: ScimContext, teamId: string): Promise<void> {
  const { id } = await getGroup(context, teamId)
  await recordTeamAccessEvents(context, context.organization.id, id)
  await deleteTeam(context.db, context.organization.id, id)
}

async function changeMembers(
  context: ScimContext,
  teamId: string,
  { replacesAll, added, removed }: MemberChanges,
): Promise<void> {
  const { db, organization, now } = context
  const users = added.size === 0 ? [] : await findMemberUsers(db, organization.id, [...added])
  const known = new Set(users.map((user) => user.id))
  for (const id of added) {
    if (!known.has(id)) throw new ScimError('invalidValue', `members: ${id} is not a user of this organization`)
  }
  const key = { organization_id: organization.id, team_id: teamId }
  if (replacesAll) {
    await recordTeamAccessEvents(context, organization.id, teamId)
    await deleteOtherTeamMembers(db, key, [...added])
  }
  await deleteTeamMembers(db, key, [...removed])
  await upsertTeamMembers(db, key, [...added], undefined, now())
  await recordAccessEvents(context, organization.id, [...added, ...removed])
}

async function assertTitleIsFree({ db, organization }: ScimContext, title: string, teamId: string): Promise<void> {
  if (await store.isTitleTaken(db, organization.id, title, teamId)) {
    throw new ScimError('uniqueness', 'A group with this displayName already exists')
  }
}
