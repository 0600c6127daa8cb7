import type { EditMode, Language } from '../../contract/space.ts'
import type { BaseContext, MemberContext } from '../../kernel/context.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getEndPosition } from '../../domain/spaces/sibling-positions.ts'
import type { AuditContext } from '../../domain/audit/record-event.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordSpaceEvent } from '../../domain/live/record-event.ts'
import { resolveLevelInCollection } from '../../domain/spaces/default-level.ts'
import { type ListedContent, createRevision, writeInitialRoot } from '../../domain/revisions/revisions.ts'
import { insertSpace } from '../../domain/spaces/space-store.ts'
import {
  type RequestedTemplate,
  openTemplate,
  startTemplateImport,
  writeTemplateRoot,
} from '../templates/apply-template.ts'

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
  content?: (Pick<ListedContent, 'root'> & Partial<ListedContent>) | undefined
}

/** Creates a space at the end of its container, with its first revision. */
export async function createSpace(
  db: Db,
  context: Pick<BaseContext, 'newId' | 'now' | 'openObjects' | 'enqueue'> & Omit<AuditContext, 'db'>,
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
  await createRevision(
    { db, openObjects: context.openObjects },
    {
      id: revisionId,
      space,
      rootHash: content?.root ?? (await writeInitialRoot(objects, context, { spaceId: space.id, isEmpty: empty })),
      listed: content?.listing === undefined ? undefined : { root: content.root, listing: content.listing },
      type: 'edits',
      parents: [],
      createdBy,
      createdAt: now(),
    },
  )
  await enqueueDerivations({ db, enqueue: context.enqueue }, space.id)
  await recordEventAbout({ ...context, db }, 'space', space, 'space.create', { after: { parent: parentId } })
  await recordSpaceEvent({ ...context, db }, space)
  return space
}

/** Creates a space with the content of a template, whose title and emoji are the defaults of the space. */
export async function createSpaceFromTemplate(
  context: MemberContext,
  { title, emoji, ...space }: NewSpace,
  requested: RequestedTemplate,
): Promise<Row<'spaces'>> {
  const template = await openTemplate(context, requested)
  const root = await writeTemplateRoot(context, template)
  const created = await createSpace(context.db, context, {
    ...space,
    title: title ?? template.title,
    emoji: emoji ?? template.emoji,
    ...(root === undefined ? { empty: true } : { content: { root } }),
  })
  if (root === undefined) await startTemplateImport({ ...context, space: created, role: 'admin' }, template)
  return created
}
