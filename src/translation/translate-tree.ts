import type { Document } from '../content/document/nodes.ts'
import { type PageChange, diffTrees } from '../content/revision/diff.ts'
import { Draft, type Yielder } from '../content/revision/draft.ts'
import { mergeTrees } from '../content/revision/merge.ts'
import {
  type ItemEntry,
  type Objects,
  type PageFields,
  type PageObject,
  type ReusableContentObject,
  type TagDefinition,
  readObject,
} from '../content/revision/objects.ts'
import { type EntryChange, findInSorted } from '../content/revision/sequence.ts'
import { type Tree, findPages, openTree } from '../content/revision/tree.ts'
import { type ChangedItems, type RetriedItems, findChangedItems, withRetriedItems } from './changed-items.ts'
import {
  type TextLocation,
  type TranslateText,
  type TranslatedVersion,
  translateDocument,
  translateString,
} from './translate-document.ts'

/** Something with texts: a page, a reusable content, or the tags of a space. */
export interface TextOwner {
  kind: 'page' | 'reusable-content' | 'tags'
  /** ID; empty for tags. */
  id: string
  title: string
}

/** A text with markup and its location. */
export interface LocatedText {
  text: string
  location: TextLocation
}

/** Something whose source has changed since the previous translation. */
export interface ChangedItem {
  owner: TextOwner
  /** Texts without a previous translation. */
  texts: readonly LocatedText[]
}

/** Returns the function that translates the texts of items. */
export type ResolveTexts = (items: readonly ChangedItem[]) => Promise<TranslateText>

export interface TreeTranslationOptions {
  yieldIfDue?: Yielder | undefined
  /** Called after each batch of items. */
  onBatch?: (() => Promise<void>) | undefined
  /** Items that are translated again although they have not changed, because some of their texts were not translated. */
  retried?: RetriedItems | undefined
}

/** Fields of pages that are translated. */
const textFields = ['title', 'linkTitle', 'description'] as const satisfies readonly (keyof PageFields)[]

/** Number of items that are in memory together. */
const batchSize = 20

/** Applies a translated item to a draft. */
type ApplyTranslation = (draft: Draft) => Promise<void> | void

/** An item that is translated twice: first to collect its texts, then with their translations. */
interface TranslatableItem {
  owner: TextOwner
  translate: (translate: TranslateText) => ApplyTranslation
}

interface TranslatableBatch {
  items: readonly ChangedItem[]
  translatable: readonly TranslatableItem[]
}

/**
 * Translates a tree. `previous` is the tree that was translated before, with its translation; only what has changed since then
 * is read. The result has the structure of the source: pages with the same ids, positions and slugs, and the same files.
 */
export class TreeTranslation {
  readonly #objects: Objects
  readonly #hashes: { source: string; previous: TranslatedVersion<string> }
  readonly #options: TreeTranslationOptions
  readonly #source: Tree
  readonly #previous: TranslatedVersion<Tree>
  readonly #pages: readonly PageChange[]
  readonly #reusableContents: readonly EntryChange<ItemEntry>[]
  readonly #tags: readonly string[]

  private constructor(
    objects: Objects,
    hashes: { source: string; previous: TranslatedVersion<string> },
    options: TreeTranslationOptions,
    source: Tree,
    previous: TranslatedVersion<Tree>,
    { pages, reusableContents, tags }: ChangedItems,
  ) {
    this.#objects = objects
    this.#hashes = hashes
    this.#options = options
    this.#source = source
    this.#previous = previous
    this.#pages = pages
    this.#reusableContents = reusableContents
    this.#tags = tags
  }

  static async open(
    objects: Objects,
    hashes: { source: string; previous: TranslatedVersion<string> },
    options: TreeTranslationOptions = {},
  ): Promise<TreeTranslation> {
    const source = await openTree(objects, hashes.source)
    const previous = {
      source: await openTree(objects, hashes.previous.source),
      translation: await openTree(objects, hashes.previous.translation),
    }
    const changed = findChangedItems(await diffTrees(previous.source, source))
    const items = options.retried ? await withRetriedItems(source, changed, options.retried) : changed
    return new TreeTranslation(objects, hashes, options, source, previous, items)
  }

  /** Number of items whose source has changed. */
  get size(): number {
    return this.#pages.length + this.#reusableContents.length + (this.#tags.length > 0 ? 1 : 0)
  }

