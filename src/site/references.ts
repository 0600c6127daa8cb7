import type { StoredItem } from '../access/sites.ts'
import type { ContentRef, Document, FileRef } from '../content/document/nodes.ts'
import { referencesIn } from '../content/document/references.ts'
import { readLineages } from '../content/revision/lineages.ts'
import { type FileObject, type NamedEntry, readObjects } from '../content/revision/objects.ts'
import { findInSorted } from '../content/revision/sequence.ts'
import type { Tree } from '../content/revision/tree.ts'
import type { BaseContext } from '../kernel/context.ts'
import { pathOnSite, seesPages } from '../publishing/pages.ts'
import type { Structure } from '../publishing/structure.ts'
import type { Viewpoint } from '../publishing/visibility.ts'
import type { LinkTarget, ShownFile } from '../render/setting.ts'
import { downloadUrlOf } from '../resources/content/addresses.ts'
import { pagePathIn } from '../resources/site-structure/addresses.ts'

/** A site as one visitor looks at it. */
export interface SiteView {
  context: BaseContext
  structure: Structure<StoredItem>
  viewpoint: Viewpoint
  /** Where the site begins for them, ending with a slash. */
  base: string
  /** The content of a space that stands on the site, as it is now. */
  openSpace(spaceId: string): Promise<Tree | undefined>
}

/** Where everything is found that a document points at, looked up before it is shown. */
export class References {
  readonly #links = new Map<string, LinkTarget>()
  readonly #files = new Map<string, ShownFile>()

  linkTo(ref: ContentRef): LinkTarget | undefined {
    return this.#links.get(keyOf(ref))
  }

  file(ref: FileRef): ShownFile | undefined {
    if (ref.kind === 'url') return isWebAddress(ref.url) ? { url: ref.url, name: ref.url } : undefined
    return this.#files.get(keyOf(ref))
  }

  /** Looks up what a document of a space points at, as far as the visitor sees it. */
  static async of(
    view: SiteView,
    here: { item: StoredItem; tree: Tree; pageId: string },
    document: Document,
  ): Promise<References> {
    const references = new References()
    const refs = referencesIn(document).map(({ ref }) => ref)
    const spaces = new Map<string, ContentRef[]>()
    for (const ref of refs) {
      const space = ('space' in ref && ref.space) || here.item.spaceId || ''
      spaces.set(space, [...(spaces.get(space) ?? []), ref])
    }
    for (const [spaceId, wanted] of spaces) {
      const isHere = spaceId === here.item.spaceId
      const item = isHere ? here.item : itemOf(view, spaceId)
      const tree = isHere ? here.tree : item && (await view.openSpace(spaceId))
      if (item && tree) await references.#addFrom(view, { item, tree, pageId: here.pageId, isHere }, wanted)
    }
    for (const ref of refs) if (ref.kind === 'url') references.#addUrl(ref, view.base)
    return references
  }

  async #addFrom(
    view: SiteView,
    { item, tree, pageId, isHere }: { item: StoredItem; tree: Tree; pageId: string; isHere: boolean },
    refs: readonly ContentRef[],
  ): Promise<void> {
    const files = refs.filter((ref) => ref.kind === 'file')
    await this.#addFiles(view, item, tree, files)
    const pageIds = refs.flatMap((ref) =>
      ref.kind === 'page' ? [ref.page] : ref.kind === 'anchor' ? [ref.page ?? pageId] : [],
    )
    const lineages = await readLineages(tree, pageIds)
    for (const ref of refs) {
      if (ref.kind === 'space') {
        const href = view.base + pathOnSite(view.structure, item)
        this.#links.set(keyOf(ref), { href, title: item.title, isExternal: false })
      }
      if (ref.kind !== 'page' && ref.kind !== 'anchor') continue
      const lineage = lineages.get(ref.kind === 'page' ? ref.page : (ref.page ?? pageId))
      const pages = lineage?.map(({ page }) => page)
      if (!lineage || !pages || !seesPages(view.viewpoint, pages, tree.root.variables)) continue
      const target = pages.at(-1)
      const path = view.base + pathOnSite(view.structure, item, await pagePathIn(tree, item, lineage))
      const isSamePage = isHere && lineage.at(-1)?.entry.id === pageId
      const anchor = ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : ''
      this.#links.set(keyOf(ref), {
        href: isSamePage && anchor !== '' ? anchor : path + anchor,
        title: target?.title ?? '',
        description: target?.description,
        icon: target?.icon,
        emoji: target?.emoji,
        isExternal: false,
      })
    }
  }

  async #addFiles(view: SiteView, item: StoredItem, tree: Tree, refs: readonly ContentRef[]): Promise<void> {
    const ids = refs.flatMap((ref) => (ref.kind === 'file' ? [ref.file] : []))
    const entries = await findInSorted(tree.objects, tree.root.files, ids)
    const found = [...entries.values()]
    const files = await readObjects(
      tree.objects,
      'file',
      found.map(({ hash }) => hash),
    )
    const { urls, signer, now } = view.context
    const addresses = { spaceId: item.spaceId ?? '', urls, signer, now }
    const byId = new Map(found.map(({ id }, index) => [id, index]))
    for (const ref of refs) {
      const index = ref.kind === 'file' ? byId.get(ref.file) : undefined
      if (index === undefined) continue
      const file = files[index] as FileObject
      const url = downloadUrlOf(addresses, found[index] as NamedEntry, file)
      this.#files.set(keyOf(ref), { url, ...file })
      this.#links.set(keyOf(ref), { href: url, title: file.name, isExternal: false })
    }
  }

  #addUrl(ref: Extract<ContentRef, { kind: 'url' }>, base: string): void {
    const { url } = ref
    if (isWebAddress(url)) {
      const isExternal = !url.startsWith(base)
      this.#links.set(keyOf(ref), { href: url, title: url, isExternal })
    } else if (/^(mailto|tel):/i.test(url)) this.#links.set(keyOf(ref), { href: url, title: url, isExternal: false })
  }
}

/** The place of a space on the site that the visitor sees. */
function itemOf({ structure, viewpoint }: SiteView, spaceId: string): StoredItem | undefined {
  return structure.spaces.find((item) => item.spaceId === spaceId && structure.isVisible(item, viewpoint))
}

const keyOf = (ref: ContentRef): string => JSON.stringify(Object.entries(ref).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
