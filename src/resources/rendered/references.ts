import type { PageAnchors } from '../../content/document/anchors.ts'
import type { ContentRef, FileRef, TagRef } from '../../content/document/nodes.ts'
import { isDeletedTarget } from '../../content/markdown/references.ts'
import { isMarkdown } from '../../content/repository/paths.ts'
import type { LineagePage } from '../../content/revision/lineages.ts'
import { type FileObject, type ItemEntry, navigationTitleOf, readObjects } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { findMemberNames } from '../../domain/members/member-queries.ts'
import { findSpec } from '../../domain/openapi/openapi-store.ts'
import { publicUrlOf } from '../../domain/openapi/public-url.ts'
import { createResizedUrls } from '../../files/resized-images.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { isPathOnHost } from '../../publishing/links.ts'
import type { LinkTarget, ResolvedFile } from '../../render/render-context.ts'
import { downloadUrlOf } from '../content/signed-links.ts'

/** Access of a reader to spaces and to their organization: of a visitor on a site, or of a member. */
export interface ReferenceReader {
  context: Pick<BaseContext, 'db' | 'urls' | 'signer' | 'now'>
  organizationId: string
  /** Opens a space; undefined if the reader cannot see it. */
  openSpace(spaceId: string): Promise<ReferenceSpace | undefined>
  /** Whether a URL belongs to another site. */
  isExternalUrl(url: string): boolean
  /** Whether names of members were read. */
  showsMemberNames?: boolean
}

/** A space in which references are looked up, as its reader sees it. */
export interface ReferenceSpace<Page extends LineagePage = LineagePage> {
  reader: ReferenceReader
  spaceId: string
  title: string
  tree: Tree
  /** URL of the space in links. */
  href: string
  /** Returns the pages with these ids that exist and that the reader can see. */
  findPagesById(ids: readonly string[]): Promise<ReadonlyMap<string, Page>>
  /** Returns the URL of a page in links. */
  hrefOf(page: Page): string
  /** Whether the anchors of a page are already loaded. */
  hasLoadedAnchors(page: Page): boolean
  readAnchors(page: Page): Promise<PageAnchors>
}

/**
 * Maximum number of blocks of other pages that are read to resolve anchors in links. Beyond it, links keep the written anchor,
 * which a script resolves on the target page.
 */
const maxBlocksRead = 10_000

/** Targets of references in content, looked up before rendering; targets that the reader cannot see are missing. */
export class ResolvedReferences {
  readonly #links = new Map<string, LinkTarget>()
  readonly #files = new Map<string, ResolvedFile>()

  linkTo(ref: ContentRef): LinkTarget | undefined {
    return this.#links.get(refKeyOf(ref))
  }

  file(ref: FileRef): ResolvedFile | undefined {
    if (ref.kind === 'url') return isHttpUrl(ref.url) ? { url: ref.url, name: ref.url } : undefined
    return this.#files.get(refKeyOf(ref))
  }

  /** Looks up the references in content or settings of a space. */
  static async resolve<Page extends LineagePage>(
    currentSpace: ReferenceSpace<Page>,
    refs: readonly ContentRef[],
    pageId?: string,
  ): Promise<ResolvedReferences> {
    const { reader } = currentSpace
    const references = new ResolvedReferences()
    const bySpace = new Map<string, ContentRef[]>()
    for (const ref of refs) {
      const spaceId = ('space' in ref && ref.space) || currentSpace.spaceId
      const others = bySpace.get(spaceId)
      if (others) others.push(ref)
      else bySpace.set(spaceId, [ref])
    }
    for (const [spaceId, spaceRefs] of bySpace) {
      if (spaceId === currentSpace.spaceId) await references.#addFromSpace(currentSpace, spaceRefs, pageId)
      else {
        const space = await reader.openSpace(spaceId)
        if (space) await references.#addFromSpace(space, spaceRefs, undefined)
      }
    }
    for (const ref of refs) if (ref.kind === 'url') references.#addUrl(ref, reader)
    await references.#addMembers(reader, refs)
    await references.#addSpecs(reader, refs)
    return references
  }

