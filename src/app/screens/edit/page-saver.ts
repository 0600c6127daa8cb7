import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../../api.ts'
import { DraftKeeper } from './draft-keeper.ts'
import { type Draft, removeDraft } from './drafts.ts'
import {
  type PageFields,
  type PageFormat,
  type PagePlace,
  type PageText,
  readPageFields,
  readPageText,
  readPageTextAt,
} from './page-text.ts'
import { type SaveState, isTemporary } from './save-state.ts'
import { type EditedPage, type SaveAttempt, createRequestKey, isMissingPage, sendPage } from './send-page.ts'

interface SaverOptions {
  place: PagePlace
  format: PageFormat
  initial: PageText
  /** Returns the content of the editor. */
  read: () => EditedPage
  /** Called when the text is sent. */
  onSend: () => void
  /**
   * Replaces text of the editor: `sent` was sent to the server, which then stored `stored`. Returns the text of the editor if it
   * has the same content as the stored text in another notation.
   */
  applyText: (sent: string, stored: string) => string | undefined
  /** Called with the page when others changed its title or description. */
  applyFields: (fields: PageFields) => void
}

/**
 * The text is sent after the first delay since the last change, and after the second one since the first change at the latest, in
 * milliseconds.
 */
const saveDelay = 1000
const maxSaveDelay = 5000
const minRetryDelay = 2000
const maxRetryDelay = 30_000

/** Sends the edited page to the server, one request at a time, and keeps a draft in the browser until it is stored. */
export class PageSaver {
  readonly #options: SaverOptions
  readonly #drafts: DraftKeeper
  readonly #state = signal<SaveState>({ kind: 'saved', at: undefined })
  #base: string
  #titleLine: string
  /** The page as the server has stored it. */
  #stored: EditedPage
  /** Request whose reply was lost. It is repeated with its key, because the server may have stored it. */
  #unanswered: SaveAttempt | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #retryDelay = minRetryDelay
  #unsavedSince = 0
  #isClosed = false

