import type { GitCommit } from '../../contract/revision.ts'
import { Draft } from '../../content/revision/draft.ts'
import { emptyRoot } from '../../content/revision/objects.ts'
import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { BaseContext, ObjectStore, OpenObjects } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { addComputedSources } from '../computed/computed-sources.ts'
import { writeComputedRoot } from '../computed/computed-root.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import { tryUpdateLinks } from '../../links/update-links.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { revalidate, spaceCacheTag } from '../revalidation/revalidate.ts'
import { type LiveEventContext, recordLiveEvent } from '../live/record-event.ts'
import { updateSpaceHead } from '../spaces/space-store.ts'
import { enqueueFollowingTranslations } from '../translations/jobs.ts'
import { writeFirstPage } from './first-page.ts'
import * as store from './revision-store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

/** A revision with its tree of pages and files. */
export interface RevisionContent {
  space: SpaceKey
  revision: Row<'revisions'>
  tree: Tree
  /** Hash of the root of the tree. */
  rootHash: string
  objects: ObjectStore
}

interface ReadContext {
  db: Db
  openObjects: OpenObjects
}

/** Opens the content of a revision as it was written; fails if the space has no such revision. */
export async function getRevisionContent(
  context: ReadContext,
  space: SpaceKey,
  revisionId: string,
): Promise<RevisionContent> {
  const revision = await getRevision(context.db, space, revisionId)
  return openRevision(context, space, revision, revision.root_hash)
}

/**
 * Opens the content of a revision as readers see it, with generated pages in place of computed ones; fails if the space has no
 * such revision.
 */
export async function getComputedContent(
  context: ReadContext,
  space: SpaceKey,
  revisionId: string,
): Promise<RevisionContent> {
  const revision = await getRevision(context.db, space, revisionId)
  return openRevision(context, space, revision, computedRootOf(revision))
}

/** Returns the root of a revision with generated pages in place of computed ones. */
export const computedRootOf = ({ root_hash, computed_root_hash }: Row<'revisions'>): string =>
  computed_root_hash ?? root_hash

async function openRevision(
  { db, openObjects }: ReadContext,
  space: SpaceKey,
  revision: Row<'revisions'>,
  rootHash: string,
): Promise<RevisionContent> {
  const objects = openObjects(db, space.organization_id)
  return { space, revision, tree: await openTree(objects, rootHash), rootHash, objects }
}

/** Generates the pages of a revision again; returns the hash of the root if it has changed. */
export async function computeRevisionAgain(
  { db, openObjects }: ReadContext,
  space: SpaceKey,
  revisionId: string,
): Promise<string | undefined> {
  const revision = await store.findRevision(db, space, revisionId)
  if (!revision) return undefined
  const { root_hash, computed_root_hash } = revision
  const computed = await writeComputedContent({ db, openObjects }, space, root_hash, computed_root_hash)
  if (computed === null || computed === computed_root_hash) return undefined
  await store.updateRevision(db, space, revisionId, { computed_root_hash: computed })
  return computed
}

/** Writes the content of a revision with generated pages; returns null if nothing is computed. */
async function writeComputedContent(
  { db, openObjects }: ReadContext,
  space: SpaceKey,
  rootHash: string,
  previous: string | null | undefined,
): Promise<string | null> {
  const objects = openObjects(db, space.organization_id)
  const computed = await writeComputedRoot(db, objects, space.organization_id, {
    rootHash,
    previous: previous ?? undefined,
  })
  if (!computed) return null
  await objects.flush()
  await addComputedSources(db, space, computed.specs)
  return computed.hash
}

export async function getRevision(db: Db, space: SpaceKey, revisionId: string): Promise<Row<'revisions'>> {
  const revision = await store.findRevision(db, space, revisionId)
  if (!revision) throw notFound('revision')
  return revision
}

/** Stores the listing and the commit that a revision was exported to. */
export async function storeRevisionExport(
  db: Db,
  space: SpaceKey,
  revisionId: string,
  { root, listing }: ListedContent,
  git: GitCommit,
): Promise<void> {
  const listed = { listing_hash: listing, listed_root_hash: root }
  await store.updateRevision(db, space, revisionId, { ...listed, git: JSON.stringify(git) })
}

