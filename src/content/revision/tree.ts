import {
  type FormerPath,
  type Objects,
  type PageEntry,
  type PageObject,
  type Root,
  readObject,
  readObjects,
} from './objects.ts'
import { type Sequence, findInSorted, readSequence } from './sequence.ts'

/** The content of a revision. */
export interface Tree {
  objects: Objects
  root: Root
}

/** A page with its ancestors. */
export interface LocatedPage {
  entry: PageEntry
  page: PageObject
  /** Ancestors from the top level to the parent. */
  ancestors: readonly PageEntry[]
}

export async function openTree(objects: Objects, rootHash: string): Promise<Tree> {
  return { objects, root: await readObject(objects, 'root', rootHash) }
}

/** Returns the number of levels of pages. */
export async function readTreeDepth({ objects, root }: Tree): Promise<number> {
  const entries = await readSequence(objects, root.pages)
  return entries.reduce((max, { levels = 0 }) => Math.max(max, levels + 1), 0)
}

/** Returns the ids from the top level to the page itself; undefined if the page does not exist. */
export async function findLineageIds({ objects, root }: Tree, id: string): Promise<string[] | undefined> {
  const lineage: string[] = []
  for (let next: string | null = id; next !== null;) {
    const found: Map<string, { parent: string | null }> = await findInSorted(objects, root.parents, [next])
    const parentEntry = found.get(next)
    if (!parentEntry) return undefined
    lineage.push(next)
    next = parentEntry.parent
  }
  return lineage.toReversed()
}

export async function findPage(tree: Tree, id: string): Promise<LocatedPage | undefined> {
  const lineage = await findLineageIds(tree, id)
  return lineage && descend(tree, lineage, (entries, wanted) => entries.find((entry) => entry.id === wanted))
}

/** Finds many pages at once and omits missing ones. Each level of the tree is read in one batch. */
export async function findPages({ objects, root }: Tree, ids: readonly string[]): Promise<Map<string, LocatedPage>> {
  const wanted = new Map<string | null, Set<string>>()
  const seen = new Set<string>()
  for (let next = new Set(ids); next.size > 0;) {
    for (const id of next) seen.add(id)
    const parentEntries = await findInSorted(objects, root.parents, [...next])
    next = new Set()
    for (const { id, parent } of parentEntries.values()) {
      const siblings = wanted.get(parent)
      if (siblings) siblings.add(id)
      else wanted.set(parent, new Set([id]))
      if (parent !== null && !seen.has(parent)) next.add(parent)
    }
  }
  const found = new Map<string, LocatedPage>()
  let level: { id: string | null; pages: Sequence<PageEntry>; lineage: readonly PageEntry[] }[] = [
    { id: null, pages: root.pages, lineage: [] },
  ]
  while (level.length > 0) {
    const lists = await Promise.all(level.map(({ pages }) => readSequence(objects, pages)))
    const matches = level.flatMap(({ id, lineage }, index) =>
      (lists[index] ?? []).flatMap((entry) => (wanted.get(id)?.has(entry.id) ? [{ entry, ancestors: lineage }] : [])),
    )
    const pages = await readObjects(
      objects,
      'page',
      matches.map(({ entry }) => entry.hash),
    )
    level = matches.flatMap(({ entry, ancestors }, index) => {
      const page = pages[index] as PageObject
      found.set(entry.id, { entry, page, ancestors })
      return wanted.has(entry.id) ? [{ id: entry.id, pages: page.pages, lineage: [...ancestors, entry] }] : []
    })
  }
  return found
}

/**
 * Finds a page by its path, case-insensitively: by current paths, then by former paths of moved or renamed pages, then by
 * redirects.
 */
export async function findPageByPath(tree: Tree, path: string): Promise<LocatedPage | undefined> {
  const lowerCasePath = path.toLowerCase()
  const slugs = lowerCasePath.split('/')
  return (
    (await descend(tree, slugs, findEntryBySlug)) ??
    (await findPageByFormerPath(tree, slugs)) ??
    (await findPageByRedirect(tree, lowerCasePath))
  )
}

async function findPageByRedirect(tree: Tree, path: string): Promise<LocatedPage | undefined> {
  const { redirects } = tree.root
  const redirect = redirects && (await findInSorted(tree.objects, redirects, [path])).get(path)
  return redirect && findPage(tree, redirect.page)
}