  /** Yields the changed items in batches with the texts that have no previous translation. */
  async *readItems(): AsyncIterable<readonly ChangedItem[]> {
    for await (const { items } of this.#readBatches()) yield items
  }

  /** Writes the translated tree and returns the hash of its root. */
  async write(resolve: ResolveTexts): Promise<string> {
    const { source, previous } = this.#hashes
    // The changes of the source are applied to the previous translation; then the texts of changed pages are replaced.
    const { root } = await mergeTrees(
      this.#objects,
      { base: previous.source, ours: source, theirs: previous.translation },
      { yieldIfDue: this.#options.yieldIfDue },
    )
    const draft = new Draft(await openTree(this.#objects, root), {
      maxDepth: Infinity,
      yieldIfDue: this.#options.yieldIfDue,
    })
    for await (const { items, translatable } of this.#readBatches()) {
      const translateText = await resolve(items)
      for (const { translate } of translatable) await translate(translateText)(draft)
      await this.#options.onBatch?.()
    }
    return draft.commit()
  }

  async *#readBatches(): AsyncIterable<TranslatableBatch> {
    for (let start = 0; start < this.#pages.length; start += batchSize)
      yield this.#collectTexts(await this.#openPages(this.#pages.slice(start, start + batchSize)))
    for (let start = 0; start < this.#reusableContents.length; start += batchSize) {
      const contents = this.#reusableContents.slice(start, start + batchSize)
      yield this.#collectTexts(await Promise.all(contents.map((change) => this.#openReusableContent(change))))
    }
    if (this.#tags.length > 0) yield this.#collectTexts([this.#openTags()])
  }

  /** Collects the texts of items by translating them with a function that has no translations. */
  async #collectTexts(translatable: readonly TranslatableItem[]): Promise<TranslatableBatch> {
    const items: ChangedItem[] = []
    for (const { owner, translate } of translatable) {
      await this.#options.yieldIfDue?.()
      const texts: LocatedText[] = []
      translate((text, location) => {
        texts.push({ text, location })
        return undefined
      })
      items.push({ owner, texts })
    }
    return { items, translatable }
  }

  async #openPages(changes: readonly PageChange[]): Promise<TranslatableItem[]> {
    const ids = changes.map(({ id }) => id)
    const former = await findPages(this.#previous.translation, ids)
    const items: TranslatableItem[] = []
    for (const { id, before, after } of changes) {
      if (!after) continue
      const translation = former.get(id)?.page
      const previous = before && translation ? { source: before.page, translation } : undefined
      const document = await this.#openDocument(after.page.document, {
        source: previous?.source.document,
        translation: previous?.translation.document,
      })
      items.push({
        owner: { kind: 'page', id, title: after.page.title },
        translate: (translate) => {
          const fields = translateFields(after.page, translate, previous)
          const translated = document?.(translate)
          const { kind: _, pages: __, ...body } = after.page
          return (draft) =>
            draft.updatePage(id, () => ({
              ...body,
              ...fields,
              ...(translated && { document: this.#write(translated) }),
            }))
        },
      })
    }
    return items
  }

  async #openReusableContent({ id, before, after }: EntryChange<ItemEntry>): Promise<TranslatableItem> {
    const read = (entry: ItemEntry | undefined): Promise<ReusableContentObject> | undefined =>
      entry && readObject(this.#objects, 'reusable-content', entry.hash)
    const entries = await findInSorted(this.#objects, this.#previous.translation.root.reusableContents, [id])
    const content = (await read(after)) as ReusableContentObject
    const previous = { source: await read(before), translation: await read(entries.get(id)) }
    const document = await this.#openDocument(content.document, {
      source: previous.source?.document,
      translation: previous.translation?.document,
    })
    return {
      owner: { kind: 'reusable-content', id, title: content.title },
      translate: (translate) => {
        const isSameTitle = previous.source?.title === content.title && previous.translation !== undefined
        const title = isSameTitle
          ? (previous.translation as ReusableContentObject).title
          : translateString(content.title, translate, { field: 'title' })
        const translated = document?.(translate) ?? content.document
        return (draft) => draft.reusableContents.set(id, { title, document: this.#write(translated) })
      },
    }
  }

  #openTags(): TranslatableItem {
    const { tags } = this.#source.root
    return {
      owner: { kind: 'tags', id: '', title: '' },
      translate: (translate) => {
        const translated = Object.fromEntries(
          this.#tags.map((slug): [string, TagDefinition] => {
            const tag = tags[slug] as TagDefinition
            return [slug, { ...tag, label: translateString(tag.label, translate, { field: slug }) }]
          }),
        )
        return (draft) => draft.setTags({ ...draft.tags, ...translated })
      },
    }
  }

  /** Returns a function that translates a document, or returns the hash of a previous translation that is still valid. */
  async #openDocument(
    hash: string | undefined,
    previous: TranslatedVersion<string | undefined>,
  ): Promise<((translate: TranslateText) => Document | string) | undefined> {
    if (hash === undefined) return undefined
    const { translation } = previous
    if (hash === previous.source && translation !== undefined) return () => translation
    const read = async (one: string): Promise<Document> => (await readObject(this.#objects, 'document', one)).document
    const document = await read(hash)
    const version =
      previous.source === undefined || translation === undefined
        ? undefined
        : { source: await read(previous.source), translation: await read(translation) }
    return (translate) => translateDocument(document, translate, version)
  }

  #write(document: Document | string): string {
    return typeof document === 'string' ? document : this.#objects.write({ kind: 'document', document })
  }
}

/** Translates the fields of a page; fields that have not changed are copied from the previous translation. */
function translateFields(
  page: PageObject,
  translate: TranslateText,
  previous: TranslatedVersion<PageObject> | undefined,
): Partial<PageFields> {
  const fields: Partial<Record<(typeof textFields)[number], string>> = {}
  for (const field of textFields) {
    const text = page[field]
    if (text === undefined) continue
    const former = previous?.source[field] === text ? previous.translation[field] : undefined
    fields[field] = former ?? translateString(text, translate, { field })
  }
  return fields
}
