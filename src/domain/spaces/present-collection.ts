import type { Collection } from '../../contract/collections.ts'
import { type RoleOrGuest, may } from '../../contract/roles.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentLevel } from './default-level.ts'

export const presentCollection = (row: Row<'collections'>, role: RoleOrGuest, urls: Urls): Collection => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  ...(row.description !== null && { description: row.description }),
  organization: row.organization_id,
  ...(row.parent_id !== null && { parent: row.parent_id }),
  defaultLevel: presentLevel(row.default_level),
  urls: { location: urls.api(`/collections/${row.id}`), app: urls.app(`/collections/${row.id}`) },
  permissions: {
    view: may('collection', 'view', role),
    admin: may('collection', 'admin', role),
    viewInviteLinks: may('collection', 'viewInviteLinks', role),
    create: may('collection', 'create', role),
  },
})
