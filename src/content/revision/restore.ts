import { collectReferences } from '../document/references.ts'
import { withRecordValue } from './conflict.ts'
import { changedFields, diffTrees, isEmptyDiff, findOwnValue, isSameValue } from './diff.ts'
import { Draft, type PageBody } from './draft.ts'
import { TreeError } from './tree-error.ts'
import { diffFormerPaths, diffRedirects } from './former-urls.ts'
import { readObject } from './objects.ts'
import { findInSorted, readSequence } from './sequence.ts'
import { insertSubtree } from './subtree.ts'
import { type LocatedPage, type Tree, findPage, toFormerPath } from './tree.ts'

/**
 * Restores all content of an earlier tree; returns the hash of the new root, or undefined if there is no difference. Former paths
 * and redirects of both trees are kept, so that no existing URL breaks.
 */
export async function restoreTree(head: Tree, former: Tree, now: string): Promise<string | undefined> {
  const diff = await diffTrees(head, former)
  if (isEmptyDiff(diff)) return undefined
  const draft = new Draft(former, { maxDepth: Infinity })
  await keepFormerPathsAndRedirects(head, former, draft)
  for (const { id, before, after } of diff.pages) {
    if (!before || !after) continue
    if (changedFields(before, after).length > 0) await draft.updatePage(id, (body) => ({ ...body, updatedAt: now }))
    const isMoved = before.parent !== after.parent || before.entry.slug !== after.entry.slug
    const located = isMoved ? await findPage(head, id) : undefined
    if (located) addFormerPathsOf(draft, located)
  }
  return draft.commit()
}

async function keepFormerPathsAndRedirects(head: Tree, former: Tree, draft: Draft): Promise<void> {
  const paths = await diffFormerPaths(head.objects, former.root, head.root)
  for (const { after } of paths) if (after) draft.addFormerPath(after)
  const redirects = await diffRedirects(head.objects, former.root, head.root)
  for (const { id, after } of redirects) if (after) draft.setRedirect(id, after)
}

/** Stores every step of the path of a page, because any ancestor may be deleted later. */
function addFormerPathsOf(draft: Draft, { entry, ancestors }: LocatedPage): void {
  let parent: string | null = null
  for (const { id, slug } of [...ancestors, entry]) {
    draft.addFormerPath(toFormerPath(parent, slug, id))
    parent = id
  }
}

/**
 * Restores one page of an earlier tree; returns the hash of the new root, which equals that of the head if there is no
 * difference. An existing page keeps its position, its slug and the pages below it; a deleted one is restored with the pages
 * below it. Deleted files, reusable contents and tags that the page uses are restored too.
 */
export async function restorePage(head: Tree, former: Tree, formerPage: LocatedPage, now: string): Promise<string> {
  const draft = new Draft(head)
  const { id, type } = formerPage.entry
  const currentPage = await draft.findPage(id)
  if (currentPage && currentPage.type !== type) {
    throw new TreeError('page', `The page was a ${type} page in the revision and is now a ${currentPage.type} page`)
  }
  const restored = currentPage ? [id] : await restoreDeletedPage(draft, former, formerPage)
  if (currentPage) {
    const { kind: _, pages: __, ...body } = formerPage.page
    await draft.updatePage(id, (current) => {
      const same = isSameValue({ ...body, createdAt: current.createdAt, updatedAt: current.updatedAt }, current)
      return same ? current : { ...body, createdAt: current.createdAt, updatedAt: now }
    })
  }
  for (const one of restored) await restoreUsedItems(draft, former, (await draft.getPage(one)).body)
  return draft.commit()
}

/** Restores a deleted page below its nearest existing ancestor; returns the ids of all restored pages. */
async function restoreDeletedPage(draft: Draft, former: Tree, formerPage: LocatedPage): Promise<string[]> {
  let parent: string | null = null
  for (const { id } of formerPage.ancestors) if (await draft.findPage(id)) parent = id
  const inserted = await insertSubtree(former, draft, { entry: formerPage.entry, parent })
  await moveToFormerPosition(draft, formerPage.entry.id, formerPage, former)
  return inserted
}

/** Moves a page after the sibling that it followed in an earlier tree, unless it still follows it. */
export async function moveToFormerPosition(
  draft: Draft,
  id: string,
  { ancestors }: LocatedPage,
  former: Tree,
): Promise<void> {
  const { parent } = await draft.getPage(id)
  const formerParent = ancestors.at(-1)
  if (parent !== (formerParent?.id ?? null)) return
  const list = formerParent ? (await readObject(former.objects, 'page', formerParent.hash)).pages : former.root.pages
  const order = (await readSequence(former.objects, list)).map((entry) => entry.id)
  const current = (await draft.children(parent)).map((entry) => entry.id)
  const [formerIds, currentIds] = [new Set(order), new Set(current)]
  const before = order.slice(0, order.indexOf(id)).findLast((other) => currentIds.has(other))
  // Pages that were inserted in between are ignored.
  if (current.slice(0, current.indexOf(id)).findLast((other) => formerIds.has(other)) === before) return
  const others = current.filter((other) => other !== id)
  await draft.movePage(id, { into: parent, at: before === undefined ? 0 : others.indexOf(before) + 1 })
}

/** Restores the deleted files, reusable contents and tags that a page uses. */
async function restoreUsedItems(draft: Draft, former: Tree, { document, cover, tags }: PageBody): Promise<void> {
  const { objects, root } = former
  const files = new Set<string>()
  const slugs = new Set(tags?.map(({ tag }) => tag))
  for (const ref of [cover?.ref, cover?.refDark]) if (ref?.kind === 'file') files.add(ref.file)
  const seen = new Set<string>()
  const documents = document === undefined ? [] : [document]
  for (const hash of documents) {
    for (const { ref } of collectReferences((await readObject(objects, 'document', hash)).document)) {
      if ('space' in ref && ref.space !== undefined) continue
      if (ref.kind === 'file') files.add(ref.file)
      if (ref.kind === 'tag') slugs.add(ref.tag)
      if (ref.kind !== 'reusable-content' || seen.has(ref.reusableContent)) continue
      seen.add(ref.reusableContent)
      const content = await restoreReusableContent(draft, former, ref.reusableContent)
      // Only dependencies of restored reusable contents are restored; existing ones are not part of the restored content.
      if (content) documents.push(content.document)
    }
  }
  for (const file of files) {
    if (await draft.files.findEntry(file)) continue
    const entry = (await findInSorted(objects, root.files, [file])).get(file)
    if (entry) draft.files.set(file, await readObject(objects, 'file', entry.hash))
  }
  for (const slug of slugs) {
    const definition = findOwnValue(root.tags, slug)
    if (definition && !findOwnValue(draft.tags, slug)) draft.setTags(withRecordValue(draft.tags, slug, definition))
  }
}

async function restoreReusableContent(draft: Draft, { objects, root }: Tree, id: string) {
  if (await draft.reusableContents.findEntry(id)) return undefined
  const entry = (await findInSorted(objects, root.reusableContents, [id])).get(id)
  if (!entry) return undefined
  const content = await readObject(objects, 'reusable-content', entry.hash)
  draft.reusableContents.set(id, content)
  return content
}
