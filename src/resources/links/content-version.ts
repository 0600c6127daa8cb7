import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { ContentLocation, LinkStatus } from '../../contract/links.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { computedRootOf, getComputedContent, getRevision } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { type LinkTarget, containerOf, isContentTarget, keyOfTarget } from '../../links/link-target.ts'
import { findUpToDateSpaces } from '../../links/queries.ts'
import { type TargetResolution, TargetResolver } from '../../links/resolve-targets.ts'
import { findTargetsByKey } from '../../links/store.ts'
import type { LocationContext } from './present.ts'
import type { VisibleContainers } from './visible-containers.ts'

/** Version of a space whose links are read: its head, or a change request. */
export interface ContentVersion {
  tree: Tree
  versionContext: NonNullable<Extract<ContentLocation, { kind: 'page' }>['versionContext']>
  /** Content that the change request was made from; undefined for the head of the space. */
  base: Tree | undefined
}

export async function openHead(context: SpaceContext): Promise<ContentVersion> {
  const { space } = context
  const { tree, revision } = await getComputedContent(context, space, space.revision_id)
  return { tree, versionContext: { type: 'revision', revision: revision.id }, base: undefined }
}

export async function openChangeRequest(context: SpaceContext, changeRequestId: string): Promise<ContentVersion> {
  const { db, space } = context
  const request = await getChangeRequest(context, changeRequestId)
  const { tree } = await getComputedContent(context, space, request.revision_id)
  const base = await getRevision(db, space, baseRevisionIdOf(request))
  return {
    tree,
    versionContext: { type: 'changeRequest', changeRequest: request.id },
    base: await openTree(tree.objects, computedRootOf(base)),
  }
}

export const spaceKeyOf = ({ space }: SpaceContext) => ({ organizationId: space.organization_id, spaceId: space.id })

/** Returns the context for presenting locations in replies. */
export function createLocationContext(
  { space }: SpaceContext,
  versionContext: ContentVersion['versionContext'],
  visible: VisibleContainers,
): LocationContext {
  return {
    organizationId: space.organization_id,
    versionOf(spaceId) {
      if (spaceId === space.id) return versionContext
      const revision = visible.revisionOf(spaceId)
      return revision === undefined ? undefined : { type: 'revision', revision }
    },
  }
}

/** Returns the status of targets by key, as the caller sees it: targets in spaces that they cannot see are broken. */
export async function loadStatuses(
  context: SpaceContext,
  { tree, base }: ContentVersion,
  targets: readonly LinkTarget[],
  visible: VisibleContainers,
): Promise<Map<string, LinkStatus>> {
  const { db, space, urls } = context
  const { organization_id: organizationId, id: spaceId } = space
  const isVisible = (target: LinkTarget) => {
    const container = containerOf(target)
    return container === '' || container === spaceId || visible.has(container)
  }
  const visibleTargets = targets.filter(isVisible)
  const stored = base ? new Map<string, TargetResolution>() : await findStoredStatuses(context, visibleTargets)
  const resolver = new TargetResolver({ db, objects: tree.objects, organizationId }, new Map([[spaceId, tree]]))
  const resolved = await resolver.resolve(visibleTargets.filter((target) => !stored.has(keyOfTarget(target))))
  const appUrl = urls.app('/')
  return new Map(
    targets.map((target) => {
      const key = keyOfTarget(target)
      if (target.kind === 'url' && target.id.startsWith(appUrl)) return [key, 'in-app']
      return [key, (stored.get(key) ?? resolved.get(key)) === 'ok' ? 'ok' : 'broken']
    }),
  )
}

/** Returns the stored status of targets in spaces whose stored links are up to date. */
async function findStoredStatuses(
  context: SpaceContext,
  targets: readonly LinkTarget[],
): Promise<Map<string, TargetResolution>> {
  const { db, space } = context
  const contentTargets = targets.filter(isContentTarget)
  const spaceIds = [...new Set(contentTargets.map((target) => target.space))]
  const upToDate = await findUpToDateSpaces(db, space.organization_id, spaceIds)
  const keys = contentTargets.filter((target) => upToDate.has(target.space)).map(keyOfTarget)
  const rows = await findTargetsByKey(db, spaceKeyOf(context), keys)
  return new Map(rows.map(({ target, status }) => [target, status]))
}