  constructor(options: SaverOptions) {
    this.#options = options
    this.#drafts = new DraftKeeper(options.place, () => this.unsaved)
    this.#base = options.initial.revision
    this.#titleLine = options.initial.titleLine
    this.#stored = { ...options.initial.fields, body: options.initial.body }
    window.addEventListener('online', this.#retry)
    window.addEventListener('pagehide', this.#keepDraft)
  }

  get state(): ReadonlySignal<SaveState> {
    return this.#state
  }

  get titleLine(): string {
    return this.#titleLine
  }

  /** Whether leaving the page would lose text. */
  get isAtRisk(): boolean {
    return !this.#drafts.isStored && this.#isDirty
  }

  /** Unsaved changes. */
  get unsaved(): Draft | undefined {
    if (!this.#isDirty) return undefined
    const { name: format } = this.#options.format
    return { ...this.#read(), format, base: this.#base, at: Date.now() }
  }

  get #isDirty(): boolean {
    const { title, description, body } = this.#read()
    return title !== this.#stored.title || description !== this.#stored.description || body !== this.#stored.body
  }

  /** Returns the edited page; its title cannot be empty. */
  #read(): EditedPage {
    const page = this.#options.read()
    return page.title.trim() === '' ? { ...page, title: this.#stored.title } : page
  }

  /** Handles a change of the user. */
  changed(): void {
    // Comparing and storing a long text takes time, so neither is done for every key.
    this.#drafts.schedule(this.#keepDraft)
    const { kind } = this.#state.value
    if (kind === 'conflict' || kind === 'waiting' || kind === 'halted' || this.#running) return
    if (kind !== 'unsaved') {
      this.#state.value = { kind: 'unsaved' }
      this.#unsavedSince = Date.now()
    }
    this.#schedule(Math.min(saveDelay, this.#unsavedSince + maxSaveDelay - Date.now()))
  }

  /** Sends unsaved changes immediately. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#running) {
      await this.#running
      return
    }
    if (['conflict', 'halted'].includes(this.#state.value.kind)) return
    if (!this.#isDirty) {
      this.#handleReverted()
      return
    }
    this.#running = this.#save().finally(() => {
      this.#running = undefined
      if (this.#state.value.kind === 'saved' && this.#isDirty) this.changed()
    })
    await this.#running
  }

  /** Stops sending while the content cannot be edited; text that is typed in the meantime is kept as a draft. */
  async setHalted(isHalted: boolean): Promise<void> {
    await this.#running
    const { kind } = this.#state.value
    if (isHalted === (kind === 'halted')) return
    clearTimeout(this.#timer)
    this.#unanswered = undefined
    this.#state.value = isHalted ? { kind: 'halted' } : { kind: 'saved', at: undefined }
    if (this.#isDirty) this.changed()
  }

  /** Sends the text when the user leaves a field. After a failure nothing is sent, so that the buttons beside the reason remain. */
  blurred(): void {
    if (this.#state.value.kind === 'unsaved') void this.flush()
  }

  /** Continues with a text that is based on another revision. */
  continueFrom(base: string): void {
    const previous = this.#base
    this.#base = base
    this.#keepDraft()
    if (previous !== base) this.#removeDraft(previous)
    this.#state.value = { kind: 'unsaved' }
    this.changed()
  }

  /** Shows the changes of others up to a revision if there are no unsaved changes; otherwise saving merges them. */
  async refresh(revision?: string): Promise<void> {
    const base = this.#base
    if (revision === base || this.#running || this.#isDirty || this.#isClosed) return
    const { place, format, applyFields } = this.#options
    const current = await readPageText(place, format)
    if (current.revision === base) return
    const before = await readPageTextAt(place, base, format)
    if (this.#running || this.#isDirty || this.#base !== base) return
    this.#base = current.revision
    this.#titleLine = current.titleLine
    const body = current.body === before.body ? this.#stored.body : current.body
    const shown = this.#stored.body
    this.#stored = { ...current.fields, body }
    if (body !== shown) this.#applyText(shown, body)
    applyFields(current.fields)
  }

  /** Sends unsaved changes and stops. If that fails, a draft remains. */
  close(): void {
    if (this.#isClosed) return
    this.#stop()
    this.#keepDraft()
    void this.flush()
  }

  /** Stops without sending unsaved changes, which were stored elsewhere. */
  abandon(): void {
    this.#stop()
    this.#removeDraft()
  }

  #stop(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#drafts.stop()
    window.removeEventListener('online', this.#retry)
    window.removeEventListener('pagehide', this.#keepDraft)
  }

  readonly #retry = (): void => {
    if (this.#state.value.kind === 'waiting') void this.flush()
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.flush(), delay)
  }

  /** Stores unsaved changes in the browser. */
  readonly #keepDraft = (): void => {
    if (!this.#drafts.keep()) this.#handleReverted()
  }

  /** Handles that all changes were reverted by the user. */
  #handleReverted(): void {
    this.#removeDraft()
    if (this.#state.value.kind !== 'unsaved' || this.#running) return
    clearTimeout(this.#timer)
    this.#state.value = { kind: 'saved', at: undefined }
  }

  #removeDraft(base = this.#base): void {
    removeDraft(this.#options.place, { base, format: this.#options.format.name })
  }

  async #save(): Promise<void> {
    const attempt = this.#unanswered ?? this.#startAttempt()
    this.#keepDraft()
    this.#state.value = { kind: 'saving' }
    try {
      const { revision, isMerged } = await sendPage(this.#options.place, attempt, this.#options.format)
      this.#unanswered = undefined
      await this.#takeOver(attempt.sent, revision, isMerged)
      this.#retryDelay = minRetryDelay
      this.#state.value = { kind: 'saved', at: Date.now() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#unanswered = isTemporary(error) ? attempt : undefined
      await this.#handleFailure(error)
    }
  }

  #startAttempt(): SaveAttempt {
    this.#options.onSend()
    return {
      key: createRequestKey(),
      before: { ...this.#stored, base: this.#base, titleLine: this.#titleLine },
      sent: this.#read(),
    }
  }

  /** Continues with the stored page: the sent page, merged with changes of others. */
  async #takeOver(sent: EditedPage, revision: string, isMerged: boolean): Promise<void> {
    const { place, format, applyFields } = this.#options
    const fields = await readPageFields(place, revision)
    const isRenamed = fields.title !== this.#stored.title
    const text = isMerged || isRenamed ? await readPageTextAt(place, revision, format) : undefined
    this.#removeDraft()
    this.#base = revision
    this.#titleLine = text?.titleLine ?? this.#titleLine
    const edited = this.#read()
    this.#stored = { ...fields, body: isMerged && text ? text.body : sent.body }
    applyFields({
      title: edited.title === sent.title ? fields.title : edited.title,
      description: edited.description === sent.description ? fields.description : edited.description,
    })
    if (isMerged && text) this.#applyText(sent.body, text.body)
    this.#keepDraft()
  }

  #applyText(sent: string, stored: string): void {
    const body = this.#options.applyText(sent, stored)
    if (body === undefined) return
    this.#stored = { ...this.#stored, body }
    this.changed()
  }

  async #handleFailure(error: ApiError): Promise<void> {
    if (error.status === 409 && error.details.some(({ block }) => block !== undefined)) {
      const { place, format } = this.#options
      try {
        const base = await readPageTextAt(place, this.#base, format)
        const theirs = await readPageText(place, format)
        this.#state.value = { kind: 'conflict', base, theirs }
        return
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown
        return this.#handleFailure(thrown)
      }
    }
    if (isMissingPage(error)) {
      this.#state.value = { kind: 'failed', error: new ApiError(404, error.message) }
      return
    }
    this.#state.value = { kind: isTemporary(error) ? 'waiting' : 'failed', error }
    if (!isTemporary(error)) return
    const delay = error.retryAfter === undefined ? this.#retryDelay : error.retryAfter * 1000
    this.#retryDelay = Math.min(this.#retryDelay * 2, maxRetryDelay)
    this.#schedule(delay)
  }
}
