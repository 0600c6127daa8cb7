import type { EditMode, Language } from '../../contract/space.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getEndPosition } from '../../domain/spaces/sibling-positions.ts'
import { resolveLevelInCollection } from '../../domain/spaces/default-level.ts'
import { type ListedContent, createRevision, writeInitialRoot } from '../../domain/revisions/revisions.ts'
import { insertSpace } from '../../domain/spaces/space-store.ts'

interface NewSpace {
  organizationId: string
  container: Row<'collections'> | undefined
  createdBy: string
  title?: string | undefined
  emoji?: string | undefined
  language?: Language | undefined
  editMode?: EditMode | undefined
  /** Whether to create the space without its first page. */
  empty?: boolean | undefined
  /** Initial content, instead of the first page. */
  content?: ListedContent | undefined
}

/** Creates a space at the end of its container, with its first revision. */
export async function createSpace(
  db: Db,
  context: Pick<BaseContext, 'newId' | 'now' | 'openObjects' | 'enqueue'>,
  { organizationId, container, createdBy, title, emoji, language, editMode, empty = false, content }: NewSpace,
): Promise<Row<'spaces'>> {
  const { newId, now } = context
  const parentId = container?.id ?? null
  const revisionId = newId()
  const space = await insertSpace(db, {
    organization_id: organizationId,
    id: newId(),
    parent_id: parentId,
    title: title ?? 'Untitled',
    emoji: emoji ?? '',
    icon: null,
    visibility: 'private',
    edit_mode: editMode ?? 'live',
    language: language ?? null,
    default_level: 'inherit',
    resolved_level: resolveLevelInCollection(container, 'inherit'),
    position: await getEndPosition(db, { organizationId, parentId }),
    revision_id: revisionId,
    merge_rules: JSON.stringify({ type: 'inherit' }),
    comments_open: 0,
    change_requests: 0,
    change_requests_open: 0,
    change_requests_draft: 0,
    git_sync: null,
    created_at: now(),
    updated_at: now(),
    deleted_at: null,
  })
  const objects = context.openObjects(db, organizationId)
  await createRevision(db, {
    id: revisionId,
    space,
    rootHash: content?.root ?? (await writeInitialRoot(objects, context, { spaceId: space.id, isEmpty: empty })),
    listed: content,
    type: 'edits',
    parents: [],
    createdBy,
    createdAt: now(),
  })
  await enqueueDerivations({ db, enqueue: context.enqueue }, space.id)
  return space
}
