import { unlimitedReach } from '../../access/sso.ts'
import { findSpace } from '../../access/authorize.ts'
import { findPage } from '../../content/revision/tree.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import type { ImportWarning, ImportedPage } from '../../contract/imports.ts'
import type { JobContext, SpaceContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getEditableChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { addContent } from '../content/add-content.ts'
import { ImportError } from './source.ts'
import * as store from './store.ts'
import { RunEndedError } from './run-monitor.ts'
import { updateRun } from './update-run.ts'

type Run = Row<'import_runs'>

/** Result of an import. */
export interface ImportResult {
  /** Hashes of the imported roots, in order. */
  roots: readonly string[]
  pages: readonly ImportedPage[]
  done: number
  total: number
  warnings: readonly ImportWarning[]
  /** Whether the content replaces the initial page of a new space. */
  replacesFirstPage: boolean
}

/** Maximum number of stored warnings. */
const maxWarnings = 1000

/** Adds imported content to its target and ends the run, in one transaction. */
export async function completeRun(context: JobContext, run: Run, result: ImportResult): Promise<void> {
  const { transaction, now } = context
  await transaction(async (db) => {
    const current = await store.findRun(db, run.organization_id, run.id)
    if (current?.status !== 'in-progress') throw new RunEndedError()
    const editor = await createEditorContext(context, db, run)
    const revisionId = await addRevision(editor, run, result)
    const at = now()
    await updateRun(editor, run, {
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
  return { ...context, db, ...found, principal: { user, tokenId: '', scopes: null, reach: unlimitedReach } }
}

/** Adds the content to the current head of the target. */
async function addRevision(
  context: SpaceContext,
  run: Run,
  { roots, replacesFirstPage }: Pick<ImportResult, 'roots' | 'replacesFirstPage'>,
): Promise<string> {
  const { db, space } = context
  await lockSpace(db, space)
  const request =
    run.change_request_id === null ? undefined : await getEditableChangeRequest(context, run.change_request_id)
  if (!request && space.edit_mode === 'locked') {
    throw new ImportError('The space is locked. Import into a change request instead')
  }
  const into = run.page_id
  if (into !== null) await checkTargetPage(context, request?.revision_id ?? space.revision_id, into)
  return addContent(context, { request, roots, into, replacesFirstPage })
}

async function checkTargetPage(context: SpaceContext, revisionId: string, page: string): Promise<void> {
  const { tree } = await getRevisionContent(context, context.space, revisionId)
  if (!(await findPage(tree, page))) throw new ImportError('The target page of the import was deleted')
}
