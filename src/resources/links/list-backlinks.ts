import { findInSorted } from '../../content/revision/sequence.ts'
import type { LocationList } from '../../contract/links.ts'
import type { ListQuery } from '../../contract/shared.ts'
import { findPagesUsingVariable } from '../../derived/reuses.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { findLinkChanges } from '../../links/link-changes.ts'
import { keyOfSource, parseSourceKey, subjectOf } from '../../links/link-target.ts'
import { type BacklinkPosition, type StoredLink, comparePositions, findBacklinks } from '../../links/queries.ts'
import { readLinks } from '../../links/read-links.ts'
import { findLinksOfSources, findTargetsBySubject } from '../../links/store.ts'
import type { Row } from '../../schema/tables.ts'
import { type ContentVersion, createLocationContext, spaceKeyOf } from './content-version.ts'
import { presentLocation } from './present.ts'
import { findVisibleContainers } from './visible-containers.ts'

/** Lists the places that link to a page, other than itself. */
export async function listPageBacklinks(
  context: SpaceContext,
  version: ContentVersion,
  pageId: string,
  query: ListQuery,
): Promise<LocationList> {
  const { objects, root } = version.tree
  if (!(await findInSorted(objects, root.parents, [pageId])).has(pageId)) throw notFound('page')
  const subject = subjectOf({ kind: 'page', space: context.space.id, id: pageId })
  return listBacklinks(context, version, { subject, ownSource: keyOfSource({ kind: 'page', id: pageId }) }, query)
}

/** Lists the places that use a file. */
export async function listFileBacklinks(
  context: SpaceContext,
  version: ContentVersion,
  fileId: string,
  query: ListQuery,
): Promise<LocationList> {
  const { objects, root } = version.tree
  if (!(await findInSorted(objects, root.files, [fileId])).has(fileId)) throw notFound('file')
  const subject = subjectOf({ kind: 'file', space: context.space.id, id: fileId })
  return listBacklinks(context, version, { subject, ownSource: undefined }, query)
}

/** Lists the places that include a reusable content. */
export async function listReusableContentBacklinks(
  context: SpaceContext,
  version: ContentVersion,
  id: string,
  query: ListQuery,
): Promise<LocationList> {
  const { objects, root } = version.tree
  if (!(await findInSorted(objects, root.reusableContents, [id])).has(id)) throw notFound('reusable content')
  const subject = subjectOf({ kind: 'reusable-content', space: context.space.id, id })
  return listBacklinks(context, version, { subject, ownSource: undefined }, query)
}

/** Lists the pages that use a variable of the space. */
export async function listVariableBacklinks(
  context: SpaceContext,
  version: ContentVersion,
  name: string,
  query: ListQuery,
): Promise<LocationList> {
  if (!Object.hasOwn(version.tree.root.variables, name)) throw notFound('variable')
  const after = decodeCursor(query.page, 1)?.[0] ?? ''
  const range = { after, limit: query.limit + 1 }
  const { pageIds, count } = await findPagesUsingVariable(context.db, spaceKeyOf(context), name, range)
  const locations = createLocationContext(context, version.versionContext, await findVisibleContainers(context, []))
  return toPage(
    pageIds,
    query,
    count,
    (id) => [id],
    (id) => presentLocation(context.space.id, { kind: 'page', id }, undefined, locations),
  )
}

interface Subject {
  subject: string
  /** Source whose links to the subject are not listed, because it is the subject itself. */
  ownSource: string | undefined
}

async function listBacklinks(
  context: SpaceContext,
  version: ContentVersion,
  { subject, ownSource }: Subject,
  query: ListQuery,
): Promise<LocationList> {
  const { db, space } = context
  const { organization_id: organizationId } = space
  const [target = '', spaceId = '', source = ''] = decodeCursor(query.page, 3) ?? []
  const after = query.page === undefined ? undefined : { target, space_id: spaceId, source }
  const targets = await findTargetsBySubject(db, organizationId, [subject])
  const visible = await findVisibleContainers(
    context,
    targets.map((row) => row.space_id),
  )
  const shownTargets = targets.filter((row) => row.space_id === space.id || visible.has(row.space_id))
  const { replaced, added } = await readChangedLinks(context, version, { subject, ownSource })
  const isReplaced = (link: StoredLink) => link.space_id === space.id && replaced.has(link.source)
  const stored = await findRemainingBacklinks(context, {
    targets: shownTargets,
    isReplaced,
    after,
    limit: query.limit + 1,
  })
  const rows = [...stored, ...added.filter((link) => after === undefined || comparePositions(link, after) > 0)]
  const replacedLinks = await findLinksOfSources(db, spaceKeyOf(context), [...replaced])
  const uses = shownTargets.reduce((sum, row) => sum + row.uses, 0)
  const count = uses - replacedLinks.filter((link) => link.subject === subject).length + added.length
  const locations = createLocationContext(context, version.versionContext, visible)
  return toPage(
    rows.sort(comparePositions),
    query,
    count,
    (link) => [link.target, link.space_id, link.source],
    (link) =>
      presentLocation(link.space_id, parseSourceKey(link.source), (JSON.parse(link.nodes) as string[])[0], locations),
  )
}

interface BacklinkSearch {
  targets: readonly Row<'link_targets'>[]
  isReplaced: (link: StoredLink) => boolean
  after: BacklinkPosition | undefined
  limit: number
}

/** Finds stored links to targets, except those that are replaced. */
async function findRemainingBacklinks(
  { db, space }: SpaceContext,
  { targets, isReplaced, after, limit }: BacklinkSearch,
): Promise<StoredLink[]> {
  const found: StoredLink[] = []
  for (let last = after; found.length < limit;) {
    const batchSize = limit - found.length
    const links = await findBacklinks(db, space.organization_id, targets, { after: last, limit: batchSize })
    found.push(...links.filter((link) => !isReplaced(link)))
    last = links.at(-1)
    if (links.length < batchSize) break
  }
  return found
}

/** Reads which sources a change request changes, and their links to the subject. */
async function readChangedLinks(
  { space }: SpaceContext,
  { tree, base }: ContentVersion,
  { subject, ownSource }: Subject,
): Promise<{ replaced: ReadonlySet<string>; added: StoredLink[] }> {
  const replaced = new Set(ownSource === undefined ? [] : [ownSource])
  const added: StoredLink[] = []
  if (!base) return { replaced, added }
  const { sources } = await findLinkChanges(space.id, base, tree)
  const yieldIfDue = createYielder()
  for (const [source, object] of sources) {
    await yieldIfDue()
    replaced.add(source)
    if (!object || source === ownSource) continue
    for (const { key, target, nodes } of (await readLinks(tree, space.id, parseSourceKey(source), object)).values())
      if (subjectOf(target) === subject)
        added.push({ space_id: space.id, source, target: key, nodes: JSON.stringify(nodes.slice(0, 1)) })
  }
  return { replaced, added }
}
