import { hashOf } from '../document/hash.ts'
import type { ContentRef } from '../document/nodes.ts'
import { maxSlugLength, uniqueSlug } from '../markdown/slug.ts'
import type { Breathe, Draft, PageBody } from '../revision/draft.ts'
import { sameValue } from '../revision/diff.ts'
import { canonical } from '../document/canonical.ts'
import type { ComputedSource } from '../revision/objects.ts'
import type { PageNode } from '../revision/tree.ts'
import { groupBy } from './groups.ts'
import type { PlannedPage } from './plan.ts'

/** Tells structures apart, whatever ids pages without files have got. */
export function structureOf(pages: readonly PlannedPage[]): string {
  const shapeOf = ({ id, slug, title, linkTitle, isListed, what, children }: PlannedPage): unknown => {
    const { file, missing } = what.type === 'document' ? what : {}
    const self = file !== undefined ? id : missing !== undefined ? { missing: id } : what
    return [self, slug, title, linkTitle ?? null, isListed === true, children.map(shapeOf)]
  }
  return hashOf(JSON.stringify(pages.map(shapeOf)))
}

interface Former {
  id: string
  type: string
  slug: string
  title: string
  /** What it leads to, or is made from. */
  origin: ContentRef | ComputedSource | undefined
  parent: string | null
}

/** Gives pages that no file stands for the ids that they had before: known by their place, their name, or what is in them. */
export function keepIds(
  pages: readonly PlannedPage[],
  before: readonly PageNode[],
  { isFiled, targetOf }: { isFiled: (id: string) => boolean; targetOf: (destination: string) => ContentRef },
): PlannedPage[] {
  const former = new Map<string, Former>()
  const note = (nodes: readonly PageNode[], parent: string | null): void => {
    for (const { entry, page, children } of nodes) {
      const { id, type, slug } = entry
      former.set(id, { id, type, slug, title: page.title, origin: page.target ?? page.computed, parent })
      note(children, id)
    }
  }
  note(before, null)
  const free = new Map([...former].filter(([id]) => !isFiled(id)))
  const byKey = groupBy([...free.values()].toReversed(), keysOf)
  const firstFree = (key: string): Former | undefined => {
    const found = byKey.get(key) ?? []
    while (found.length > 0 && !free.has(found.at(-1)?.id ?? '')) found.pop()
    return found.at(-1)
  }

  const find = (page: PlannedPage, parent: string | null): Former | undefined => {
    const { what, slug, title } = page
    const origin =
      what.type === 'link' ? targetOf(what.destination) : what.type === 'computed' ? what.source : undefined
    for (const key of keysOf({ type: what.type, slug, title, origin, parent })) {
      const found = firstFree(key)
      if (found) return found
    }
    // One whose pages stood together in another page before is that page under another name.
    const parents = page.children.map(({ id }) => former.get(former.get(id)?.parent ?? ''))
    return parents.find((one) => one !== undefined && free.has(one.id) && one.type === what.type)
  }
  const keep = (page: PlannedPage, parent: string | null): PlannedPage => {
    const known = former.has(page.id) ? undefined : find(page, parent)
    if (known) free.delete(known.id)
    const id = known?.id ?? page.id
    return { ...page, id, children: page.children.map((child) => keep(child, id)) }
  }
  return pages.map((page) => keep(page, null))
}

/** From what is most certain to what is least. */
function keysOf({ type, slug, title, origin, parent }: Omit<Former, 'id'>): string[] {
  const keys = [
    ...(origin
      ? [
          ['origin', canonical(origin), 'place', parent, slug],
          ['origin', canonical(origin), 'title', title],
        ]
      : []),
    ...(origin ? [['origin', canonical(origin)]] : []),
    ['place', parent, slug],
    ['slug', slug],
    ['title', title],
  ]
  return keys.map((parts) => JSON.stringify([type, ...parts]))
}

export interface StructureChange {
  pages: readonly PlannedPage[]
  before: readonly PageNode[]
  /** What a page is now, after what it was. */
  bodyOf: (page: PlannedPage, before: PageBody | undefined) => PageBody
  /** The slug that a page was given by its file or its title before; undefined when nothing gave it one. */
  formerSlugOf: (page: PlannedPage, before: PageBody) => string | undefined
  /** Whether slugs were given as they are now. */
  hasCurrentSlugs: boolean
  breathe?: Breathe | undefined
}

