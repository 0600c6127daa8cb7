import { assignKeys } from '../../../content/document/assign-keys.ts'
import { restoreStoredDocument } from '../../../content/document/restore.ts'
import type { Document } from '../../../content/document/nodes.ts'
import { limitUsage } from '../../../content/document/limits.ts'
import type { Draft } from '../../../content/revision/draft.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import type { FileObject } from '../../../content/revision/objects.ts'
import type { Tree } from '../../../content/revision/tree.ts'
import type { AppliedChange, ContentChange } from '../../../contract/content-changes.ts'
import type { DocumentBody } from '../../../contract/document.ts'
import { createYielder } from '../../../kernel/event-loop.ts'
import { AppError, invalid } from '../../../kernel/errors.ts'
import { readDocumentObject } from '../body.ts'
import { type ParsedDocumentBody, parseDocumentBody } from '../../../domain/documents/document-body.ts'
import { type LongTexts, maxFullDocuments } from '../long-texts.ts'
import { type BatchRefs, resolveLinks } from './links.ts'

export type ChangeOf<Operation extends ContentChange['operation']> = Extract<ContentChange, { operation: Operation }>

/** Input of a list of changes. */
export interface ApplyOptions {
  draft: Draft
  /** Content before the changes. */
  tree: Tree
  now: string
  /** Language of the texts. */
  language: string | undefined
  newId: () => string
  /** Returns the API URL of a page in the changed content. */
  locationOf(pageId: string): string
  /** Returns a file of `insert_files` by the index of the change and the index of the file in it. */
  getInsertedFile(change: number, file: number): Promise<Omit<FileObject, 'kind'>>
  /** Returns the uploaded content of an `update_file`, by the index of the change. */
  getUploadedFile(change: number): Promise<Omit<FileObject, 'kind'>>
  /** Long texts of the changes, by their path in the request. */
  longTexts: LongTexts
  /** Opens the content of a revision of the space; without an id, the base revision of the edit. */
  openRevisionTree(revisionId: string | undefined, field: string): Promise<Tree>
}

/** Deferred work on a text. It runs after all page changes, because links can refer to any page. */
interface DeferredWork {
  /** Id of the page or reusable content with the text. */
  owner: string
  /** Path of the change in the request. */
  field: string
  work: () => Promise<void>
}

/** A list of changes that is being applied: ids of refs, deferred work and results. */
export class Batch {
  readonly options: ApplyOptions
  readonly draft: Draft
  readonly refs: BatchRefs
  /** Ids of the inserted files. */
  readonly insertedFiles: string[] = []
  /** Path of the current change in the request. */
  field = 'body.changes'
  readonly #newIds = new Map<string, string>()
  readonly #results = new Map<string, AppliedChange>()
  #deferred: DeferredWork[] = []
  /** Number of full documents that the request may still contain. */
  #remainingDocuments = maxFullDocuments
  /** Yields to the event loop: each text can take most of a second, and a list can have many. */
  readonly #yieldToEventLoop = createYielder()

  constructor(changes: readonly ContentChange[], options: ApplyOptions) {
    this.options = options
    this.draft = options.draft
    this.refs = this.#assignIds(changes)
  }

  /** Assigns ids to all refs in the list, so that changes can also refer to later ones. */
  #assignIds(changes: readonly ContentChange[]): BatchRefs {
    const pages = new Map<string, string>()
    const files = new Map<string, string>()
    const reusableContents = new Map<string, string>()
    const seen = new Set<string>()
    const assignId = (into: Map<string, string>, ref: string | undefined, field: string) => {
      const id = this.options.newId()
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
          return change.files.forEach(({ ref }, at) => assignId(files, ref, `${field}.files.${at}`))
        case 'insert_reusable_content':
          return assignId(reusableContents, change.ref, field)
        case 'insert_page':
        case 'insert_group':
        case 'insert_link':
          return assignId(pages, change.ref, field)
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
  async runAt(field: string, work: () => Promise<void>): Promise<void> {
    this.field = field
    await this.#yieldToEventLoop()
    try {
      await work()
    } catch (error) {
      if (error instanceof TreeError) throw invalid(`${field}.${error.field}`, error.message)
      throw error
    }
  }

  /** Parses the text of the current change. */
  readText(body: DocumentBody): ParsedDocumentBody {
    const field = `${this.field}.document`
    const written = this.options.longTexts.get(field)?.() ?? parseDocumentBody(body, field)
    this.#remainingDocuments -= limitUsage(written.document)
    if (this.#remainingDocuments < 0)
      throw new AppError(
        'tooLarge',
        `${field}: The documents of the request exceed the size limit together. Split it into several requests`,
      )
    return written
  }

  defer(owner: string, work: () => Promise<void>): void {
    this.#deferred.push({ owner, field: this.field, work })
  }

  /** Discards the deferred work that earlier changes added for a text. */
  discardDeferred(owner: string): void {
    this.#deferred = this.#deferred.filter((one) => one.owner !== owner)
  }

  async runDeferred(): Promise<void> {
    for (const { field, work } of this.#deferred) await this.runAt(field, work)
  }

  /** Stores a text after all items that it can refer to exist; returns its hash. */
  async writeDocument(
    previous: string | undefined,
    written: ParsedDocumentBody,
    pageId: string | undefined,
  ): Promise<string> {
    const before = previous === undefined ? undefined : await readDocumentObject(this.options.tree, previous)
    return this.storeDocument(await this.identifyDocument(before, written, pageId))
  }

  /** Resolves the links of a text and assigns keys to its blocks: those of the same blocks in the previous version. */
  async identifyDocument(
    before: Document | undefined,
    { document, hasPathLinks }: ParsedDocumentBody,
    pageId: string | undefined,
  ): Promise<Document> {
    await this.#yieldToEventLoop()
    const linked = hasPathLinks
      ? await resolveLinks(this.draft, document, pageId, this.refs)
      : restoreStoredDocument(document, before)
    const identified = assignKeys(before, linked)
    // Identifying and storing a full document take about 100 ms each.
    await this.#yieldToEventLoop()
    return identified
  }

  storeDocument(document: Document): string {
    return this.options.tree.objects.write({ kind: 'document', document })
  }

  // Results: one per item, in the order in which items were first changed.

  get results(): AppliedChange[] {
    return [...this.#results.values()]
  }

  record(id: string, change: AppliedChange): void {
    this.#results.set(id, change)
  }

  recordUpdated(id: string, change: AppliedChange): void {
    if (!this.#results.has(id)) this.#results.set(id, change)
  }

  /** Records that the text of an updated page or reusable content was merged with other changes. */
  recordMerged(id: string): void {
    const result = this.#results.get(id)
    if (result?.object === 'updated_page' || result?.object === 'updated_reusable_content')
      this.#results.set(id, { ...result, merged: true })
  }

  /** Records a deletion; an item that was created in the same list is omitted from the results. */
  recordDeleted(id: string, change: AppliedChange): void {
    if (this.#results.get(id)?.object.startsWith('created_')) this.#results.delete(id)
    else this.#results.set(id, change)
  }

  presentPage(id: string) {
    return { object: 'page' as const, id, urls: { location: this.options.locationOf(id) } }
  }
}
