import type { Collection } from '../../contract/collections.ts'
import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentDefaultLevel } from './default-level.ts'

export const presentCollection = (row: Row<'collections'>, role: RoleOrGuest, urls: Urls): Collection => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  ...(row.description !== null && { description: row.description }),
  organization: row.organization_id,
  ...(row.parent_id !== null && { parent: row.parent_id }),
  defaultLevel: presentDefaultLevel(row.default_level),
  urls: { location: urls.api(`/collections/${row.id}`), app: urls.app(`/collections/${row.id}`) },
  permissions: {
    view: isActionAllowed('collection', 'view', role),
    admin: isActionAllowed('collection', 'admin', role),
    viewInviteLinks: isActionAllowed('collection', 'viewInviteLinks', role),
    create: isActionAllowed('collection', 'create', role),
  },
})
