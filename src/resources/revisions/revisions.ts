import type { GitCommit } from '../../contract/revision.ts'
import { Draft } from '../../content/revision/draft.ts'
import { emptyRoot } from '../../content/revision/objects.ts'
import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { BaseContext, ObjectStore, OpenObjects } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import type { Db, Row } from '../../storage/tables.ts'
import { flag } from '../../storage/tables/values.ts'
import { revalidate, spaceTag } from '../../domain/revalidation/revalidate.ts'
import { writeFirstPage } from './first-page.ts'
import * as store from './store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

/** What a revision holds. */
export interface Content {
  space: SpaceKey
  revision: Row<'revisions'>
  tree: Tree
  objects: ObjectStore
}

interface Reading {
  db: Db
  openObjects: OpenObjects
}

/** The content of a revision of the space; one of another space is not found. */
export async function getContent(context: Reading, space: SpaceKey, revisionId: string): Promise<Content> {
  const revision = await getRevision(context.db, space, revisionId)
  const objects = context.openObjects(context.db, space.organization_id)
  return { space, revision, tree: await openTree(objects, revision.root_hash), objects }
}

export async function getRevision(db: Db, space: SpaceKey, revisionId: string): Promise<Row<'revisions'>> {
  const revision = await store.findRevision(db, space, revisionId)
  if (!revision) throw notFound('revision')
  return revision
}

/** Notes the files and the commit that a state of the space went to. */
export async function noteExport(
  db: Db,
  space: SpaceKey,
  revisionId: string,
  { root, listing }: ListedState,
  git: GitCommit,
): Promise<void> {
  const listed = { listing_hash: listing, listed_root_hash: root }
  await store.updateRevision(db, space, revisionId, { ...listed, git: JSON.stringify(git) })
}

export const { countHistory, findCommitted, findHistory, findRevision } = store

/** Makes a revision the active one of the space, unless another one has become it since. */
export async function moveHead(
  { db, enqueue, now }: Pick<BaseContext, 'db' | 'enqueue' | 'now'>,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id' | 'revision_id'>,
  revisionId: string,
): Promise<boolean> {
  const isMoved = await store.moveHead(db, space, revisionId, now())
  if (isMoved) {
    await enqueueDerivations({ db, enqueue }, space.id)
    await revalidate({ db, enqueue }, [spaceTag(space.id)])
  }
  return isMoved
}

/** Content as it lies in files. */
export interface ListedState {
  /** The hash of its root. */
  root: string
  /** The hash of the list of these files. */
  listing: string
}

/** What lay in files last of a revision, or of those before it. */
export function listedIn({ listed_root_hash: root, listing_hash: listing }: Row<'revisions'>): ListedState | undefined {
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
  /** The change request that it is a state of. */
  changeRequestId?: string
  /** The change request that it took in. */
  mergedFromId?: string
  /** The files that it, or what it was made from, came from or goes to; without it, those of the state that it follows. */
  listed?: ListedState | undefined
  /** The commit that it came from or goes to. */
  git?: GitCommit
  /** Whether it does not become the content of the space or of a change request. */
  isAside?: boolean
}

export async function createRevision(db: Db, revision: NewRevision): Promise<void> {
  const [parent] = revision.parents
  const parentRow =
    revision.listed || parent === undefined ? undefined : await store.findRevision(db, revision.space, parent)
  const listed = revision.listed ?? (parentRow && listedIn(parentRow))
  await store.insertRevision(db, {
    organization_id: revision.space.organization_id,
    id: revision.id,
    space_id: revision.space.id,
    parents: JSON.stringify(revision.parents),
    root_hash: revision.rootHash,
    type: revision.type,
    created_by: revision.createdBy,
    created_at: revision.createdAt,
    change_request_id: revision.changeRequestId ?? null,
    merged_from_id: revision.mergedFromId ?? null,
    listing_hash: listed?.listing ?? null,
    listed_root_hash: listed?.root ?? null,
    git: revision.git ? JSON.stringify(revision.git) : null,
    is_aside: flag(revision.isAside ?? false),
  })
}

/** Writes the root of a new space, with one page that explains what to do next unless the space is to be empty. */
export async function writeFirstRoot(
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
