import { type PageChange, type TreeDiff, changedFields, diffTrees, sameValue } from '../../content/revision/diff.ts'
import {
  type FileObject,
  type NamedEntry,
  type ReusableContentObject,
  emptyRoot,
  readObject,
} from '../../content/revision/objects.ts'
import type { BlockAddress } from '../../content/revision/merge-values.ts'
import type { EntryChange } from '../../content/revision/sequence.ts'
import { type Tree, findPage, pathOf } from '../../content/revision/tree.ts'
import type { RevisionChanges, SemanticChange } from '../../contract/semantic-changes.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { getChangeRequest, presentChangeRequestOf } from '../../domain/change-requests/change-request-queries.ts'
import { type Content, getContent } from '../../domain/revisions/revisions.ts'
import { type Addresses, documentIdOf, downloadUrlOf } from './addresses.ts'
import { presentChangedPage } from './present.ts'
import { addressesIn } from './reads.ts'
import { textChanges } from './text-changes.ts'

/** Returns the changes between a revision and its parent. */
export async function changesOfRevision(
  context: SpaceContext,
  content: Content,
  limit: number,
): Promise<RevisionChanges> {
  const [parent] = JSON.parse(content.revision.parents) as string[]
  const before =
    parent === undefined
      ? { objects: content.objects, root: emptyRoot }
      : (await getContent(context, context.space, parent)).tree
  const { merged_from_id: mergedFromId } = content.revision
  const mergedFrom = mergedFromId !== null && {
    mergedFrom: await presentChangeRequestOf(context, await getChangeRequest(context, mergedFromId)),
  }
  return { ...mergedFrom, ...(await changesBetween(context, before, content.tree, limit)) }
}

/** Returns descriptions of at most `limit` changes, and the number of further changes. */
export async function changesBetween(
  context: SpaceContext,
  before: Tree,
  after: Tree,
  limit: number,
  combined: readonly BlockAddress[] = [],
): Promise<Pick<RevisionChanges, 'changes' | 'more'>> {
  const telling = new Telling(before, after, addressesIn(context, context.space.id), combined)
  const tellings = telling.all(await diffTrees(before, after))
  const changes: SemanticChange[] = []
  for (const tell of tellings.slice(0, limit)) changes.push(await tell())
  const more = tellings.length - changes.length
  return { changes, ...(more > 0 && { more }) }
}

type Tell = () => Promise<SemanticChange>

/** Describes the differences between two trees; the data of a change is read only if the change is listed. */
class Telling {
  readonly #before: Tree
  readonly #after: Tree
  readonly #addresses: Addresses
  readonly #combined: readonly BlockAddress[]

  constructor(before: Tree, after: Tree, addresses: Addresses, combined: readonly BlockAddress[]) {
    this.#combined = combined
    this.#before = before
    this.#after = after
    this.#addresses = addresses
  }

