import { PageAnchors } from '../content/document/anchors.ts'
import { withAnchorIds } from '../content/document/outline.ts'
import { isDeletedTarget, isPath } from '../content/markdown/references.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { isMarkdown } from '../content/repository/paths.ts'
import { type Lineage, type LineagePage, readLineages } from '../content/revision/lineages.ts'
import { type Objects, readObjects } from '../content/revision/objects.ts'
import { emptyDocument, expandReusableContents } from '../content/revision/reusable-contents.ts'
import { findInSorted } from '../content/revision/sequence.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { findExtract } from '../derived/document-extracts.ts'
import { selectSpaceHeads } from '../derived/heads.ts'
import { createYielder } from '../kernel/event-loop.ts'
import { isPathOnHost } from '../publishing/links.ts'
import type { StoredLinkStatus } from '../schema/links.ts'
import type { Db } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import { type ContentTarget, type LinkTarget, isContentTarget, keyOfTarget } from './link-target.ts'

/** Number of pages whose anchors are read at the same time. */
const anchorBatchSize = 50

/** Result of looking up a target: `unknown` if its space or collection is not in the organization. */
export type TargetResolution = StoredLinkStatus | 'unknown'

interface ResolverContext {
  db: Db
  objects: Objects
  organizationId: string
}

/** Looks up targets of links in the heads of the spaces of an organization, regardless of who may see them. */
export class TargetResolver {
  readonly #context: ResolverContext
  readonly #trees: Map<string, Tree | undefined>
  readonly #rootHashes = new Map<string, string | undefined>()
  readonly #yieldIfDue: () => Promise<void>

  /** `trees` are used instead of the heads of their spaces. */
  constructor(context: ResolverContext, trees: ReadonlyMap<string, Tree>, signal?: AbortSignal) {
    this.#context = context
    this.#trees = new Map(trees)
    this.#yieldIfDue = createYielder(signal)
  }

  /** Roots of the heads that targets were looked up in, by space; undefined for spaces that do not exist. */
  get rootHashes(): ReadonlyMap<string, string | undefined> {
    return this.#rootHashes
  }

  /** Returns the status of each target by its key. */
  async resolve(targets: readonly LinkTarget[]): Promise<Map<string, TargetResolution>> {
    const statuses = new Map<string, TargetResolution>()
    const contentTargets = new Map<string, ContentTarget[]>()
    for (const target of targets) {
      if (!isContentTarget(target))
        statuses.set(keyOfTarget(target), target.kind === 'url' ? checkUrl(target.id) : 'ok')
      else addToList(contentTargets, target.space, target)
    }
    await this.#resolveContainers(targets, statuses)
    await this.#openTrees([...contentTargets.keys()])
    for (const [space, list] of contentTargets) {
      const tree = this.#trees.get(space)
      if (tree) await this.#resolveInTree(tree, list, statuses)
      else for (const target of list) statuses.set(keyOfTarget(target), 'unknown')
    }
    return statuses
  }

  /** Resolves links to whole spaces and collections. */
  async #resolveContainers(targets: readonly LinkTarget[], statuses: Map<string, TargetResolution>): Promise<void> {
    const { db, organizationId } = this.#context
    const spaceIds = targets.flatMap(({ kind, id }) => (kind === 'space' ? [id] : []))
    const collectionIds = targets.flatMap(({ kind, id }) => (kind === 'collection' ? [id] : []))
    const found = { space: new Set<string>(), collection: new Set<string>() }
    for (const ids of toBatches(spaceIds)) {
      const heads = await selectSpaceHeads(db)
        .where('spaces.organization_id', '=', organizationId)
        .where('spaces.id', 'in', ids)
        .execute()
      for (const { spaceId } of heads) found.space.add(spaceId)
    }
    for (const ids of toBatches(collectionIds)) {
      const collections = db.selectFrom('collections').where('organization_id', '=', organizationId)
      for (const { id } of await collections.where('id', 'in', ids).select('id').execute()) found.collection.add(id)
    }
    for (const target of targets)
      if (target.kind === 'space' || target.kind === 'collection')
        statuses.set(keyOfTarget(target), found[target.kind].has(target.id) ? 'ok' : 'unknown')
  }

  async #openTrees(spaceIds: readonly string[]): Promise<void> {
    const { db, objects, organizationId } = this.#context
    for (const ids of toBatches(spaceIds.filter((id) => !this.#trees.has(id)))) {
      const heads = await selectSpaceHeads(db)
        .where('spaces.organization_id', '=', organizationId)
        .where('spaces.id', 'in', ids)
        .execute()
      const rootHashes = new Map(heads.map(({ spaceId, rootHash }) => [spaceId, rootHash]))
      for (const id of ids) {
        const rootHash = rootHashes.get(id)
        this.#rootHashes.set(id, rootHash)
        this.#trees.set(id, rootHash === undefined ? undefined : await openTree(objects, rootHash))
      }
    }
  }

  async #resolveInTree(
    tree: Tree,
    targets: readonly ContentTarget[],
    statuses: Map<string, TargetResolution>,
  ): Promise<void> {
    const { objects, root } = tree
    const sequences = { page: root.parents, file: root.files, 'reusable-content': root.reusableContents }
    const anchorTargets = new Map<string, (ContentTarget & { anchor: string })[]>()
    for (const kind of ['page', 'file', 'reusable-content'] as const) {
      const ofKind = targets.filter((target) => target.kind === kind)
      const ids = [...new Set(ofKind.map(({ id }) => id))].sort()
      const found = await findInSorted<{ id: string }>(objects, sequences[kind], ids)
      for (const target of ofKind) {
        const exists = found.has(target.id)
        statuses.set(keyOfTarget(target), exists ? 'ok' : 'broken')
        if (!exists || target.kind !== 'page' || target.anchor === undefined) continue
        addToList(anchorTargets, target.id, { ...target, anchor: target.anchor })
      }
    }
    for (const ids of toBatches([...anchorTargets.keys()], anchorBatchSize)) {
      for (const [id, lineage] of await readLineages(tree, ids)) {
        await this.#yieldIfDue()
        const anchors = await readPageAnchors(tree, lineage)
        for (const target of anchorTargets.get(id) ?? [])
          if (anchors.find(target.anchor) === undefined) statuses.set(keyOfTarget(target), 'broken')
      }
    }
  }
}

function addToList<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

async function readPageAnchors(tree: Tree, lineage: Lineage): Promise<PageAnchors> {
  const { page } = lineage.at(-1) as LineagePage
  const anchors = findExtract(page.document, 'anchors')
  if (anchors) return new PageAnchors(page.title, anchors, toSlug)
  const hashes = page.document === undefined ? [] : [page.document]
  const [stored] = await readObjects(tree.objects, 'document', hashes, { skipCache: true })
  const { document } = await expandReusableContents(tree, stored?.document ?? emptyDocument)
  return new PageAnchors(page.title, withAnchorIds(document, toSlug), toSlug)
}

/** A URL is not requested. It is broken if it is a path that an import could not resolve, or that marks a deleted target. */
function checkUrl(url: string): StoredLinkStatus {
  if (!isPath(url)) return 'ok'
  const path = url.replace(/[?#].*$/s, '')
  return isPathOnHost(url) && !isDeletedTarget(url) && !isMarkdown(path) ? 'ok' : 'broken'
}
