import { TreeError } from '../../content/revision/tree-error.ts'
import { restorePage, restoreTree } from '../../content/revision/restore.ts'
import { findPage } from '../../content/revision/tree.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict, unknownReference } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import { type RevisionContent, getRevisionContent } from '../../domain/revisions/revisions.ts'

/** Maximum length of a subject in characters. */
const maxSubjectLength = 100

interface RestoredContent {
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
  const former = await getRevisionContent(context, space, revisionId)
  const head = await getRevisionContent(context, space, space.revision_id)
  const restored =
    page === undefined
      ? await restoreSpace(context, head, former)
      : await restoreSinglePage(context, head, former, page)
  await head.objects.flush()
  const request = await openChangeRequest(context, {
    subject: subject ?? restored.subject.slice(0, maxSubjectLength),
    status: 'draft',
    baseRevision: space.revision_id,
  })
  return replaceChangeRequestHead(context, request, {
    rootHash: restored.rootHash,
    type: 'edits',
    parents: [space.revision_id],
  })
}

async function restoreSpace(
  { now }: SpaceContext,
  head: RevisionContent,
  former: RevisionContent,
): Promise<RestoredContent> {
  const rootHash = await restoreTree(head.tree, { ...former.tree, objects: head.objects }, now())
  if (rootHash === undefined) {
    throw conflict('Nothing to restore: the content of the space equals that of this revision')
  }
  return { rootHash, subject: `Restore the content of ${formatRevisionTime(former)}` }
}

async function restoreSinglePage(
  { now }: SpaceContext,
  head: RevisionContent,
  former: RevisionContent,
  page: string,
): Promise<RestoredContent> {
  const formerTree = { ...former.tree, objects: head.objects }
  const formerPage = await findPage(formerTree, page)
  if (!formerPage) throw unknownReference('body.page', 'page in this revision')
  const rootHash = await restorePage(head.tree, formerTree, formerPage, now()).catch((error: unknown) => {
    if (error instanceof TreeError) throw conflict(`The page cannot be restored: ${error.message}`)
    throw error
  })
  if (rootHash === head.revision.root_hash) {
    throw conflict('Nothing to restore: the page equals that of this revision')
  }
  return { rootHash, subject: `Restore the page of ${formatRevisionTime(former)}: ${formerPage.page.title}` }
}

/** Formats the creation time of a revision for a subject. */
const formatRevisionTime = ({ revision }: RevisionContent): string =>
  `${revision.created_at.slice(0, 16).replace('T', ' ')} UTC`
