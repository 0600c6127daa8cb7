import { unlimitedReach } from '../../access/sso.ts'
import { findSpace } from '../../access/authorize.ts'
import { mergeTrees } from '../../content/revision/merge.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import { getRevision } from '../../domain/revisions/revisions.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import * as store from '../../domain/translations/translation-store.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import type { JobContext, SpaceContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import { TranslationError } from '../../translators/budget.ts'
import { findBaseState } from './base-state.ts'
import { publishContent } from './publish-content.ts'
import { createResultSpace, titleOfResult } from './result-space.ts'
import { storeFindings } from './store-findings.ts'
import type { RunResult, StartedRun, TranslatedContent } from './run-content.ts'
import { RunEndedError } from './watch-run.ts'

/** Merges the translated content with edits of people, and ends the run, in one transaction. */
export async function completeRun(context: JobContext, started: StartedRun, content: TranslatedContent): Promise<void> {
  const { transaction, now } = context
  await transaction(async (db) => {
    const translation = await store.findTranslation(db, started.translation)
    const run = translation && (await store.findRun(db, translation, started.run.id))
    if (run?.status !== 'running' || !translation) throw new RunEndedError()
    const editor = await createEditorContext(context, db, { run, translation })
    const result = await applyContent(editor, translation, content)
    await storeFindings(editor, { run, translation }, content, result)
    const pages = content.items.flatMap(({ kind, id }) => (kind === 'page' ? [id] : []))
    await store.addTranslatedPages(db, translation, pages)
    const end = {
      status: 'completed',
      source_revision_id: content.sourceRevision.id,
      result_revision_id: result.revisionId,
      change_request_id: result.changeRequestId ?? null,
    } as const
    await store.endRun(db, run, end, now())
    await store.updateTranslation(db, translation, {
      result_space_id: result.space.id,
      result_revision_id: result.revisionId,
      ...toStoredRoots(content, result),
      latest_pages: pages.length,
    })
  })
}

/** Returns the roots that the next run continues; those of a change request apply when it is merged. */
function toStoredRoots({ base, sourceRevision, machineRoot }: TranslatedContent, { changeRequestId }: RunResult) {
  if (changeRequestId !== undefined)
    return {
      ...(base.changeRequest ? {} : { source_root_hash: base.sourceRoot, machine_root_hash: base.machineRoot }),
      pending_change_request_id: changeRequestId,
      pending_source_root_hash: sourceRevision.root_hash,
      pending_machine_root_hash: machineRoot,
    }
  return {
    source_root_hash: sourceRevision.root_hash,
    machine_root_hash: machineRoot,
    pending_change_request_id: null,
    pending_source_root_hash: null,
    pending_machine_root_hash: null,
  }
}

/** A run acts for the user who started it, or for the user who created the translation. */
async function createEditorContext(
  context: JobContext,
  db: Db,
  { run, translation }: StartedRun,
): Promise<SpaceContext> {
  const userId = run.started_by ?? translation.created_by
  if (userId === null) throw new TranslationError('The user who created the translation was deleted. Run it again')
  const found = await findSpace(db, userId, translation.source_space_id)
  if (!found || !isActionAllowed('space', 'create', found.role))
    throw new TranslationError('The user who started the run can no longer translate the source space')
  const user = (await loadUsers(db, [userId])).get(userId)
  return { ...context, db, ...found, principal: { user, tokenId: '', scopes: null, reach: unlimitedReach } }
}

/** Applies the translated content to the translated space, or to a change request of it; creates the space in the first run. */
async function applyContent(
  source: SpaceContext,
  translation: store.TranslationRow,
  content: TranslatedContent,
): Promise<RunResult> {
  const { db } = source
  const isReviewed = translation.result_mode === 'change-request'
  if (translation.result_space_id === null) {
    const rootHash = isReviewed ? content.empty : content.machineRoot
    const space = await createResultSpace(source, translation, rootHash)
    if (!isReviewed)
      return { space, revisionId: space.revision_id, rootHash, changeRequestId: undefined, conflicts: [] }
    return applyToSpace({ ...source, space, role: 'admin' }, translation, content)
  }
  const key = { organization_id: translation.organization_id, id: translation.result_space_id }
  await lockSpace(db, key)
  const space = await findLiveSpace(db, key)
  if (!space) throw new TranslationError('The translated space is in the trash. Restore it, or delete the translation')
  const found = await findSpace(db, source.viewer.userId, space.id)
  if (!found || !isActionAllowed('space', 'edit', found.role))
    throw new TranslationError('The user who started the run can no longer edit the translated space')
  return applyToSpace({ ...source, ...found }, translation, content)
}

async function applyToSpace(
  context: SpaceContext,
  translation: store.TranslationRow,
  content: TranslatedContent,
): Promise<RunResult> {
  const { db, space, openObjects } = context
  // The change request may have been merged or archived since the run has started.
  const { changeRequest, machineRoot } = await findBaseState(db, translation)
  if (machineRoot !== content.base.machineRoot || changeRequest?.id !== content.base.changeRequest?.id)
    throw new TranslationError('The change request of the translation was closed during the run. Run it again')
  const objects = openObjects(db, space.organization_id)
  const headId = changeRequest?.revision_id ?? space.revision_id
  const head = await getRevision(db, space, headId)
  const { root, conflicts } = await mergeTrees(
    objects,
    { base: machineRoot ?? content.empty, ours: content.machineRoot, theirs: head.root_hash },
    { language: translation.language, keepsTheirTexts: true, yieldIfDue: createYielder() },
  )
  await objects.flush()
  const unchanged = { space, revisionId: headId, rootHash: root, changeRequestId: changeRequest?.id, conflicts }
  if (root === head.root_hash) return unchanged
  if (changeRequest || translation.result_mode === 'change-request')
    return { ...unchanged, ...(await proposeContent(context, translation, changeRequest, root)) }
  if (space.edit_mode === 'locked')
    throw new TranslationError('The translated space is locked. Set `resultMode` of the translation to change-request')
  return { ...unchanged, revisionId: await publishContent(context, root) }
}

async function proposeContent(
  context: SpaceContext,
  translation: store.TranslationRow,
  open: Row<'change_requests'> | undefined,
  rootHash: string,
): Promise<Pick<RunResult, 'revisionId' | 'changeRequestId'>> {
  const request =
    open ??
    (await openChangeRequest(context, {
      subject: `Translation: ${titleOfResult(context.space, translation.language)}`,
      status: 'open',
      baseRevision: context.space.revision_id,
    }))
  const fields = { rootHash, type: 'edits', parents: [request.revision_id] } as const
  const { revision_id: revisionId } = await replaceChangeRequestHead(context, request, fields)
  return { revisionId, changeRequestId: request.id }
}
