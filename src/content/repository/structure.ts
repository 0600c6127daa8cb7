import { hashText } from '../document/hash.ts'
import type { ContentRef } from '../document/nodes.ts'
import { maxSlugLength, uniqueSlug } from '../markdown/slug.ts'
import type { Yielder, Draft, PageBody } from '../revision/draft.ts'
import { isSameValue } from '../revision/diff.ts'
import { canonicalJson } from '../document/canonical-json.ts'
import type { ComputedSource } from '../document/nodes.ts'
import type { PageNode } from '../revision/tree.ts'
import { groupByKeys } from './group-by-keys.ts'
import type { PlannedPage } from './plan.ts'

/** Returns a fingerprint of a structure that does not depend on the ids of pages without files. */
export function fingerprintStructure(pages: readonly PlannedPage[]): string {
  const toShape = ({ id, slug, title, linkTitle, isListed, content, children }: PlannedPage): unknown => {
    const { file, missing } = content.type === 'document' ? content : {}
    const self = file !== undefined ? id : missing !== undefined ? { missing: id } : content
    return [self, slug, title, linkTitle ?? null, isListed === true, children.map(toShape)]
  }
  return hashText(JSON.stringify(pages.map(toShape)))
}

interface FormerPage {
  id: string
  type: string
  slug: string
  title: string
  /** Target of a link page, or source of a computed page. */
  origin: ContentRef | ComputedSource | undefined
  parent: string | null
}

/** Assigns pages without files the ids that they had before; they are matched by position, title, target or children. */
export function assignFormerIds(
  pages: readonly PlannedPage[],
  before: readonly PageNode[],
  { hasFile, resolveTarget }: { hasFile: (id: string) => boolean; resolveTarget: (destination: string) => ContentRef },
): PlannedPage[] {
  const formerPages = new Map<string, FormerPage>()
  const collect = (nodes: readonly PageNode[], parent: string | null): void => {
    for (const { entry, page, children } of nodes) {
      const { id, type, slug } = entry
      formerPages.set(id, {
        id,
        type,
        slug,
        title: page.title,
        origin: type === 'computed' ? page.computed : page.target,
        parent,
      })
      collect(children, id)
    }
  }
  collect(before, null)
  const unmatched = new Map([...formerPages].filter(([id]) => !hasFile(id)))
  const byKey = groupByKeys([...unmatched.values()].toReversed(), createLookupKeys)
  const findFirstUnmatched = (key: string): FormerPage | undefined => {
    const found = byKey.get(key) ?? []
    while (found.length > 0 && !unmatched.has(found.at(-1)?.id ?? '')) found.pop()
    return found.at(-1)
  }

  const findMatch = (page: PlannedPage, parent: string | null): FormerPage | undefined => {
    const { content, slug, title } = page
    const origin =
      content.type === 'link'
        ? resolveTarget(content.destination)
        : content.type === 'computed'
          ? content.source
          : undefined
    for (const key of createLookupKeys({ type: content.type, slug, title, origin, parent })) {
      const found = findFirstUnmatched(key)
      if (found) return found
    }
    // A page with a child of a former page is considered that page with another name.
    const parents = page.children.map(({ id }) => formerPages.get(formerPages.get(id)?.parent ?? ''))
    return parents.find((one) => one !== undefined && unmatched.has(one.id) && one.type === content.type)
  }
  const assignId = (page: PlannedPage, parent: string | null): PlannedPage => {
    const match = formerPages.has(page.id) ? undefined : findMatch(page, parent)
    if (match) unmatched.delete(match.id)
    const id = match?.id ?? page.id
    return { ...page, id, children: page.children.map((child) => assignId(child, id)) }
  }
  return pages.map((page) => assignId(page, null))
}

/** Returns lookup keys, from the most specific to the least. */
function createLookupKeys({ type, slug, title, origin, parent }: Omit<FormerPage, 'id'>): string[] {
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
  createBody: (page: PlannedPage, before: PageBody | undefined) => PageBody
  /** Returns the slug that the file or the title of a page resulted in before; undefined if neither did. */
  formerSlugOf: (page: PlannedPage, before: PageBody) => string | undefined
  /** Whether the existing slugs were assigned by the current version of the importer. */
  hasCurrentSlugs: boolean
  yieldIfDue?: Yielder | undefined
}

