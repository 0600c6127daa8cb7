import type { Updateable } from 'kysely'
import { type LiveEventContext, recordJobEvent } from '../../domain/live/record-event.ts'
import type { Row, Tables } from '../../schema/tables.ts'
import { updateActiveRun } from './store.ts'

type Run = Row<'import_runs'>

/** Updates a run that has not ended, and notifies connected clients; returns undefined if it has ended or was deleted. */
export async function updateRun(
  context: LiveEventContext,
  run: Pick<Run, 'organization_id' | 'id'>,
  values: Updateable<Tables['import_runs']>,
): Promise<Run | undefined> {
  const updated = await updateActiveRun(context.db, run, values)
  if (updated) await recordRunEvent(context, updated)
  return updated
}

/** Records a new state or new progress of a run. */
export function recordRunEvent(
  context: LiveEventContext,
  run: Pick<Run, 'organization_id' | 'id' | 'space_id' | 'change_request_id'>,
): Promise<void> {
  const owner = { organizationId: run.organization_id, spaceId: run.space_id, changeRequestId: run.change_request_id }
  return recordJobEvent(context, owner, { type: 'import', id: run.id })
}
