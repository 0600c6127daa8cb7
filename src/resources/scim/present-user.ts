import { octavoUserSchemaId, userSchemaId } from '../../scim/schemas.ts'
import type { ScimUserRow } from './user-store.ts'

export interface GroupOfUser {
  id: string
  title: string
}

/**
 * Presents a member. If the identity provider manages the member, the reply contains only data that it has sent, and no other data
 * of the account, which may belong to other organizations, too.
 */
export function presentUser(row: ScimUserRow, baseUrl: string, groups?: readonly GroupOfUser[]) {
  return {
    schemas: [userSchemaId, octavoUserSchemaId],
    id: row.user_id,
    ...presentIdentity(row),
    active: row.disabled === 0,
    roles: [{ value: row.role, primary: true }],
    ...(groups && {
      groups: groups.map(({ id, title }) => ({ value: id, $ref: `${baseUrl}/Groups/${id}`, display: title })),
    }),
    [octavoUserSchemaId]: { role: row.role },
    meta: {
      resourceType: 'User',
      created: row.joined_at,
      lastModified: row.updated_at ?? row.joined_at,
      location: `${baseUrl}/Users/${row.user_id}`,
    },
  }
}

function presentIdentity(row: ScimUserRow) {
  if (row.user_name === null) {
    return {
      userName: row.account_email,
      name: { formatted: row.account_name },
      displayName: row.account_name,
      emails: [{ value: row.account_email, type: 'work', primary: true }],
    }
  }
  const name = {
    ...(row.formatted_name !== null && { formatted: row.formatted_name }),
    ...(row.family_name !== null && { familyName: row.family_name }),
    ...(row.given_name !== null && { givenName: row.given_name }),
  }
  return {
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    ...(Object.keys(name).length > 0 && { name }),
    ...(row.display_name !== null && { displayName: row.display_name }),
    emails: [{ value: row.email, type: row.email_type, primary: true }],
  }
}
