import { canonicalJson } from '../document/canonical-json.ts'
import type { RefMapper } from '../document/map-refs.ts'
import type { ContentRef, FileRef } from '../document/nodes.ts'
import { mapReferences } from '../document/references.ts'
import { type Yielder, Draft, type PageBody } from '../revision/draft.ts'
import {
  type FileObject,
  type Objects,
  type PageCover,
  type PageFields,
  emptyRoot,
  readObject,
  readObjects,
} from '../revision/objects.ts'
import { readSequence } from '../revision/sequence.ts'
import { toPageBody } from '../revision/subtree.ts'
import { type Tree, readPageNodes } from '../revision/tree.ts'

export interface CopyOptions {
  newId: () => string
  now: string
  /** References to replace, by the key that `refKeyOf` returns. */
  replacedRefs?: ReadonlyMap<string, ContentRef>
  /** Returns the stored file that replaces a file. */
  changeFile?: (file: FileObject) => Omit<FileObject, 'kind'>
  /** Called after each page was copied; it may wait, and it may throw to cancel the copy. */
  onPage?: () => Promise<void>
  yieldIfDue?: Yielder | undefined
}

/** Returns a text that is equal for equal references. */
export const refKeyOf = (ref: ContentRef): string => canonicalJson(ref)

/**
 * Copies content under new ids into a store of objects. References between copied pages, files and reusable contents refer to
 * the copies. Former paths are not copied. Returns the hash of the root.
 */
export function copyTree(source: Tree, objects: Objects, options: CopyOptions): Promise<string> {
  return new TreeCopy(source, objects, options).run()
}

class TreeCopy {
  readonly #source: Tree
  readonly #objects: Objects
  readonly #options: CopyOptions
  readonly #draft: Draft
  /** Ids of the copies, by the ids of the originals. */
  readonly #ids = new Map<string, string>()

  constructor(source: Tree, objects: Objects, options: CopyOptions) {
    this.#source = source
    this.#objects = objects
    this.#options = options
    this.#draft = new Draft({ objects, root: emptyRoot }, { maxDepth: Infinity, yieldIfDue: options.yieldIfDue })
  }

  async run(): Promise<string> {
    const { objects, root } = this.#source
    const files = await readSequence(objects, root.files)
    const reusableContents = await readSequence(objects, root.reusableContents)
    const parents = await readSequence(objects, root.parents)
    for (const { id } of [...files, ...reusableContents, ...parents]) this.#ids.set(id, this.#options.newId())
    for (const { id, hash } of files) await this.#copyFile(id, hash)
    for (const { id, hash } of reusableContents) await this.#copyReusableContent(id, hash)
    await this.#copyPages()
    this.#draft.setVariables(root.variables)
    this.#draft.setTags(root.tags)
    for (const redirect of root.redirects ? await readSequence(objects, root.redirects) : []) {
      this.#draft.setRedirect(redirect.id, { ...redirect, page: this.#idOf(redirect.page) })
    }
    return this.#draft.commit()
  }

  async #copyFile(id: string, hash: string): Promise<void> {
    const file = await readObject(this.#source.objects, 'file', hash)
    this.#draft.files.set(this.#idOf(id), this.#options.changeFile?.(file) ?? file)
  }

  async #copyReusableContent(id: string, hash: string): Promise<void> {
    const content = await readObject(this.#source.objects, 'reusable-content', hash)
    const document = await this.#copyDocument(content.document)
    this.#draft.reusableContents.set(this.#idOf(id), { ...content, document })
  }

  /** Copies all pages, parents first. */
  async #copyPages(): Promise<void> {
    const { objects, root } = this.#source
    const queue = (await readPageNodes(objects, root.pages)).map((node) => ({ node, into: null as string | null }))
    for (let at = 0; at < queue.length; at++) {
      const { node, into } = queue[at] as (typeof queue)[number]
      const { id: originalId, type, slug } = node.entry
      const id = this.#idOf(originalId)
      await this.#draft.insertPage({ id, type, slug, body: await this.#copyBody(toPageBody(node)) }, { into })
      for (const child of node.children) queue.push({ node: child, into: id })
      await this.#options.onPage?.()
      await this.#options.yieldIfDue?.()
    }
  }

  async #copyBody(body: PageBody): Promise<PageBody> {
    const { now } = this.#options
    const { document } = body
    return {
      ...body,
      ...this.#copyFieldRefs(body),
      ...(document !== undefined && { document: await this.#copyDocument(document) }),
      createdAt: now,
      updatedAt: now,
    }
  }

  /** Returns the fields of a page that contain references. */
  #copyFieldRefs({ cover, metaLinks, target, computed }: PageFields): Partial<PageFields> {
    return {
      ...(cover && { cover: this.#copyCover(cover) }),
      ...(metaLinks && {
        metaLinks: {
          ...metaLinks,
          ...(metaLinks.canonical && { canonical: this.#changeRef(metaLinks.canonical) }),
          ...(metaLinks.alternates && { alternates: metaLinks.alternates.map(this.#changeRef) }),
        },
      }),
      ...(target && { target: this.#changeRef(target) }),
      ...(computed && {
        computed: {
          ...computed,
          dependencies: Object.fromEntries(
            Object.entries(computed.dependencies).map(([name, { ref }]) => [name, { ref: this.#changeRef(ref) }]),
          ),
        },
      }),
    }
  }

  #copyCover(cover: PageCover): PageCover {
    return {
      ...cover,
      ...(cover.ref && { ref: this.#changeFileRef(cover.ref) }),
      ...(cover.refDark && { refDark: this.#changeFileRef(cover.refDark) }),
    }
  }

  async #copyDocument(hash: string): Promise<string> {
    const [found] = await readObjects(this.#source.objects, 'document', [hash], { skipCache: true })
    if (!found) throw new Error(`The document ${hash} is missing`)
    return this.#objects.write({ ...found, document: mapReferences(found.document, this.#changeRef) })
  }

  readonly #changeRef: RefMapper = (ref) => this.#options.replacedRefs?.get(refKeyOf(ref)) ?? this.#changeIds(ref)

  #changeFileRef(ref: FileRef): FileRef {
    const changed = this.#changeRef(ref)
    return changed.kind === 'file' || changed.kind === 'url' ? changed : ref
  }

  /** Replaces the ids in a reference to the copied content. */
  #changeIds(ref: ContentRef): ContentRef {
    if ('space' in ref && ref.space !== undefined) return ref
    switch (ref.kind) {
      case 'page':
        return { ...ref, page: this.#idOf(ref.page) }
      case 'anchor':
        return ref.page === undefined ? ref : { ...ref, page: this.#idOf(ref.page) }
      case 'file':
        return { ...ref, file: this.#idOf(ref.file) }
      case 'reusable-content':
        return { ...ref, reusableContent: this.#idOf(ref.reusableContent) }
      default:
        return ref
    }
  }

  /** Returns the id of a copy. Ids of something that the content does not contain remain unchanged. */
  #idOf(id: string): string {
    return this.#ids.get(id) ?? id
  }
}
