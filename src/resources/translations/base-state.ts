import { findChangeRequest } from '../../domain/change-requests/change-request-store.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import type { Db, Row } from '../../schema/tables.ts'

/** State with which the next run compares its source, and the content that it changes. */
export interface BaseState {
  /** The source that was translated last, and its translation; null before the first run. */
  sourceRoot: string | null
  machineRoot: string | null
  /** Change request of an earlier run that is still open; the next run continues it. */
  changeRequest: Row<'change_requests'> | undefined
}

/**
 * Returns the state that a run continues. The result of a run that is reviewed counts as soon as its change request is merged or
 * while it is open; if it was archived, its changes are proposed again.
 */
export async function findBaseState(db: Db, translation: TranslationRow): Promise<BaseState> {
  const {
    source_root_hash: sourceRoot,
    machine_root_hash: machineRoot,
    pending_change_request_id: requestId,
    pending_source_root_hash: pendingSourceRoot,
    pending_machine_root_hash: pendingMachineRoot,
  } = translation
  const request = requestId === null ? undefined : await findRequest(db, translation, requestId)
  if (!request || request.status === 'archived') return { sourceRoot, machineRoot, changeRequest: undefined }
  return {
    sourceRoot: pendingSourceRoot,
    machineRoot: pendingMachineRoot,
    changeRequest: request.status === 'merged' ? undefined : request,
  }
}

async function findRequest(
  db: Db,
  { organization_id, result_space_id }: TranslationRow,
  id: string,
): Promise<Row<'change_requests'> | undefined> {
  return result_space_id === null ? undefined : findChangeRequest(db, { organization_id, id: result_space_id }, id)
}
