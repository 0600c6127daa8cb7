import { type Conflict, type Sides, withRecordValues } from './conflict.ts'
import { type RecordChange, type TreeDiff, diffTrees, findOwnValue } from './diff.ts'
import { Draft } from './draft.ts'
import { diffFormerPaths, diffRedirects } from './former-urls.ts'
import { type TreesToMerge, mergePages } from './merge-pages.ts'
import {
  type BlockAddress,
  type MergeOptions,
  hasEmojiAndIcon,
  maxVariablesOrTags,
  mergeFieldValues,
  mergeStoredDocuments,
  mergeValues,
  emojiAndIconMessage,
} from './merge-values.ts'
import { type FileObject, type ItemEntry, type Objects, type TagDefinition, readObject } from './objects.ts'
import type { EntryChange } from './sequence.ts'
import { openTree } from './tree.ts'

export interface MergeResult {
  /** Hash of the root of the merged tree. */
  root: string
  conflicts: Conflict[]
  /** Blocks in which texts of both sides are combined. */
  combined: BlockAddress[]
}

/**
 * Merges two trees with a common base. The changes of ours are applied to theirs, so the cost depends on the number of changes in
 * ours. Where both sides made different changes, the result contains ours, and a conflict contains both.
 */
export async function mergeTrees(
  objects: Objects,
  hashes: { base: string; ours: string; theirs: string },
  options: MergeOptions = {},
): Promise<MergeResult> {
  const noConflicts = { conflicts: [], combined: [] }
  if (hashes.ours === hashes.base || hashes.ours === hashes.theirs) return { root: hashes.theirs, ...noConflicts }
  if (hashes.theirs === hashes.base) return { root: hashes.ours, ...noConflicts }
  const base = await openTree(objects, hashes.base)
  const ours = await openTree(objects, hashes.ours)
  const theirs = await openTree(objects, hashes.theirs)
  return new TreeMerge({ base, ours, theirs }, options).run()
}

class TreeMerge {
  readonly #objects: Objects
  readonly #trees: TreesToMerge
  readonly #draft: Draft
  readonly #options: MergeOptions
  readonly #conflicts: Conflict[] = []
  readonly #combined: BlockAddress[] = []

  constructor(trees: TreesToMerge, options: MergeOptions) {
    this.#options = options
    this.#objects = trees.ours.objects
    this.#trees = trees
    this.#draft = new Draft(trees.theirs, { maxDepth: Infinity })
  }

