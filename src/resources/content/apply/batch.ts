import { identify } from '../../../content/document/identify.ts'
import { restoreStored } from '../../../content/document/restore.ts'
import { fullness } from '../../../content/document/limits.ts'
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

/** What changes are applied with. */
export interface Applying {
  draft: Draft
  /** What the changes are made to. */
  tree: Tree
  now: string
  newId: () => string
  /** Where a page can be read in what the changes are made to. */
  locationOf(pageId: string): string
  /** The files of `insert_files`, by the place of the change and of the file in it. */
  fileAt(change: number, file: number): Promise<Omit<FileObject, 'kind'>>
  /** Long texts of the changes, by their path in the request. */
  longTexts: LongTexts
  /** The content of a revision to go back to; the one the changes began from when none is named. */
  revisionTree(revisionId: string | undefined, field: string): Promise<Tree>
}

/** Work on a text that waits until all pages are in place, as its links may lead to any of them. */
interface Waiting {
  /** The page or reusable content that the text is of. */
  owner: string
  /** Where in the request the change stands that it is part of. */
  field: string
  work: () => Promise<void>
}

/** A list of changes while it is applied: what its names stand for, what waits, and what became of things. */
export class Batch {
  readonly applying: Applying
  readonly draft: Draft
  readonly refs: BatchRefs
  /** The ids of the files that were inserted. */
  readonly insertedFiles: string[] = []
  /** Where in the request the change stands that is being applied. */
  field = 'body.changes'
  readonly #newIds = new Map<string, string>()
  readonly #touched = new Map<string, AppliedChange>()
  #waiting: Waiting[] = []
  /** How many more full documents there is room for. */
  #room = maxFullDocuments
  /** Each text may take most of a second, and a list may have many. */
  readonly #breathe = createYielder()

  constructor(changes: readonly ContentChange[], applying: Applying) {
    this.applying = applying
    this.draft = applying.draft
    this.refs = this.#nameRefs(changes)
  }

  /** Every name in the list with the id that it will stand for, so that changes can refer to later ones too. */
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

  /** The id of what the change inserts, or of one of the things that it inserts. */
  newId(part = ''): string {
    return this.#newIds.get(`${this.field}${part}`) as string
  }

  /** A page by its id, or by the name that the list gives it. */
  pageId(idOrRef: string): string {
    return this.refs.pages.get(idOrRef) ?? idOrRef
  }

  reusableContentId(idOrRef: string): string {
    return this.refs.reusableContents.get(idOrRef) ?? idOrRef
  }

  /** Does the work of a change; what cannot be done is told with the place of the change. */
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

  // Texts

  /** Reads the text of the change that is being applied. */
  readText(body: DocumentBody): WrittenDocument {
    const field = `${this.field}.document`
    const written = this.applying.longTexts.get(field)?.() ?? parseWritten(body, field)
    this.#room -= fullness(written.document)
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

  /** What changes before have written of a text no longer counts. */
  forgetWritten(owner: string): void {
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
  }

  async doWaiting(): Promise<void> {
    for (const { field, work } of this.#waiting) await this.at(field, work)
  }

  /** Stores a text, now that everything that it may refer to is in place; returns its hash. */
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

  // What became of things, each told once, in the order of the first touch

  get touched(): AppliedChange[] {
    return [...this.#touched.values()]
  }

  note(id: string, change: AppliedChange): void {
    this.#touched.set(id, change)
  }

  noteUpdated(id: string, change: AppliedChange): void {
    if (!this.#touched.has(id)) this.#touched.set(id, change)
  }

  /** What came and went within one list never was there. */
  noteDeleted(id: string, change: AppliedChange): void {
    if (this.#touched.get(id)?.object.startsWith('created_')) this.#touched.delete(id)
    else this.#touched.set(id, change)
  }

  presentPage(id: string) {
    return { object: 'page' as const, id, urls: { location: this.applying.locationOf(id) } }
  }
}
