import { type Objects, type PageEntry, type PageObject, type Root, readObject, readObjects } from './objects.ts'
import { type Sequence, findInSorted, readSequence } from './sequence.ts'

/** The content of a revision. */
export interface Tree {
  objects: Objects
  root: Root
}

/** A page with everything above it. */
export interface LocatedPage {
  entry: PageEntry
  page: PageObject
  /** From the top down to the parent. */
  ancestors: readonly PageEntry[]
}

export async function openTree(objects: Objects, rootHash: string): Promise<Tree> {
  return { objects, root: await readObject(objects, 'root', rootHash) }
}

/** The ids from the top down to the page itself; undefined when there is no such page. */
export async function lineageOf({ objects, root }: Tree, id: string): Promise<string[] | undefined> {
  const lineage: string[] = []
  for (let next: string | null = id; next !== null;) {
    const found: Map<string, { parent: string | null }> = await findInSorted(objects, root.parents, [next])
    const place = found.get(next)
    if (!place) return undefined
    lineage.unshift(next)
    next = place.parent
  }
  return lineage
}

export async function findPage(tree: Tree, id: string): Promise<LocatedPage | undefined> {
  const lineage = await lineageOf(tree, id)
  return lineage && descend(tree, lineage, (entries, wanted) => entries.find((entry) => entry.id === wanted))
}

/** The page at a path, whatever its case: one that is there, else one that was there before it was moved or renamed. */
export async function findPageByPath(tree: Tree, path: string): Promise<LocatedPage | undefined> {
  const slugs = path.toLowerCase().split('/')
  const bySlug = (entries: readonly PageEntry[], slug: string) => entries.find((entry) => isAt(entry, slug))
  const here = await descend(tree, slugs, bySlug)
  if (here) return here
  // A page that moved took those below it along: the longest former path leads to where to go on.
  for (let length = slugs.length; length > 0; length--) {
    const former = slugs.slice(0, length).join('/')
    const moved = (await findInSorted(tree.objects, tree.root.formerPaths, [former])).get(former)
    const located = moved && (await findPage(tree, moved.page))
    if (!located) continue
    const below = await descendFrom(tree, located, slugs.slice(length), bySlug)
    if (below) return below
  }
  return undefined
}

/** A link leads away, so nothing is at its slug. */
function isAt(entry: PageEntry, slug: string): boolean {
  return entry.slug.toLowerCase() === slug && entry.type !== 'link'
}

type Choose = (entries: readonly PageEntry[], step: string) => PageEntry | undefined

async function descend(tree: Tree, steps: readonly string[], choose: Choose): Promise<LocatedPage | undefined> {
  const [first, ...others] = steps
  const entry = first === undefined ? undefined : choose(await readSequence(tree.objects, tree.root.pages), first)
  if (!entry) return undefined
  const page = await readObject(tree.objects, 'page', entry.hash)
  return descendFrom(tree, { entry, page, ancestors: [] }, others, choose)
}

async function descendFrom(
  { objects }: Tree,
  start: LocatedPage,
  steps: readonly string[],
  choose: Choose,
): Promise<LocatedPage | undefined> {
  let located = start
  for (const step of steps) {
    const entry = choose(await readSequence(objects, located.page.pages), step)
    if (!entry) return undefined
    const page = await readObject(objects, 'page', entry.hash)
    located = { entry, page, ancestors: [...located.ancestors, located.entry] }
  }
  return located
}

export function pathOf({ entry, ancestors }: Pick<LocatedPage, 'entry' | 'ancestors'>): string {
  return [...ancestors, entry].map(({ slug }) => slug).join('/')
}

/** A page with those below it. */
export interface PageNode {
  entry: PageEntry
  page: PageObject
  children: PageNode[]
}

/** The pages of a list with everything below them, read level by level. */
export async function readPages(objects: Objects, pages: Sequence<PageEntry>): Promise<PageNode[]> {
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
    lists.forEach((entries, place) => {
      for (const entry of entries) {
        const node: PageNode = { entry, page: found[index++] as PageObject, children: [] }
        level[place]?.into.push(node)
        if (node.page.pages.entries.length > 0) next.push({ into: node.children, pages: node.page.pages })
      }
    })
    level = next
  }
  return top
}
