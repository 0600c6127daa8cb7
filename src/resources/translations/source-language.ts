import type { Language } from '../../contract/space.ts'
import { invalidateDerivedRows } from '../../derived/derivation-states.ts'
import { searchIndexJob } from '../../derived/jobs.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordSpaceEvent } from '../../domain/live/record-event.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { updateSpace } from '../../domain/spaces/space-store.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

/** Sets the language of a space that has none, so that sites show it as a variant in its language. */
export async function setMissingLanguage(
  context: OrganizationContext,
  space: Row<'spaces'>,
  language: Language,
): Promise<void> {
  if (space.language !== null) return
  const { db, enqueue, now } = context
  await updateSpace(db, space, { language, updated_at: now() })
  // The search index contains stems in the language of the space.
  await invalidateDerivedRows(db, 'search_states', space.organization_id, [space.id])
  await enqueue(db, searchIndexJob, { spaceId: space.id })
  await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
  await recordEventAbout(context, 'space', space, 'space.update', { before: { language: null }, after: { language } })
  await recordSpaceEvent(context, space)
}
