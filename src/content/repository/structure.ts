import { hashOf } from '../document/hash.ts'
import type { ContentRef } from '../document/nodes.ts'
import type { Breathe, Draft, PageBody } from '../revision/draft.ts'
import { sameValue } from '../revision/diff.ts'
import { canonical } from '../revision/canonical.ts'
import type { ComputedSource } from '../revision/objects.ts'
import type { PageNode } from '../revision/tree.ts'
import { groupBy } from './groups.ts'
import type { PlannedPage } from './plan.ts'

/** Tells structures apart, whatever ids pages without files have got. */
export function structureOf(pages: readonly PlannedPage[]): string {
  const shapeOf = ({ id, slug, title, linkTitle, what, children }: PlannedPage): unknown => {
    const { file, missing } = what.type === 'document' ? what : {}
    const self = file !== undefined ? id : missing !== undefined ? { missing: id } : what
    return [self, slug, title, linkTitle ?? null, children.map(shapeOf)]
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
  /** Whether a page that was there keeps its slug, whatever that is. */
  keepsSlug: (page: PlannedPage, before: PageBody) => boolean
  breathe?: Breathe | undefined
}

/** Brings the pages of a draft into the planned structure. */
export async function applyStructure(
  draft: Draft,
  { pages, before, bodyOf, keepsSlug, breathe }: StructureChange,
): Promise<void> {
  const slugs = new Map<string, string>()
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
      slugs.set(id, keepsSlug(page, known.body) ? known.slug : slug)
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

/** The body a page had, when nothing but a time is new. */
export function changedBody(before: PageBody, after: PageBody): PageBody {
  const { updatedAt } = before
  return sameValue(before, { ...after, updatedAt }) ? before : after
}