/** Returns the step of a path: a parent (null at the top level), and the page that has or had this slug in it. */
export function toFormerPath(parent: string | null, slug: string, page: string): FormerPath {
  return { id: `${parent ?? ''}/${slug.toLowerCase()}`, page }
}

/** Maximum number of pages visited when former paths branch repeatedly. */
const maxFormerPathSteps = 500

/** Finds a page by following current and former slugs at each level; former slugs below deleted pages are followed too. */
async function findPageByFormerPath(tree: Tree, slugs: readonly string[]): Promise<LocatedPage | undefined> {
  const { objects, root } = tree
  const pending: { page: string | null; depth: number }[] = [{ page: null, depth: 0 }]
  const seen = new Set<string>()
  for (let next = pending.pop(); next && seen.size < maxFormerPathSteps; next = pending.pop()) {
    const { page, depth } = next
    const state = `${depth}/${page}`
    if (seen.has(state)) continue
    seen.add(state)
    const located = page === null ? undefined : await findPage(tree, page)
    const slug = slugs[depth]
    if (slug === undefined) {
      if (located && located.entry.type !== 'link') return located
      continue
    }
    const { id } = toFormerPath(page, slug, '')
    const former = (await findInSorted(objects, root.formerPaths, [id])).get(id)
    if (former) pending.push({ page: former.page, depth: depth + 1 })
    const pages = page === null ? root.pages : located?.page.pages
    const currentEntry = pages && findEntryBySlug(await readSequence(objects, pages), slug)
    if (currentEntry) pending.push({ page: currentEntry.id, depth: depth + 1 })
  }
  return undefined
}

/** Finds a link page by its path. It has no content; published sites redirect its URL to its target. */
export function findLinkByPath(tree: Tree, path: string): Promise<LocatedPage | undefined> {
  return descend(tree, path.toLowerCase().split('/'), findEntryOrLinkBySlug)
}

function findEntryOrLinkBySlug(entries: readonly PageEntry[], slug: string): PageEntry | undefined {
  return findEntryBySlug(entries, slug) ?? entries.find((entry) => entry.slug.toLowerCase() === slug)
}

/** Finds a page by its slug, except link pages, which have no content. */
function findEntryBySlug(entries: readonly PageEntry[], slug: string): PageEntry | undefined {
  return entries.find((entry) => entry.slug.toLowerCase() === slug && entry.type !== 'link')
}

type ChooseEntry = (entries: readonly PageEntry[], step: string) => PageEntry | undefined

async function descend(tree: Tree, steps: readonly string[], choose: ChooseEntry): Promise<LocatedPage | undefined> {
  const { objects, root } = tree
  const lineage: PageEntry[] = []
  let page: PageObject | undefined
  for (const step of steps) {
    const entry = choose(await readSequence(objects, page ? page.pages : root.pages), step)
    if (!entry) return undefined
    lineage.push(entry)
    page = await readObject(objects, 'page', entry.hash)
  }
  const entry = lineage.pop()
  return entry && page && { entry, page, ancestors: lineage }
}

export function pathOfPage({ entry, ancestors }: Pick<LocatedPage, 'entry' | 'ancestors'>): string {
  return [...ancestors, entry].map(({ slug }) => slug).join('/')
}

/** A page with its children. */
export interface PageNode {
  entry: PageEntry
  page: PageObject
  children: PageNode[]
}

/** Reads the pages of a list and all pages below them, level by level. */
export async function readPageNodes(objects: Objects, pages: Sequence<PageEntry>): Promise<PageNode[]> {
  const top: PageNode[] = []
  let level: { into: PageNode[]; pages: Sequence<PageEntry> }[] = [{ into: top, pages }]
  while (level.length > 0) {
    const next: typeof level = []
    const lists = await Promise.all(level.map((one) => readSequence(objects, one.pages)))
    const found = await readObjects(
      objects,
      'page',
      lists.flatMap((entries) => entries.map(({ hash }) => hash)),
    )
    let index = 0
    lists.forEach((entries, listIndex) => {
      for (const entry of entries) {
        const node: PageNode = { entry, page: found[index++] as PageObject, children: [] }
        level[listIndex]?.into.push(node)
        if (node.page.pages.entries.length > 0) next.push({ into: node.children, pages: node.page.pages })
      }
    })
    level = next
  }
  return top
}
