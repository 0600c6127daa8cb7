import { identify } from '../../../content/document/identify.ts'
import { restoreStored } from '../../../content/document/restore.ts'
import { limitUsage } from '../../../content/document/limits.ts'
import { type Draft, TreeError } from '../../../content/revision/draft.ts'
import type { FileObject } from '../../../content/revision/objects.ts'
import type { Tree } from '../../../content/revision/tree.ts'
import type { AppliedChange, ContentChange } from '../../../contract/content-changes.ts'
import type { DocumentBody } from '../../../contract/document.ts'
import { createYielder } from '../../../kernel/event-loop.ts'
import { AppError, invalid } from '../../../kernel/errors.ts'
import { readDocumentObject } from '../body.ts'
import { type WrittenDocument, parseWritten } from '../../../domain/documents/written-document.ts'
import { type LongTexts, maxFullDocuments } from '../long-texts.ts'
import { type BatchRefs, resolveLinks } from './links.ts'

export type ChangeOf<Operation extends ContentChange['operation']> = Extract<ContentChange, { operation: Operation }>

/** Input of a list of changes. */
export interface Applying {
  draft: Draft
  /** Content before the changes. */
  tree: Tree
  now: string
  newId: () => string
  /** Returns the API URL of a page in the changed content. */
  locationOf(pageId: string): string
  /** Returns a file of `insert_files` by the index of the change and the index of the file in it. */
  fileAt(change: number, file: number): Promise<Omit<FileObject, 'kind'>>
  /** Long texts of the changes, by their path in the request. */
  longTexts: LongTexts
  /** Opens the content of a revision to revert to; without an id, the base revision of the edit. */
  revisionTree(revisionId: string | undefined, field: string): Promise<Tree>
}

/** Deferred work on a text. It runs after all page changes, because links can refer to any page. */
interface Waiting {
  /** Id of the page or reusable content with the text. */
  owner: string
  /** Path of the change in the request. */
  field: string
  work: () => Promise<void>
}

/** A list of changes that is being applied: ids of refs, deferred work and results. */
export class Batch {
  readonly applying: Applying
  readonly draft: Draft
  readonly refs: BatchRefs
  /** Ids of the inserted files. */
  readonly insertedFiles: string[] = []
  /** Path of the current change in the request. */
  field = 'body.changes'
  readonly #newIds = new Map<string, string>()
  readonly #touched = new Map<string, AppliedChange>()
  #waiting: Waiting[] = []
  /** Number of full documents that the request may still contain. */
  #room = maxFullDocuments
  /** Yields to the event loop: each text can take most of a second, and a list can have many. */
  readonly #breathe = createYielder()

  constructor(changes: readonly ContentChange[], applying: Applying) {
    this.applying = applying
    this.draft = applying.draft
    this.refs = this.#nameRefs(changes)
  }

  /** Assigns ids to all refs in the list, so that changes can also refer to later ones. */
  #nameRefs(changes: readonly ContentChange[]): BatchRefs {
    const pages = new Map<string, string>()
    const files = new Map<string, string>()
    const reusableContents = new Map<string, string>()
    const seen = new Set<string>()
    const name = (into: Map<string, string>, ref: string | undefined, field: string) => {
      const id = this.applying.newId()
      this.#newIds.set(field, id)
      if (ref === undefined) return
      if (seen.has(ref)) throw invalid(`${field}.ref`, `the ref ${ref} is used twice`)
      seen.add(ref)
      into.set(ref, id)
    }
    changes.forEach((change, index) => {
      const field = `body.changes.${index}`
      switch (change.operation) {
        case 'insert_files':
          return change.files.forEach(({ ref }, at) => name(files, ref, `${field}.files.${at}`))
        case 'insert_reusable_content':
          return name(reusableContents, change.ref, field)
        case 'insert_page':
        case 'insert_group':
        case 'insert_link':
          return name(pages, change.ref, field)
        default:
          return undefined
      }
    })
    return { pages, files, reusableContents }
  }

  /** Returns the id of the item that the current change inserts; `part` selects one of several items. */
  newId(part = ''): string {
    return this.#newIds.get(`${this.field}${part}`) as string
  }

  /** Returns the id of a page given by its id or by its ref in the list. */
  pageId(idOrRef: string): string {
    return this.refs.pages.get(idOrRef) ?? idOrRef
  }

  reusableContentId(idOrRef: string): string {
    return this.refs.reusableContents.get(idOrRef) ?? idOrRef
  }

  /** Runs the work of a change; errors contain the path of the change. */
  async at(field: string, work: () => Promise<void>): Promise<void> {
    this.field = field
    await this.#breathe()
    try {
      await work()
    } catch (error) {
      if (error instanceof TreeError) throw invalid(`${field}.${error.field}`, error.message)
      throw error
    }
  }

  /** Parses the text of the current change. */
  readText(body: DocumentBody): WrittenDocument {
    const field = `${this.field}.document`
    const written = this.applying.longTexts.get(field)?.() ?? parseWritten(body, field)
    this.#room -= limitUsage(written.document)
    if (this.#room < 0)
      throw new AppError(
        'tooLarge',
        `${field}: The documents of the request exceed the size limit together. Split it into several requests`,
      )
    return written
  }

  wait(owner: string, work: () => Promise<void>): void {
    this.#waiting.push({ owner, field: this.field, work })
  }

  /** Discards the deferred work that earlier changes added for a text. */
  forgetWritten(owner: string): void {
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
  }

  async doWaiting(): Promise<void> {
    for (const { field, work } of this.#waiting) await this.at(field, work)
  }

  /** Stores a text after all items that it can refer to exist; returns its hash. */
  async writeDocument(
    previous: string | undefined,
    { document, hasPaths }: WrittenDocument,
    pageId: string | undefined,
  ): Promise<string> {
    const { tree } = this.applying
    const before = previous === undefined ? undefined : await readDocumentObject(tree, previous)
    await this.#breathe()
    const linked = hasPaths
      ? await resolveLinks(this.draft, document, pageId, this.refs)
      : restoreStored(document, before)
    const identified = identify(before, linked)
    // Identifying and storing a full document take about 100 ms each.
    await this.#breathe()
    return tree.objects.write({ kind: 'document', document: identified })
  }

  // Results: one per item, in the order in which items were first changed.

  get touched(): AppliedChange[] {
    return [...this.#touched.values()]
  }

  note(id: string, change: AppliedChange): void {
    this.#touched.set(id, change)
  }

  noteUpdated(id: string, change: AppliedChange): void {
    if (!this.#touched.has(id)) this.#touched.set(id, change)
  }

  /** Records a deletion; an item that was created in the same list is omitted from the results. */
  noteDeleted(id: string, change: AppliedChange): void {
    if (this.#touched.get(id)?.object.startsWith('created_')) this.#touched.delete(id)
    else this.#touched.set(id, change)
  }

  presentPage(id: string) {
    return { object: 'page' as const, id, urls: { location: this.applying.locationOf(id) } }
  }
}
