import { Draft } from '../../content/revision/draft.ts'
import { graftTree } from '../../content/repository/graft.ts'
import { openTree } from '../../content/revision/tree.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { findUnchangedFirstPage } from '../../domain/revisions/first-page.ts'
import { createRevision, getRevisionContent, moveSpaceHead } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

export interface AddedContent {
  /** The change request to change; without one, the space itself is changed. */
  request: Row<'change_requests'> | undefined
  /** Hashes of the roots of the added content. */
  roots: readonly string[]
  /** Id of the parent of the added pages; null is the top level. */
  into?: string | null
  /** Whether the added pages replace the page with which a space was created, if it is unchanged and the only page. */
  replacesFirstPage?: boolean
}

/**
 * Adds content to the head of a space or of a change request, as one new revision. The space must be locked. Returns the id of
 * the revision.
 */
export async function addContent(context: SpaceContext, added: AddedContent): Promise<string> {
  const { space, principal, newId, now } = context
  const { request } = added
  const before = request?.revision_id ?? space.revision_id
  const rootHash = await writeRoot(context, before, added)
  if (request) {
    const changed = await replaceChangeRequestHead(context, request, { rootHash, type: 'edits', parents: [before] })
    return changed.revision_id
  }
  const id = newId()
  const details = { type: 'edits', parents: [before], createdBy: principal.user.id, createdAt: now() } as const
  await createRevision(context, { id, space, rootHash, ...details })
  if (!(await moveSpaceHead(context, space, id))) throw new Error('The content of the space was not locked')
  await exportAfterChange(context)
  return id
}

async function writeRoot(
  context: SpaceContext,
  revisionId: string,
  { roots, into = null, replacesFirstPage = false }: AddedContent,
): Promise<string> {
  const { tree, objects, revision } = await getRevisionContent(context, context.space, revisionId)
  const replacedPage = replacesFirstPage ? await findUnchangedFirstPage(tree, context.space.id) : undefined
  let root = revision.root_hash
  if (replacedPage !== undefined) {
    const draft = new Draft(tree)
    await draft.deletePage(replacedPage)
    root = await draft.commit()
  }
  for (const added of roots) {
    root = await graftTree(await openTree(objects, root), await openTree(objects, added), { into })
  }
  await objects.flush()
  return root
}
