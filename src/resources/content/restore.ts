import { TreeError } from '../../content/revision/draft.ts'
import { restorePage, restoreTree } from '../../content/revision/restore.ts'
import { findPage } from '../../content/revision/tree.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict, unknownReference } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import { putRevision } from '../../domain/change-requests/change-request-revisions.ts'
import { type Content, getContent } from '../../domain/revisions/revisions.ts'

/** Maximum length of a subject in characters. */
const maxSubject = 100

interface Restored {
  rootHash: string
  /** Default subject of the change request. */
  subject: string
}

/** Opens a change request that restores the space, or one of its pages, from a revision. */
export async function restoreRevision(
  context: SpaceContext,
  revisionId: string,
  { subject, page }: { subject?: string | undefined; page?: string | undefined },
): Promise<Row<'change_requests'>> {
  const { space } = context
  const former = await getContent(context, space, revisionId)
  const head = await getContent(context, space, space.revision_id)
  const restored =
    page === undefined ? await restoreSpace(context, head, former) : await restoreOne(context, head, former, page)
  await head.objects.flush()
  const request = await openChangeRequest(context, {
    subject: subject ?? restored.subject.slice(0, maxSubject),
    status: 'draft',
    baseRevision: space.revision_id,
  })
  return putRevision(context, request, { rootHash: restored.rootHash, type: 'edits', parents: [space.revision_id] })
}

async function restoreSpace({ now }: SpaceContext, head: Content, former: Content): Promise<Restored> {
  const rootHash = await restoreTree(head.tree, { ...former.tree, objects: head.objects }, now())
  if (rootHash === undefined) {
    throw conflict('Nothing to restore: the content of the space equals that of this revision')
  }
  return { rootHash, subject: `Restore the content of ${timeOf(former)}` }
}

async function restoreOne({ now }: SpaceContext, head: Content, former: Content, page: string): Promise<Restored> {
  const formerTree = { ...former.tree, objects: head.objects }
  const was = await findPage(formerTree, page)
  if (!was) throw unknownReference('body.page', 'page in this revision')
  const rootHash = await restorePage(head.tree, formerTree, was, now()).catch((error: unknown) => {
    if (error instanceof TreeError) throw conflict(`The page cannot be restored: ${error.message}`)
    throw error
  })
  if (rootHash === head.revision.root_hash) {
    throw conflict('Nothing to restore: the page equals that of this revision')
  }
  return { rootHash, subject: `Restore the page of ${timeOf(former)}: ${was.page.title}` }
}

/** Formats the creation time of a revision for a subject. */
const timeOf = ({ revision }: Content): string => `${revision.created_at.slice(0, 16).replace('T', ' ')} UTC`