  async run(): Promise<MergeResult> {
    const { base, ours } = this.#trees
    const diff = await diffTrees(base, ours)
    await mergePages(this.#trees, this.#draft, diff.pages, {
      ...this.#options,
      addConflict: (conflict) => this.#conflicts.push(conflict),
      addCombined: (block) => this.#combined.push(block),
    })
    for (const change of diff.files) await this.#mergeFile(change)
    for (const change of diff.reusableContents) await this.#mergeReusableContent(change)
    this.#mergeVariables(diff.variables)
    this.#mergeTags(diff.tags)
    await this.#addFormerPaths()
    await this.#mergeRedirects()
    const root = await this.#draft.commit()
    return { root, conflicts: sortExistenceFirst(this.#conflicts), combined: this.#combined }
  }

  async #mergeFile({ id, before, after }: EntryChange<ItemEntry>): Promise<void> {
    const theirs = await this.#draft.files.findEntry(id)
    const winner = this.#chooseSide(before, after, theirs)
    if (winner === 'theirs') return
    const read = (entry: ItemEntry) => readObject(this.#objects, 'file', entry.hash)
    if (winner === 'conflict') {
      if (before && after && theirs) {
        const merged = mergeValues(
          splitFile(await read(before)),
          splitFile(await read(after)),
          splitFile(await read(theirs)),
        )
        const { name, content } = merged.value as ReturnType<typeof splitFile>
        if (!merged.isConflict) return this.#draft.files.set(id, { name, ...content })
      }
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'file', file: id, about: 'existence', ...sides })
    }
    this.#draft.files.set(id, after ? await read(after) : null)
  }

  async #mergeReusableContent({ id, before, after }: EntryChange<ItemEntry>): Promise<void> {
    const theirs = await this.#draft.reusableContents.findEntry(id)
    const winner = this.#chooseSide(before, after, theirs)
    if (winner === 'theirs') return
    const read = (entry: ItemEntry) => readObject(this.#objects, 'reusable-content', entry.hash)
    if (winner === 'conflict' && before && after && theirs) {
      const [old, mine, other] = [await read(before), await read(after), await read(theirs)]
      const on = { on: 'reusable-content', reusableContent: id } as const
      const sides = { base: old.title, ours: mine.title, theirs: other.title }
      const title = mergeFieldValues('title', sides, this.#options)
      if (title.isConflict) {
        this.#conflicts.push({ ...on, about: 'field', field: 'title', ...sides })
      }
      const hashes = { base: old.document, ours: mine.document, theirs: other.document }
      const { document, conflicts, combined, message } = await mergeStoredDocuments(
        this.#objects,
        hashes,
        this.#options,
      )
      if (message !== undefined) this.#conflicts.push({ ...on, about: 'field', field: 'document', ...hashes, message })
      for (const block of conflicts) this.#conflicts.push({ ...on, about: 'block', block })
      for (const block of combined) this.#combined.push({ reusableContent: id, block })
      return this.#draft.reusableContents.set(id, {
        title: title.value as string,
        document: document ?? mine.document,
      })
    }
    if (winner === 'conflict') {
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'reusable-content', reusableContent: id, about: 'existence', ...sides })
    }
    this.#draft.reusableContents.set(id, after ? await read(after) : null)
  }

  #chooseSide(
    base: ItemEntry | undefined,
    ours: ItemEntry | undefined,
    theirs: ItemEntry | undefined,
  ): 'ours' | 'theirs' | 'conflict' {
    if (ours?.hash === theirs?.hash) return 'theirs'
    return theirs?.hash === base?.hash ? 'ours' : 'conflict'
  }

  #mergeVariables(changes: TreeDiff['variables']): void {
    this.#draft.setVariables(
      this.#mergeRecord(this.#draft.variables, changes, (name, sides) => ({ on: 'variable', name, ...sides })),
    )
  }

  #mergeTags(changes: TreeDiff['tags']): void {
    const theirs = this.#draft.tags
    const mergedRecord = this.#mergeRecord(theirs, changes, (slug, sides) => ({ on: 'tag', slug, ...sides }))
    const merged = new Map(Object.entries(mergedRecord))
    for (const { name: slug, before = null, after } of changes) {
      const [tag, other = null] = [merged.get(slug), findOwnValue(theirs, slug)]
      if (!tag || !after || !mixesEmojiAndIcon(tag, after, other)) continue
      merged.set(slug, after)
      this.#conflicts.push({ on: 'tag', slug, base: before, ours: after, theirs: other, message: emojiAndIconMessage })
    }
    const added = changes.filter(({ before, after, name }) => after && !before && !findOwnValue(theirs, name))
    // The limit is enforced tag by tag: each added tag that exceeds it is a conflict.
    for (const { name: slug, after = null } of added.slice(
      added.length - Math.max(0, merged.size - maxVariablesOrTags),
    )) {
      const message = `Both sides combined have more than ${maxVariablesOrTags} tags`
      this.#conflicts.push({ on: 'tag', slug, base: null, ours: after, theirs: null, message })
    }
    this.#draft.setTags(Object.fromEntries(merged))
  }

  #mergeRecord<Value>(
    theirs: Readonly<Record<string, Value>>,
    changes: readonly RecordChange<Value>[],
    createConflict: (name: string, sides: Sides<Value | null>) => Conflict,
  ): Readonly<Record<string, Value>> {
    const merged = new Map<string, Value | null>()
    for (const { name, before, after } of changes) {
      const other = findOwnValue(theirs, name)
      const { value, isConflict } = this.#options.keepsTheirTexts
        ? mergeValues(before, other, after)
        : mergeValues(before, after, other)
      if (isConflict) {
        this.#conflicts.push(createConflict(name, { base: before ?? null, ours: after ?? null, theirs: other ?? null }))
      }
      merged.set(name, (value as Value | undefined) ?? null)
    }
    return withRecordValues(theirs, merged)
  }

  async #addFormerPaths(): Promise<void> {
    const { base, ours } = this.#trees
    const changes = await diffFormerPaths(this.#objects, base.root, ours.root)
    for (const { after } of changes) if (after) this.#draft.addFormerPath(after)
  }

  /**
   * Applies the changed redirects of ours. If both sides changed the same redirect, ours wins without a conflict, because no
   * written text is lost.
   */
  async #mergeRedirects(): Promise<void> {
    const { base, ours } = this.#trees
    const changes = await diffRedirects(this.#objects, base.root, ours.root)
    for (const { id, after } of changes) this.#draft.setRedirect(id, after ?? null)
  }
}

/** Sorts conflicts about the existence of pages and other items first, because the other conflicts depend on them. */
function sortExistenceFirst(conflicts: readonly Conflict[]): Conflict[] {
  return [
    ...conflicts.filter(isConflictAboutExistence),
    ...conflicts.filter((conflict) => !isConflictAboutExistence(conflict)),
  ]
}

/** Whether one side set an emoji and the other an icon. */
const mixesEmojiAndIcon = (tag: TagDefinition, ours: TagDefinition, theirs: TagDefinition | null): boolean =>
  hasEmojiAndIcon(tag) && !hasEmojiAndIcon(ours) && !(theirs && hasEmojiAndIcon(theirs))

const isConflictAboutExistence = (conflict: Conflict): boolean => 'about' in conflict && conflict.about === 'existence'

/** Splits a file into its name and its content, which are merged independently. */
function splitFile({ name, contentType, size, blob, dimensions }: Omit<FileObject, 'kind'>) {
  return { name, content: { contentType, size, blob, ...(dimensions && { dimensions }) } }
}
