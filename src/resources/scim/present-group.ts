import { groupSchemaId } from '../../scim/schemas.ts'
import type { ScimGroupRow } from './group-store.ts'

export interface MemberOfGroup {
  user_id: string
  display_name: string
}

/** Presents a team; without its members if they were not loaded, else with the members at the end. */
export function presentGroup(row: ScimGroupRow, baseUrl: string, members?: readonly MemberOfGroup[]) {
  return {
    schemas: [groupSchemaId],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.title,
    meta: {
      resourceType: 'Group',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${baseUrl}/Groups/${row.id}`,
    },
    ...(members && { members: members.map((member) => presentMember(member, baseUrl)) }),
  }
}

export const presentMember = ({ user_id: id, display_name: display }: MemberOfGroup, baseUrl: string) => ({
  value: id,
  $ref: `${baseUrl}/Users/${id}`,
  display,
  type: 'User',
})
