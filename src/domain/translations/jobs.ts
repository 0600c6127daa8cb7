import type { BaseContext, JobDescriptor } from '../../kernel/context.ts'
import { seconds } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { findFollowingTranslationIds } from './translation-store.ts'

/** The job that runs a translation. */
export const runTranslationJob: JobDescriptor<{ organizationId: string; translationId: string; runId: string }> = {
  name: 'translations.run',
  key: ({ runId }) => runId,
}

/** The job that starts a run some time after the source has changed, so that many changes start one run. */
export const followSourceJob: JobDescriptor<{ organizationId: string; translationId: string }> = {
  name: 'translations.follow',
  key: ({ organizationId, translationId }) => `${organizationId} ${translationId}`,
  delay: seconds(30),
}

/** Schedules runs of the translations that follow a space, after its head has moved. */
export async function enqueueFollowingTranslations(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
): Promise<void> {
  for (const translationId of await findFollowingTranslationIds(db, space))
    await enqueue(db, followSourceJob, { organizationId: space.organization_id, translationId })
}