  async #addFromSpace<Page extends LineagePage>(
    space: ReferenceSpace<Page>,
    refs: readonly ContentRef[],
    pageId: string | undefined,
  ): Promise<void> {
    const yieldIfDue = createYielder()
    await this.#addFiles(space, refs)
    const pageOf = (ref: ContentRef) =>
      ref.kind === 'page' ? ref.page : ref.kind === 'anchor' ? (ref.page ?? pageId) : undefined
    const pages = await space.findPagesById([...new Set(refs.flatMap((ref) => pageOf(ref) ?? []))])
    let budget = maxBlocksRead
    for (const ref of refs) {
      await yieldIfDue()
      if (ref.kind === 'space') {
        this.#links.set(refKeyOf(ref), { href: space.href, title: space.title, isExternal: false })
      }
      if (ref.kind === 'tag') this.#addTag(ref, space)
      const target = pages.get(pageOf(ref) ?? '')
      if (!target) continue
      const isSamePage = ref.kind === 'anchor' && target.entry.id === pageId
      let anchor = ''
      if (ref.kind === 'anchor') {
        const isLoaded = space.hasLoadedAnchors(target)
        const anchors = isLoaded || budget > 0 ? await space.readAnchors(target) : undefined
        if (!isLoaded) budget -= anchors?.blockCount ?? 0
        anchor = `#${encodeURIComponent(anchors?.find(ref.anchor) ?? ref.anchor)}`
      }
      const { description, icon, emoji } = target.page
      this.#links.set(refKeyOf(ref), {
        href: isSamePage ? anchor : space.hrefOf(target) + anchor,
        title: navigationTitleOf(target.page),
        description,
        icon,
        emoji,
        isExternal: false,
      })
    }
  }

  /** Adds a tag by its label, without a link. */
  #addTag(ref: TagRef, { tree }: { tree: Tree }): void {
    const { tags } = tree.root
    const tag = Object.hasOwn(tags, ref.tag) ? tags[ref.tag] : undefined
    if (!tag) return
    const { label, icon, emoji } = tag
    this.#links.set(refKeyOf(ref), { href: undefined, title: label, icon, emoji, isExternal: false })
  }

  async #addFiles(
    { reader, spaceId, tree }: Pick<ReferenceSpace, 'reader' | 'spaceId' | 'tree'>,
    refs: readonly ContentRef[],
  ): Promise<void> {
    const ids = refs.flatMap((ref) => (ref.kind === 'file' ? [ref.file] : []))
    if (ids.length === 0) return
    const found = [...(await findInSorted(tree.objects, tree.root.files, ids)).values()]
    const hashes = found.map(({ hash }) => hash)
    const files = await readObjects(tree.objects, 'file', hashes)
    const { urls, signer, now } = reader.context
    const addresses = { spaceId, urls, signer, now }
    const byId = new Map(found.map(({ id }, index) => [id, index]))
    for (const ref of refs) {
      const index = ref.kind === 'file' ? byId.get(ref.file) : undefined
      if (index === undefined) continue
      const file = files[index] as FileObject
      const url = downloadUrlOf(addresses, found[index] as ItemEntry, file)
      this.#files.set(refKeyOf(ref), { ...file, url, resizedUrl: createResizedUrls(url, file.contentType) })
      this.#links.set(refKeyOf(ref), { href: url, title: file.name, isExternal: false })
    }
  }

  #addUrl(ref: Extract<ContentRef, { kind: 'url' }>, reader: ReferenceReader): void {
    const { url } = ref
    if (isHttpUrl(url)) this.#links.set(refKeyOf(ref), { href: url, title: url, isExternal: reader.isExternalUrl(url) })
    // A path on the host may be any resource, except a deleted page or a Markdown file.
    else if (
      /^(mailto|tel):/i.test(url) ||
      (isPathOnHost(url) && !isDeletedTarget(url) && !isMarkdown(withoutQuery(url)))
    )
      this.#links.set(refKeyOf(ref), { href: url, title: url, isExternal: false })
  }

  /** Adds specifications; only public ones have a link. */
  async #addSpecs({ context, organizationId }: ReferenceReader, refs: readonly ContentRef[]): Promise<void> {
    for (const ref of refs) {
      if (ref.kind !== 'openapi' || this.#links.has(refKeyOf(ref))) continue
      const spec = await findSpec(context.db, organizationId, ref.spec)
      if (!spec) continue
      const href = publicUrlOf(spec, context.urls) ?? undefined
      this.#links.set(refKeyOf(ref), { href, title: spec.slug, isExternal: true })
    }
  }

  /** Adds members by their display names, without links. */
  async #addMembers(reader: ReferenceReader, refs: readonly ContentRef[]): Promise<void> {
    const { context, organizationId } = reader
    const ids = refs.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []))
    if (ids.length === 0) return
    reader.showsMemberNames = true
    const names = await findMemberNames(context.db, organizationId, ids)
    for (const ref of refs) {
      const title = ref.kind === 'user' ? names.get(ref.user) : undefined
      if (title !== undefined) this.#links.set(refKeyOf(ref), { href: undefined, title, isExternal: false })
    }
  }
}

const refKeyOf = (ref: ContentRef): string =>
  JSON.stringify(Object.entries(ref).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