export const { countHistory, findCommittedRevision, findHistory, findRevision } = store

/** Makes a revision the head of a space and updates derived data; returns false if the head has changed in the meantime. */
export async function moveSpaceHead(
  context: Pick<BaseContext, 'enqueue' | 'openObjects'> & LiveEventContext,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id' | 'revision_id'>,
  revisionId: string,
): Promise<boolean> {
  const { db, enqueue, now, openObjects } = context
  const isMoved = await updateSpaceHead(db, space, revisionId, now())
  if (isMoved) {
    const rootHash = computedRootOf(await getRevision(db, space, revisionId))
    const head = { organizationId: space.organization_id, spaceId: space.id, rootHash }
    const areLinksUpToDate = await tryUpdateLinks({ db, openObjects }, head)
    await enqueueDerivations({ db, enqueue }, space.id, { areLinksUpToDate })
    await revalidate({ db, enqueue }, [spaceCacheTag(space.id)])
    await enqueueFollowingTranslations({ db, enqueue }, space)
    await recordHeadEvent(context, space, revisionId)
  }
  return isMoved
}

/** Records that the content of a space has changed. */
export function recordHeadEvent(
  context: LiveEventContext,
  { organization_id: organizationId, id: spaceId }: SpaceKey,
  revisionId: string,
): Promise<void> {
  return recordLiveEvent(context, { kind: 'head', organizationId, spaceId, revisionId })
}

/** Content with the listing of the files that it was imported from or exported to. */
export interface ListedContent {
  /** The hash of the root. */
  root: string
  /** The hash of the listing. */
  listing: string
}

/** Returns the last state of a revision, or of the revisions before it, that was imported or exported. */
export function listedContentOf({
  listed_root_hash: root,
  listing_hash: listing,
}: Row<'revisions'>): ListedContent | undefined {
  return root === null || listing === null ? undefined : { root, listing }
}

export interface NewRevision {
  id: string
  space: SpaceKey
  rootHash: string
  type: Row<'revisions'>['type']
  parents: readonly string[]
  createdBy: string | null
  createdAt: string
  /** The change request whose content it is. */
  changeRequestId?: string
  /** The change request that it merged. */
  mergedFromId?: string
  /** The last imported or exported state; by default that of the first parent. */
  listed?: ListedContent | undefined
  /** The commit that it was imported from or is exported to. */
  git?: GitCommit
  /** Whether it never becomes the head of the space or of a change request. */
  isDetached?: boolean
}

export async function createRevision({ db, openObjects }: ReadContext, revision: NewRevision): Promise<void> {
  const [parent] = revision.parents
  const parentRow = parent === undefined ? undefined : await store.findRevision(db, revision.space, parent)
  const listed = revision.listed ?? (parentRow && listedContentOf(parentRow))
  await store.insertRevision(db, {
    organization_id: revision.space.organization_id,
    id: revision.id,
    space_id: revision.space.id,
    parents: JSON.stringify(revision.parents),
    root_hash: revision.rootHash,
    computed_root_hash: await writeComputedContent(
      { db, openObjects },
      revision.space,
      revision.rootHash,
      parentRow?.computed_root_hash,
    ),
    type: revision.type,
    created_by: revision.createdBy,
    created_at: revision.createdAt,
    change_request_id: revision.changeRequestId ?? null,
    merged_from_id: revision.mergedFromId ?? null,
    listing_hash: listed?.listing ?? null,
    listed_root_hash: listed?.root ?? null,
    git: revision.git ? JSON.stringify(revision.git) : null,
    is_aside: toFlag(revision.isDetached ?? false),
  })
}

/** Writes the root of a new space, with one page that explains the next steps unless the space is to be empty. */
export async function writeInitialRoot(
  objects: ObjectStore,
  { newId, now }: { newId: () => string; now: () => string },
  { spaceId, isEmpty }: { spaceId: string; isEmpty: boolean },
): Promise<string> {
  const draft = new Draft({ objects, root: emptyRoot })
  if (!isEmpty) {
    const body = { ...writeFirstPage(objects, spaceId), createdAt: now(), updatedAt: now() }
    await draft.insertPage({ id: newId(), type: 'document', slug: 'readme', body }, { into: null })
  }
  const root = await draft.commit()
  await objects.flush()
  return root
}
