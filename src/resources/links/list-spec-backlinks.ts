import type { LocationList } from '../../contract/links.ts'
import type { ListQuery } from '../../contract/shared.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { parseSourceKey, subjectOf } from '../../links/link-target.ts'
import { findBacklinks } from '../../links/queries.ts'
import { findTargetsBySubject } from '../../links/store.ts'
import { presentLocation } from './present.ts'
import { findVisibleContainers } from './visible-containers.ts'

/** Lists the places that use a specification, which content names by its slug or ID. */
export async function listSpecBacklinks(
  context: OrganizationContext,
  names: readonly string[],
  query: ListQuery,
): Promise<LocationList> {
  const { db, organization } = context
  const cursor = decodeCursor(query.page, 3)
  const [target = '', spaceId = '', source = ''] = cursor ?? []
  const subjects = names.map((id) => subjectOf({ kind: 'openapi', id }))
  const targets = await findTargetsBySubject(db, organization.id, subjects)
  const visible = await findVisibleContainers(
    context,
    targets.map((row) => row.space_id),
  )
  const shown = targets.filter((row) => visible.has(row.space_id))
  const links = await findBacklinks(db, organization.id, shown, {
    after: cursor && { target, space_id: spaceId, source },
    limit: query.limit + 1,
  })
  const locations = {
    organizationId: organization.id,
    versionOf(id: string) {
      const revision = visible.revisionOf(id)
      return revision === undefined ? undefined : ({ type: 'revision', revision } as const)
    },
  }
  return toPage(
    links,
    query,
    shown.reduce((sum, row) => sum + row.uses, 0),
    (link) => [link.target, link.space_id, link.source],
    (link) =>
      presentLocation(link.space_id, parseSourceKey(link.source), (JSON.parse(link.nodes) as string[])[0], locations),
  )
}
