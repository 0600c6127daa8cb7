import type { Language } from '../../contract/space.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { copyGrantsOfSpace } from '../../domain/permissions/grant-store.ts'
import { createRevision, getRevision, listedContentOf } from '../../domain/revisions/revisions.ts'
import { requireCreateBeside } from '../../domain/spaces/require-create-beside.ts'
import { resolvePosition } from '../../domain/spaces/sibling-positions.ts'
import { insertSpace } from '../../domain/spaces/space-store.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

const maxTitleLength = 50

/** Returns the title of a translated space: the title of the source and the name of the language in that language. */
export function titleOfResult({ title }: Pick<Row<'spaces'>, 'title'>, language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  const suffix = ` (${name})`
  // Truncated without splitting a surrogate pair.
  const start = title.slice(0, maxTitleLength - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return title.endsWith(suffix) ? title : start + suffix
}

/** Creates the space of a translation beside its source, with the same visibility and permissions. */
export async function createResultSpace(
  context: SpaceContext,
  { language, id: translationId }: TranslationRow,
  rootHash: string,
): Promise<Row<'spaces'>> {
  const { db, space: source, principal, newId, now } = context
  const { organization_id: organizationId, parent_id: parentId } = source
  await requireCreateBeside(context)
  const revisionId = newId()
  const space = await insertSpace(db, {
    ...source,
    id: newId(),
    title: titleOfResult(source, language),
    language,
    edit_mode: 'live',
    position: await resolvePosition(
      db,
      { organizationId, parentId },
      { after: { type: 'space', space: source.id } },
      { id: '', parent_id: null, position: '' },
    ),
    revision_id: revisionId,
    comments_open: 0,
    change_requests: 0,
    change_requests_open: 0,
    change_requests_draft: 0,
    git_sync: null,
    created_at: now(),
    updated_at: now(),
  })
  await createRevision(context, {
    id: revisionId,
    space,
    rootHash,
    // An export then writes the files of the source, in which only the texts differ.
    listed: listedContentOf(await getRevision(db, source, source.revision_id)),
    type: 'edits',
    parents: [],
    createdBy: principal.user.id,
    createdAt: now(),
  })
  await copyGrantsOfSpace(db, source, space.id, now())
  await enqueueDerivations(context, space.id)
  await recordEventAbout(context, 'space', space, 'space.create', {
    after: { parent: parentId, translation: translationId },
  })
  return space
}