/** Brings the pages of a draft into the planned structure. */
export async function applyStructure(
  draft: Draft,
  { pages, before, bodyOf, formerSlugOf, hasCurrentSlugs, breathe }: StructureChange,
): Promise<void> {
  const slugs = plannedSlugs(pages, before, { formerSlugOf, hasCurrentSlugs })
  const planned = new Set<string>()
  const waiting: { page: PlannedPage; into: string | null }[] = pages.map((page) => ({ page, into: null }))
  // Parents first, so that what a page is put into stands where it will stay.
  for (let at = 0; at < waiting.length; at++) {
    const { page, into } = waiting[at] as (typeof waiting)[number]
    const { id, slug, what, children } = page
    planned.add(id)
    await breathe?.()
    const known = await draft.findPage(id)
    if (known) {
      if (known.parent !== into) await draft.movePage(id, { into })
      await draft.updatePage(id, (old) => changedBody(old, bodyOf(page, old)))
    } else {
      await draft.insertPage({ id, type: what.type, slug, body: bodyOf(page, undefined) }, { into })
    }
    for (const child of children) waiting.push({ page: child, into: id })
  }
  const remove = async (nodes: readonly PageNode[]): Promise<void> => {
    for (const { entry, children } of nodes) {
      await remove(children)
      if (!planned.has(entry.id)) await draft.deletePage(entry.id)
    }
  }
  await remove(before)
  // Places that were taken while pages moved are free by now.
  await draft.renamePages(slugs)
  const reorder = async (parent: string | null, children: readonly PlannedPage[]): Promise<void> => {
    await draft.reorder(
      parent,
      children.map(({ id }) => id),
    )
    for (const child of children) if (child.children.length > 0) await reorder(child.id, child.children)
  }
  await reorder(null, pages)
}

/**
 * The slugs of all pages: what the repository alone gives them, so that every history leads to the same addresses. Slugs
 * that people chose, and that no file can store, are kept; so are those of pages that have the same siblings as before.
 */
function plannedSlugs(
  pages: readonly PlannedPage[],
  before: readonly PageNode[],
  { formerSlugOf, hasCurrentSlugs }: Pick<StructureChange, 'formerSlugOf' | 'hasCurrentSlugs'>,
): Map<string, string> {
  const former = new Map<string, PageNode>()
  const note = (nodes: readonly PageNode[]): void => {
    for (const node of nodes) {
      former.set(node.entry.id, node)
      note(node.children)
    }
  }
  note(before)
  const givenBefore = (page: PlannedPage) => {
    const known = former.get(page.id)
    return known && formerSlugOf(page, known.page)
  }
  const slugs = new Map<string, string>()
  const give = (siblings: readonly PlannedPage[], siblingsBefore: readonly PageNode[]): void => {
    const isSame =
      hasCurrentSlugs &&
      siblings.length === siblingsBefore.length &&
      siblings.every((page, at) => page.id === siblingsBefore[at]?.entry.id && givenBefore(page) === page.slug)
    const taken = new Set<string>()
    const take = ({ id }: PlannedPage, slug: string): void => {
      taken.add(slug)
      slugs.set(id, slug)
    }
    for (const page of siblings) {
      const slug = former.get(page.id)?.entry.slug
      const given = givenBefore(page)
      const isChosen = slug !== undefined && given !== undefined && !isNumbered(slug, given)
      if (slug !== undefined && (isSame || isChosen) && !taken.has(slug)) take(page, slug)
    }
    for (const page of siblings) {
      if (!slugs.has(page.id))
        take(
          page,
          uniqueSlug(page.slug, (slug) => taken.has(slug)),
        )
    }
    for (const { id, children } of siblings) give(children, former.get(id)?.children ?? [])
  }
  give(pages, before)
  return slugs
}

/** Whether a slug is another one, or that one with a number, for which a long one is cut. */
function isNumbered(slug: string, base: string): boolean {
  if (slug === base) return true
  const stem = slug.replace(/-\d+$/, '')
  return stem !== slug && (stem === base || (base.length > maxSlugLength - maxNumberLength && base.startsWith(stem)))
}

/** A hyphen and the digits behind it. */
const maxNumberLength = 8

/** The body a page had, when nothing but a time is new. */
export function changedBody(before: PageBody, after: PageBody): PageBody {
  const { updatedAt } = before
  return sameValue(before, { ...after, updatedAt }) ? before : after
}
