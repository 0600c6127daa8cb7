import {
  type PageChange,
  type PageField,
  type PageState,
  type TreeDiff,
  changedFields,
  diffTrees,
  isSameValue,
} from '../../content/revision/diff.ts'
import {
  type FileObject,
  type ItemEntry,
  type ReusableContentObject,
  readObject,
} from '../../content/revision/objects.ts'
import type { BlockAddress } from '../../content/revision/merge-values.ts'
import type { EntryChange } from '../../content/revision/sequence.ts'
import { type LocatedPage, type Tree, findPage, pathOfPage } from '../../content/revision/tree.ts'
import type { ChangeStats, SemanticChange } from '../../contract/semantic-changes.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { createYielder, waitForTurn } from '../../kernel/event-loop.ts'
import { type LinkContext, documentIdOf, downloadUrlOf } from './signed-links.ts'
import { presentChangedPage } from './present.ts'
import { toLinkContext } from './reads.ts'
import { type TextChangesOptions, countDocumentBlocks, describeTextChanges } from './text-changes.ts'

/**
 * Maximum length of the changes in a reply as JSON, unless the first change alone is longer; serializing a larger reply would
 * block other requests.
 */
const maxReplyLength = 2_000_000

export interface DescribeOptions {
  /** Number of changes to skip. */
  start: number
  limit: number
  /** Whether to describe the changed blocks; otherwise they are only counted. */
  withBlocks: boolean
  /** Blocks in which texts of both sides were combined. */
  combined: readonly BlockAddress[]
}

/** Returns descriptions of at most `limit` changes from `start` on, and the number of further changes. */
export async function describeChangesBetween(
  context: SpaceContext,
  before: Tree,
  after: Tree,
  options: DescribeOptions,
): Promise<{ changes: SemanticChange[]; remaining: number }> {
  const { start, limit } = options
  await waitForTurn()
  const describer = new ChangeDescriber(before, after, toLinkContext(context, context.space.id), options)
  const yieldIfDue = createYielder()
  const descriptions = describer.describeAll(await diffTrees(before, after, { yieldIfDue })).slice(start)
  const changes: SemanticChange[] = []
  let length = 0
  for (const describe of descriptions.slice(0, limit)) {
    const change = await describe()
    length += JSON.stringify(change).length
    if (changes.length > 0 && length > maxReplyLength) break
    changes.push(change)
    await yieldIfDue()
  }
  return { changes, remaining: descriptions.length - changes.length }
}

type DescribeChange = () => Promise<SemanticChange>

/** Describes the differences between two trees; the data of a change is read only if the change is listed. */
class ChangeDescriber {
  readonly #before: Tree
  readonly #after: Tree
  readonly #linkContext: LinkContext
  readonly #options: Pick<DescribeOptions, 'withBlocks' | 'combined'>
  /** Parents of changed pages, which usually have many of them. */
  readonly #parents = new Map<Tree, Map<string, Promise<LocatedPage | undefined>>>()

  constructor(
    before: Tree,
    after: Tree,
    linkContext: LinkContext,
    options: Pick<DescribeOptions, 'withBlocks' | 'combined'>,
  ) {
    this.#options = options
    this.#before = before
    this.#after = after
    this.#linkContext = linkContext
  }

