import { hashText } from '../document/hash.ts'
import type { ContentRef } from '../document/nodes.ts'
import { maxSlugLength, uniqueSlug } from '../markdown/slug.ts'
import type { Yielder, Draft, PageBody } from '../revision/draft.ts'
import { isSameValue } from '../revision/diff.ts'
import { canonicalJson } from '../document/canonical.ts'
import type { ComputedSource } from '../revision/objects.ts'
import type { PageNode } from '../revision/tree.ts'
import { groupBy } from './groups.ts'
import type { PlannedPage } from './plan.ts'

/** Returns a fingerprint of a structure that does not depend on the ids of pages without files. */
export function structureOf(pages: readonly PlannedPage[]): string {
  const shapeOf = ({ id, slug, title, linkTitle, isListed, what, children }: PlannedPage): unknown => {
    const { file, missing } = what.type === 'document' ? what : {}
    const self = file !== undefined ? id : missing !== undefined ? { missing: id } : what
    return [self, slug, title, linkTitle ?? null, isListed === true, children.map(shapeOf)]
  }
  return hashText(JSON.stringify(pages.map(shapeOf)))
}

interface Former {
  id: string
  type: string
  slug: string
  title: string
  /** Target of a link page, or source of a computed page. */
  origin: ContentRef | ComputedSource | undefined
  parent: string | null
}

/** Assigns pages without files the ids that they had before; they are matched by position, title, target or children. */
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
    // A page whose children had another parent before is that parent with another name.
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

/** Returns lookup keys, from the most specific to the least. */
function keysOf({ type, slug, title, origin, parent }: Omit<Former, 'id'>): string[] {
  const keys = [
    ...(origin
      ? [
          ['origin', canonicalJson(origin), 'place', parent, slug],
          ['origin', canonicalJson(origin), 'title', title],
        ]
      : []),
    ...(origin ? [['origin', canonicalJson(origin)]] : []),
    ['place', parent, slug],
    ['slug', slug],
    ['title', title],
  ]
  return keys.map((parts) => JSON.stringify([type, ...parts]))
}

export interface StructureChange {
  pages: readonly PlannedPage[]
  before: readonly PageNode[]
  /** Returns the new body of a page, given its former body. */
  bodyOf: (page: PlannedPage, before: PageBody | undefined) => PageBody
  /** Returns the slug that the file or the title of a page resulted in before; undefined if neither did. */
  formerSlugOf: (page: PlannedPage, before: PageBody) => string | undefined
  /** Whether the existing slugs were assigned by the current version of the importer. */
  hasCurrentSlugs: boolean
  breathe?: Yielder | undefined
}

/** Applies a planned structure to the pages of a draft. */
export async function applyStructure(
  draft: Draft,
  { pages, before, bodyOf, formerSlugOf, hasCurrentSlugs, breathe }: StructureChange,
): Promise<void> {
  const slugs = plannedSlugs(pages, before, { formerSlugOf, hasCurrentSlugs })
  const planned = new Set<string>()
  const waiting: { page: PlannedPage; into: string | null }[] = pages.map((page) => ({ page, into: null }))
  // Parents first, so that a page is moved into a parent that is already at its final position.
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
  // Slugs that were in use while pages were moved are available now.
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
 * Returns the slugs of all pages. They depend on the repository only, so that its URLs are the same after any sequence of
 * imports. Slugs that were set by a person, which files cannot store, are kept; so are the slugs of pages whose siblings are
 * unchanged.
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

/** Whether a slug equals another one, or is that one with a number, for which a long slug is truncated. */
function isNumbered(slug: string, base: string): boolean {
  if (slug === base) return true
  const stem = slug.replace(/-\d+$/, '')
  return stem !== slug && (stem === base || (base.length > maxSlugLength - maxNumberLength && base.startsWith(stem)))
}

/** Maximum length of the number at the end of a slug: a hyphen and digits. */
const maxNumberLength = 8

/** Returns the former body if nothing but the timestamp changed. */
export function changedBody(before: PageBody, after: PageBody): PageBody {
  const { updatedAt } = before
  return isSameValue(before, { ...after, updatedAt }) ? before : after
}
