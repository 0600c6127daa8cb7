import type { Link } from '../../render/shell/parts.ts'
import { gitListingOf } from '../../resources/content/git-places.ts'
import { editUrlOf } from '../../domain/git/repository-urls.ts'
import { findConnection } from '../../domain/git/git-state.ts'
import { getRevision } from '../../domain/revisions/revisions.ts'
import type { PageFrame } from '../page-frame.ts'
import type { PlacedPage } from '../view.ts'

/** Returns the link for editing a page in the repository of its space. */
export async function editLinkOf(
  { space, site: { texts, icon } }: PageFrame,
  { entry }: PlacedPage,
): Promise<Link | undefined> {
  // Previewed content differs from the files on the branch.
  if (space.previewPath.length > 0) return undefined
  const { db } = space.site.context
  const key = { organization_id: space.site.session.site.organization_id, id: space.item.spaceId ?? '' }
  const connection = await findConnection(db, key)
  // Before the first synchronization, the files of the repository do not belong to the content.
  if (!connection || connection.synced_revision_id === null) return undefined
  const revision = await getRevision(db, key, space.revisionId)
  const places = await gitListingOf({ revision, tree: space.tree }, { metadata: true }).placesOf([entry.id])
  const path = places.get(entry.id)?.path
  const href = path === undefined ? undefined : editUrlOf(connection, path)
  return href === undefined ? undefined : { title: texts.editThisPage, href, icon: icon('pen-to-square') }
}
