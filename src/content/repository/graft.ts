import { Draft } from '../revision/draft.ts'
import type { DraftItems } from '../revision/draft-items.ts'
import { type ItemEntry, type Objects, type PageType, readObjects } from '../revision/objects.ts'
import { type Sequence, emptySequence, findInSorted, readSequence } from '../revision/sequence.ts'
import { type PageNode, type Tree, readPageNodes } from '../revision/tree.ts'

/**
 * Adds content to other content: its pages are appended at the top level or below a page, and keep their ids, so that references
 * to them remain valid. Items that exist in both remain as they are in the target. Returns the hash of the new root.
 */
export async function graftTree(target: Tree, added: Tree, { into }: { into: string | null }): Promise<string> {
  const { objects } = target
  // Added content may be deeper than the limit.
  const draft = new Draft(target, { maxDepth: Infinity })
  await insertPages(draft, await readPageNodes(objects, added.root.pages), into)
  await addMissingEntries(objects, 'file', added.root.files, draft.files)
  await addMissingEntries(objects, 'reusable-content', added.root.reusableContents, draft.reusableContents)
  draft.setVariables({ ...added.root.variables, ...draft.variables })
  draft.setTags({ ...added.root.tags, ...draft.tags })
  await addRedirects(draft, target, added, into)
  return draft.commit()
}

/** Inserts pages, parents first and without recursion, because the depth of folders is unlimited. */
async function insertPages(draft: Draft, pages: readonly PageNode[], into: string | null): Promise<void> {
  const queue = pages.map((node) => ({ node, parent: into }))
  for (let at = 0; at < queue.length; at++) {
    const { node, parent } = queue[at] as (typeof queue)[number]
    const { id, slug, type } = node.entry
    const { kind: _, pages: __, ...body } = node.page
    await draft.insertPage({ id, type: toAllowedType(parent, type), slug, body }, { into: parent })
    for (const child of node.children) queue.push({ node: child, parent: id })
  }
}

/**
 * Returns the type of an inserted page: groups are allowed only at the top level, so elsewhere an empty document replaces them.
 */
const toAllowedType = (parent: string | null, type: PageType): PageType =>
  parent !== null && type === 'group' ? 'document' : type

async function addMissingEntries<Kind extends 'file' | 'reusable-content'>(
  objects: Objects,
  kind: Kind,
  added: Sequence<ItemEntry>,
  entries: DraftItems<Kind>,
): Promise<void> {
  const listed = await readSequence(objects, added)
  const found = await readObjects(
    objects,
    kind,
    listed.map(({ hash }) => hash),
  )
  for (const [index, object] of found.entries()) {
    const { id } = listed[index] as ItemEntry
    if (!(await entries.findEntry(id))) entries.set(id, object)
  }
}

/** Adds redirects to the added pages; their paths start with the path of the page that the content was added to. */
async function addRedirects(draft: Draft, target: Tree, added: Tree, into: string | null): Promise<void> {
  const redirects = await readSequence(added.objects, added.root.redirects ?? emptySequence)
  if (redirects.length === 0) return
  const prefix = into === null ? '' : `${(await draft.pathOf(into)).toLowerCase()}/`
  const prefixed = redirects.map((redirect) => ({ ...redirect, id: prefix + redirect.id }))
  const existing = await findInSorted(
    target.objects,
    target.root.redirects ?? emptySequence,
    prefixed.map(({ id }) => id),
  )
  for (const redirect of prefixed) if (!existing.has(redirect.id)) draft.setRedirect(redirect.id, redirect)
}
