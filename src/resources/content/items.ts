import { readSortedRange, countSequence } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import {
  type ReusableContentList,
  type ReusableContentListQuery,
  type Variable,
  contentItems,
} from '../../contract/content-items.ts'
import { countVariableUses } from '../../derived/reuses.ts'
import type { RevisionContent } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { subjectOf } from '../../links/link-target.ts'
import { findTargetsBySubject } from '../../links/store.ts'
import { openGitListing } from './git-listing.ts'
import { getChangeRequestContent, getLiveContent } from './open-content.ts'
import { presentTag } from './present.ts'
import { presentReusableContents, toLinkContext } from './reads.ts'

/** Handlers for lists of reusable contents, variables and tags. */
export const contentItemRoutes = implement(contentItems, {
  listReusableContents: async (context, { query }) =>
    listReusableContents(context, await getLiveContent(context), query),
  listReusableContentsInChangeRequest: async (context, { params, query }) =>
    listReusableContents(context, await getChangeRequestContent(context, params.changeRequestId), query),
  listVariables: async (context) => listVariables(context, await getLiveContent(context)),
  listVariablesInChangeRequest: async (context, { params }) =>
    listVariables(context, await getChangeRequestContent(context, params.changeRequestId)),
  listTags: async (context) => listTags((await getLiveContent(context)).tree),
  listTagsInChangeRequest: async (context, { params }) =>
    listTags((await getChangeRequestContent(context, params.changeRequestId)).tree),
})

async function listReusableContents(
  context: SpaceContext,
  content: RevisionContent,
  query: ReusableContentListQuery,
): Promise<ReusableContentList> {
  const { tree } = content
  const { objects, root } = tree
  const after = decodeCursor(query.page, 1)
  const entries = await readSortedRange(objects, root.reusableContents, after?.[0], query.limit + 1)
  const linkContext = toLinkContext(context, context.space.id)
  const presented = await presentReusableContents(tree, entries, linkContext, openGitListing(content, query))
  const uses = await countUses(
    context,
    entries.map(({ id }) => id),
  )
  return toPage(
    presented,
    query,
    await countSequence(objects, root.reusableContents),
    ({ id }) => [id],
    (one) => ({ ...one, uses: uses.get(one.id) ?? 0 }),
  )
}

/** Counts the pages and reusable contents of a space that include each of these reusable contents. */
async function countUses({ db, space }: SpaceContext, ids: readonly string[]): Promise<Map<string, number>> {
  const idsBySubject = new Map(ids.map((id) => [subjectOf({ kind: 'reusable-content', space: space.id, id }), id]))
  const targets = await findTargetsBySubject(db, space.organization_id, [...idsBySubject.keys()])
  const own = targets.filter(({ space_id: spaceId }) => spaceId === space.id)
  return new Map(own.map(({ subject, uses }) => [idsBySubject.get(subject) ?? '', uses]))
}

async function listVariables(
  { db, space }: SpaceContext,
  { tree }: RevisionContent,
): Promise<{ variables: Variable[] }> {
  const uses = await countVariableUses(db, { organizationId: space.organization_id, spaceId: space.id })
  const named = Object.entries(tree.root.variables).sort(([one], [other]) => (one < other ? -1 : 1))
  return { variables: named.map(([name, value]) => ({ name, value, uses: uses.get(name) ?? 0 })) }
}

const listTags = ({ root }: Tree) => ({ tags: Object.entries(root.tags).map(([slug, tag]) => presentTag(slug, tag)) })