  all(diff: TreeDiff): Tell[] {
    const { variables } = diff
    return [
      ...diff.pages.flatMap((change) => this.#page(change)),
      ...diff.files.map((change) => () => this.#file(change)),
      ...diff.reusableContents.map((change) => () => this.#reusableContent(change)),
      ...(variables.length > 0 ? [() => Promise.resolve(this.#variables(variables))] : []),
      ...diff.tags.map((change) => () => Promise.resolve(this.#tag(change))),
    ]
  }

  #page({ id, before, after, isReordered }: PageChange): Tell[] {
    const told = async () => {
      const [tree, state] = after ? [this.#after, after] : [this.#before, before]
      const located = await findPage(tree, id)
      const path = located && state?.entry.type !== 'link' ? pathOf(located) : undefined
      return presentChangedPage(state?.entry ?? emptyEntry, state?.page ?? { title: '' }, path)
    }
    if (!before) return [async () => ({ type: 'page_created', page: await told() })]
    if (!after) return [async () => ({ type: 'page_deleted', page: await told() })]
    const tellings: Tell[] = []
    const fields = changedFields(before, after)
    if (fields.length > 0) {
      const attributes = Object.fromEntries(
        fields.map((field) => {
          const valueOf = ({ entry, page }: typeof before) => (field === 'slug' ? entry.slug : page[field])
          return [field, this.#sides(field, valueOf(before), valueOf(after))]
        }),
      )
      tellings.push(async () => ({
        type: 'page_edited',
        page: await told(),
        attributes,
        ...(await textChanges(this.#after, before.page.document, after.page.document, this.#combinedIn({ page: id }))),
      }))
    }
    if (before.parent !== after.parent || isReordered) {
      tellings.push(async () => {
        const [old, now] = [
          await this.#parent(this.#before, before.parent),
          await this.#parent(this.#after, after.parent),
        ]
        const parent = { ...(old && { before: old }), ...(now && { after: now }) }
        return { type: 'page_moved', page: await told(), parent }
      })
    }
    return tellings
  }

  /** Returns the keys of blocks in a text in which both sides were combined. */
  #combinedIn(owner: Pick<BlockAddress, 'page' | 'reusableContent'>): Set<string> {
    const inOwner = this.#combined.filter(
      ({ page, reusableContent }) => page === owner.page && reusableContent === owner.reusableContent,
    )
    return new Set(inOwner.map(({ block }) => block))
  }

  async #parent(tree: Tree, id: string | null) {
    const located = id === null ? undefined : await findPage(tree, id)
    return located && presentChangedPage(located.entry, located.page, pathOf(located))
  }

  /** Presents a value before and after a change; documents are presented as their ids. */
  #sides(field: string, before: unknown, after: unknown) {
    const told = (value: unknown) =>
      field === 'document' && typeof value === 'string' ? documentIdOf(this.#addresses, value) : value
    return {
      ...(before !== undefined && { before: told(before) }),
      ...(after !== undefined && { after: told(after) }),
    }
  }

  #attributes(before: object, after: object, names: readonly string[]) {
    return Object.fromEntries(
      names
        .filter((name) => !sameValue(value(before, name), value(after, name)))
        .map((name) => [name, this.#sides(name, value(before, name), value(after, name))]),
    )
  }

  async #file({ before, after }: EntryChange<NamedEntry>): Promise<SemanticChange> {
    const read = (entry: NamedEntry) => readObject(this.#after.objects, 'file', entry.hash)
    const present = (entry: NamedEntry, file: FileObject) => ({
      id: entry.id,
      name: file.name,
      contentType: file.contentType,
      downloadURL: downloadUrlOf(this.#addresses, entry, file),
    })
    if (!after) {
      const entry = before as NamedEntry
      return { type: 'file_deleted', file: present(entry, await read(entry)) }
    }
    const now = await read(after)
    if (!before) return { type: 'file_created', file: present(after, now) }
    const attributes = this.#attributes(await read(before), now, ['name', 'contentType', 'size', 'dimensions'])
    return { type: 'file_edited', file: present(after, now), attributes }
  }

  async #reusableContent({ before, after }: EntryChange<NamedEntry>): Promise<SemanticChange> {
    const read = (entry: NamedEntry) => readObject(this.#after.objects, 'reusable-content', entry.hash)
    const present = ({ id }: NamedEntry, { title, document }: ReusableContentObject) => ({
      id,
      title,
      document: documentIdOf(this.#addresses, document),
    })
    if (!after) {
      const entry = before as NamedEntry
      return { type: 'reusable_content_deleted', reusableContent: present(entry, await read(entry)) }
    }
    const now = await read(after)
    if (!before) return { type: 'reusable_content_created', reusableContent: present(after, now) }
    const old = await read(before)
    const attributes = this.#attributes(old, now, ['title', 'document'])
    const combined = this.#combinedIn({ reusableContent: after.id })
    const texts = await textChanges(this.#after, old.document, now.document, combined)
    return { type: 'reusable_content_edited', reusableContent: present(after, now), attributes, ...texts }
  }

  #variables(changes: TreeDiff['variables']): SemanticChange {
    const variables = Object.fromEntries(changes.map((change) => [change.name, said(change)]))
    return { type: 'variables_edited', variables }
  }

  #tag({ name, before, after }: TreeDiff['tags'][number]): SemanticChange {
    const tag = { slug: name, label: (after ?? before)?.label ?? '' }
    if (!before) return { type: 'tag_created', tag }
    if (!after) return { type: 'tag_deleted', tag }
    return { type: 'tag_edited', tag, attributes: this.#attributes(before, after, ['label', 'color', 'emoji', 'icon']) }
  }
}

const said = <Value>({ before, after }: { before: Value | undefined; after: Value | undefined }) => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

const value = (of: object, name: string) => (of as Record<string, unknown>)[name]

const emptyEntry = { id: '', slug: '', type: 'document', hash: '' } as const
