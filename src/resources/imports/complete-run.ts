import { findSpace } from '../../access/authorize.ts'
import { graftTree } from '../../content/repository/graft.ts'
import { findPage, openTree } from '../../content/revision/tree.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import type { ImportWarning, ImportedPage } from '../../contract/imports.ts'
import type { JobContext, SpaceContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getEditableChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { createRevision, getRevisionContent, moveSpaceHead } from '../../domain/revisions/revisions.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { ImportError } from './source.ts'
import * as store from './store.ts'
import { RunEndedError } from './run-monitor.ts'

type Run = Row<'import_runs'>

/** Result of an import. */
export interface ImportResult {
  /** Hashes of the imported roots, in order. */
  roots: readonly string[]
  pages: readonly ImportedPage[]
  done: number
  total: number
  warnings: readonly ImportWarning[]
}

/** Maximum number of stored warnings. */
const maxWarnings = 1000

/** Adds imported content to its target and ends the run, in one transaction. */
export async function completeRun(context: JobContext, run: Run, result: ImportResult): Promise<void> {
  const { transaction, now } = context
  await transaction(async (db) => {
    const current = await store.findRun(db, run.organization_id, run.id)
    if (current?.status !== 'in-progress') throw new RunEndedError()
    const revisionId = await addRevision(await createEditorContext(context, db, run), run, result.roots)
    const at = now()
    await store.updateActiveRun(db, run, {
      status: 'completed',
      revision_id: revisionId,
      done: result.done,
      total: result.total,
      pages: JSON.stringify(result.pages),
      warnings: JSON.stringify(result.warnings.slice(0, maxWarnings)),
      warning_count: result.warnings.length,
      updated_at: at,
      completed_at: at,
    })
  })
}

/** Returns the context of the user who started the run; fails if the user can no longer edit the space. */
async function createEditorContext(context: JobContext, db: Db, run: Run): Promise<SpaceContext> {
  const userId = run.created_by
  if (userId === null) throw new ImportError('The user who started the import was deleted')
  const found = await findSpace(db, userId, run.space_id)
  if (!found) throw new ImportError('The space was deleted, or the user who started the import can no longer see it')
  if (!isActionAllowed('space', 'edit', found.role)) {
    throw new ImportError('The user who started the import can no longer edit the space')
  }
  const user = (await loadUsers(db, [userId])).get(userId)
  return { ...context, db, ...found, principal: { user, tokenId: '', scopes: null } }
}

/** Adds the content to the current head of the target. */
async function addRevision(context: SpaceContext, run: Run, roots: readonly string[]): Promise<string> {
  const { db, space, principal, newId, now } = context
  await lockSpace(db, space)
  const request =
    run.change_request_id === null ? undefined : await getEditableChangeRequest(context, run.change_request_id)
  if (!request && space.edit_mode === 'locked') {
    throw new ImportError('The space is locked. Import into a change request instead')
  }
  const before = request?.revision_id ?? space.revision_id
  const rootHash = await addContent(context, before, run.page_id, roots)
  if (request)
    return (await replaceChangeRequestHead(context, request, { rootHash, type: 'edits', parents: [before] }))
      .revision_id
  const id = newId()
  const details = { type: 'edits', parents: [before], createdBy: principal.user.id, createdAt: now() } as const
  await createRevision(db, { id, space, rootHash, ...details })
  if (!(await moveSpaceHead(context, space, id))) throw new Error('The content of the space was not locked')
  await exportAfterChange(context)
  return id
}

async function addContent(
  context: SpaceContext,
  revisionId: string,
  into: string | null,
  roots: readonly string[],
): Promise<string> {
  const { tree, objects, revision } = await getRevisionContent(context, context.space, revisionId)
  if (into !== null && !(await findPage(tree, into))) {
    throw new ImportError('The target page of the import was deleted')
  }
  let root = revision.root_hash
  for (const added of roots) {
    root = await graftTree(await openTree(objects, root), await openTree(objects, added), { into })
  }
  await objects.flush()
  return root
}