  describeAll(diff: TreeDiff): DescribeChange[] {
    const { variables } = diff
    return [
      ...diff.pages.flatMap((change) => this.#describePage(change)),
      ...diff.files.map((change) => () => this.#describeFile(change)),
      ...diff.reusableContents.map((change) => () => this.#describeReusableContent(change)),
      ...(variables.length > 0 ? [() => Promise.resolve(this.#describeVariables(variables))] : []),
      ...diff.tags.map((change) => () => Promise.resolve(this.#describeTag(change))),
    ]
  }

  #describePage({ id, before, after, isReordered }: PageChange): DescribeChange[] {
    const presentPage = async () => {
      const [tree, state] = after ? [this.#after, after] : [this.#before, before]
      if (!state) return presentChangedPage(emptyEntry, { title: '' }, undefined)
      const path = state.entry.type === 'link' ? undefined : await this.#findPath(tree, state)
      return presentChangedPage(state.entry, state.page, path)
    }
    if (!before)
      return [
        async () => ({
          type: 'page_created',
          page: await presentPage(),
          stats: await this.#countAdded(after?.page.document),
        }),
      ]
    if (!after)
      return [
        async () => ({
          type: 'page_deleted',
          page: await presentPage(),
          stats: await this.#countRemoved(before.page.document),
        }),
      ]
    const descriptions: DescribeChange[] = []
    const fields = changedFields(before, after)
    if (fields.length > 0) {
      const presentField = (field: PageField) => {
        const valueOf = ({ entry, page }: typeof before) => (field === 'slug' ? entry.slug : page[field])
        return [field, this.#presentSides(field, valueOf(before), valueOf(after))]
      }
      descriptions.push(async () => ({
        type: 'page_edited',
        page: await presentPage(),
        attributes: Object.fromEntries(fields.map(presentField)),
        ...(await describeTextChanges(
          this.#after,
          before.page.document,
          after.page.document,
          this.#textOptions({ page: id }),
        )),
      }))
    }
    if (before.parent !== after.parent || isReordered) {
      descriptions.push(async () => {
        const [old, now] = [
          await this.#presentParent(this.#before, before.parent),
          await this.#presentParent(this.#after, after.parent),
        ]
        const parent = { ...(old && { before: old }), ...(now && { after: now }) }
        return { type: 'page_moved', page: await presentPage(), parent }
      })
    }
    return descriptions
  }

  #textOptions(owner: Pick<BlockAddress, 'page' | 'reusableContent'>): TextChangesOptions {
    const { combined, withBlocks } = this.#options
    const inOwner = combined.filter(
      ({ page, reusableContent }) => page === owner.page && reusableContent === owner.reusableContent,
    )
    return { withBlocks, combined: new Set(inOwner.map(({ block }) => block)) }
  }

  async #countAdded(document: string | undefined): Promise<ChangeStats> {
    return { added: await countDocumentBlocks(this.#after, document), removed: 0 }
  }

  async #countRemoved(document: string | undefined): Promise<ChangeStats> {
    return { added: 0, removed: await countDocumentBlocks(this.#before, document) }
  }

  async #presentParent(tree: Tree, id: string | null) {
    const located = await this.#findParent(tree, id)
    return located && presentChangedPage(located.entry, located.page, pathOfPage(located))
  }

  async #findPath(tree: Tree, { entry, parent }: PageState): Promise<string> {
    const located = await this.#findParent(tree, parent)
    return pathOfPage({ entry, ancestors: located ? [...located.ancestors, located.entry] : [] })
  }

  #findParent(tree: Tree, id: string | null): Promise<LocatedPage | undefined> {
    if (id === null) return Promise.resolve(undefined)
    const parents = this.#parents.get(tree) ?? new Map<string, Promise<LocatedPage | undefined>>()
    this.#parents.set(tree, parents)
    const located = parents.get(id) ?? findPage(tree, id)
    parents.set(id, located)
    return located
  }

  /** Presents a value before and after a change; documents are presented as their ids. */
  #presentSides(field: string, before: unknown, after: unknown) {
    const presentValue = (value: unknown) =>
      field === 'document' && typeof value === 'string' ? documentIdOf(this.#linkContext, value) : value
    return {
      ...(before !== undefined && { before: presentValue(before) }),
      ...(after !== undefined && { after: presentValue(after) }),
    }
  }

  #presentAttributes(before: object, after: object, names: readonly string[]) {
    return Object.fromEntries(
      names
        .filter((name) => !isSameValue(fieldValue(before, name), fieldValue(after, name)))
        .map((name) => [name, this.#presentSides(name, fieldValue(before, name), fieldValue(after, name))]),
    )
  }

  async #describeFile({ before, after }: EntryChange<ItemEntry>): Promise<SemanticChange> {
    const read = (entry: ItemEntry) => readObject(this.#after.objects, 'file', entry.hash)
    const present = (entry: ItemEntry, file: FileObject) => ({
      id: entry.id,
      name: file.name,
      contentType: file.contentType,
      downloadURL: downloadUrlOf(this.#linkContext, entry, file),
    })
    if (!after) {
      const entry = before as ItemEntry
      return { type: 'file_deleted', file: present(entry, await read(entry)) }
    }
    const now = await read(after)
    if (!before) return { type: 'file_created', file: present(after, now) }
    const attributes = this.#presentAttributes(await read(before), now, ['name', 'contentType', 'size', 'dimensions'])
    return { type: 'file_edited', file: present(after, now), attributes }
  }

  async #describeReusableContent({ before, after }: EntryChange<ItemEntry>): Promise<SemanticChange> {
    const read = (entry: ItemEntry) => readObject(this.#after.objects, 'reusable-content', entry.hash)
    const present = ({ id }: ItemEntry, { title, document }: ReusableContentObject) => ({
      id,
      title,
      document: documentIdOf(this.#linkContext, document),
    })
    if (!after) {
      const entry = before as ItemEntry
      const old = await read(entry)
      const stats = await this.#countRemoved(old.document)
      return { type: 'reusable_content_deleted', reusableContent: present(entry, old), stats }
    }
    const now = await read(after)
    if (!before) {
      const stats = await this.#countAdded(now.document)
      return { type: 'reusable_content_created', reusableContent: present(after, now), stats }
    }
    const old = await read(before)
    const attributes = this.#presentAttributes(old, now, ['title', 'document'])
    const options = this.#textOptions({ reusableContent: after.id })
    const texts = await describeTextChanges(this.#after, old.document, now.document, options)
    return { type: 'reusable_content_edited', reusableContent: present(after, now), attributes, ...texts }
  }

  #describeVariables(changes: TreeDiff['variables']): SemanticChange {
    const variables = Object.fromEntries(changes.map((change) => [change.name, omitUndefinedSides(change)]))
    return { type: 'variables_edited', variables }
  }

  #describeTag({ name, before, after }: TreeDiff['tags'][number]): SemanticChange {
    const tag = { slug: name, label: (after ?? before)?.label ?? '' }
    if (!before) return { type: 'tag_created', tag }
    if (!after) return { type: 'tag_deleted', tag }
    return {
      type: 'tag_edited',
      tag,
      attributes: this.#presentAttributes(before, after, ['label', 'color', 'emoji', 'icon']),
    }
  }
}

const omitUndefinedSides = <Value>({ before, after }: { before: Value | undefined; after: Value | undefined }) => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

const fieldValue = (of: object, name: string) => (of as Record<string, unknown>)[name]

const emptyEntry = { id: '', slug: '', type: 'document', hash: '' } as const