/** Applies a planned structure to the pages of a draft. */
export async function applyStructure(
  draft: Draft,
  { pages, before, createBody, formerSlugOf, hasCurrentSlugs, yieldIfDue }: StructureChange,
): Promise<void> {
  const slugs = planSlugs(pages, before, { formerSlugOf, hasCurrentSlugs })
  const planned = new Set<string>()
  const queue: { page: PlannedPage; into: string | null }[] = pages.map((page) => ({ page, into: null }))
  // Parents first, so that a page is moved into a parent that is already at its final position.
  for (let at = 0; at < queue.length; at++) {
    const { page, into } = queue[at] as (typeof queue)[number]
    const { id, slug, content, children } = page
    planned.add(id)
    await yieldIfDue?.()
    const existing = await draft.findPage(id)
    if (existing) {
      if (existing.parent !== into) await draft.movePage(id, { into })
      await draft.updatePage(id, (old) => keepIfUnchanged(old, createBody(page, old)))
    } else {
      await draft.insertPage({ id, type: content.type, slug, body: createBody(page, undefined) }, { into })
    }
    for (const child of children) queue.push({ page: child, into: id })
  }
  const removeUnplanned = async (nodes: readonly PageNode[]): Promise<void> => {
    for (const { entry, children } of nodes) {
      await removeUnplanned(children)
      if (!planned.has(entry.id)) await draft.deletePage(entry.id)
    }
  }
  await removeUnplanned(before)
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
function planSlugs(
  pages: readonly PlannedPage[],
  before: readonly PageNode[],
  { formerSlugOf, hasCurrentSlugs }: Pick<StructureChange, 'formerSlugOf' | 'hasCurrentSlugs'>,
): Map<string, string> {
  const formerNodes = new Map<string, PageNode>()
  const collect = (nodes: readonly PageNode[]): void => {
    for (const node of nodes) {
      formerNodes.set(node.entry.id, node)
      collect(node.children)
    }
  }
  collect(before)
  const formerAssignedSlug = (page: PlannedPage) => {
    const formerNode = formerNodes.get(page.id)
    return formerNode && formerSlugOf(page, formerNode.page)
  }
  const slugs = new Map<string, string>()
  const assignSlugs = (siblings: readonly PlannedPage[], siblingsBefore: readonly PageNode[]): void => {
    const isUnchanged =
      hasCurrentSlugs &&
      siblings.length === siblingsBefore.length &&
      siblings.every((page, at) => page.id === siblingsBefore[at]?.entry.id && formerAssignedSlug(page) === page.slug)
    const taken = new Set<string>()
    const assignSlug = ({ id }: PlannedPage, slug: string): void => {
      taken.add(slug)
      slugs.set(id, slug)
    }
    for (const page of siblings) {
      const slug = formerNodes.get(page.id)?.entry.slug
      const assignedSlug = formerAssignedSlug(page)
      const isCustom = slug !== undefined && assignedSlug !== undefined && !isNumberedVariant(slug, assignedSlug)
      if (slug !== undefined && (isUnchanged || isCustom) && !taken.has(slug)) assignSlug(page, slug)
    }
    for (const page of siblings) {
      if (!slugs.has(page.id))
        assignSlug(
          page,
          uniqueSlug(page.slug, (slug) => taken.has(slug)),
        )
    }
    for (const { id, children } of siblings) assignSlugs(children, formerNodes.get(id)?.children ?? [])
  }
  assignSlugs(pages, before)
  return slugs
}

/** Whether a slug equals another one, or is that one with a number, for which a long slug is truncated. */
function isNumberedVariant(slug: string, base: string): boolean {
  if (slug === base) return true
  const stem = slug.replace(/-\d+$/, '')
  return (
    stem !== slug && (stem === base || (base.length > maxSlugLength - maxNumberSuffixLength && base.startsWith(stem)))
  )
}

/** Maximum length of the number at the end of a slug: a hyphen and digits. */
const maxNumberSuffixLength = 8

/** Returns the former body if nothing but the timestamp changed. */
export function keepIfUnchanged(before: PageBody, after: PageBody): PageBody {
  const { updatedAt } = before
  return isSameValue(before, { ...after, updatedAt }) ? before : after
}
