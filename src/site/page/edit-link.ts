import type { Link } from '../../render/shell/parts.ts'
import { openGitListing } from '../../resources/content/git-listing.ts'
import { editUrlOf } from '../../domain/git/repository-urls.ts'
import { findGitConnection } from '../../domain/git/git-state.ts'
import { getRevision } from '../../domain/revisions/revisions.ts'
import type { PageFrame } from '../page-frame.ts'
import type { SitePage } from '../view.ts'

/** Returns the link for editing a page in the repository of its space. */
export async function findEditLink(
  { space, site: { texts, icon } }: PageFrame,
  { entry }: SitePage,
): Promise<Link | undefined> {
  // Previewed content differs from the files on the branch.
  if (space.previewPath.length > 0) return undefined
  const { db } = space.site.context
  const key = { organization_id: space.site.session.site.organization_id, id: space.item.spaceId ?? '' }
  const connection = await findGitConnection(db, key)
  // Before the first synchronization, the files of the repository do not belong to the content.
  if (!connection || connection.synced_revision_id === null) return undefined
  const revision = await getRevision(db, key, space.revisionId)
  const places = await openGitListing({ revision, tree: space.tree }, { metadata: true }).findBlobs([entry.id])
  const path = places.get(entry.id)?.path
  const href = path === undefined ? undefined : editUrlOf(connection, path)
  return href === undefined ? undefined : { title: texts.editThisPage, href, icon: icon('pen-to-square') }
}
