import type { ConflictSide } from '../../src/contract/change-request.ts'
import { type Change, type Proposal, editLive, emptySpace, insertPage, propose } from './content.ts'
import type { Admin } from './server.ts'

/** Space with pages and a change request; pages are referred to by title. */
export class Disputed {
  readonly #admin: Admin
  readonly spaceId: string
  readonly ids: Record<string, string>
  readonly proposal: Proposal

  private constructor(admin: Admin, spaceId: string, ids: Record<string, string>, proposal: Proposal) {
    this.#admin = admin
    this.spaceId = spaceId
    this.ids = ids
    this.proposal = proposal
  }

  /** Creates a space; `paths` are paths of page titles, parents first. */
  static async of(admin: Admin, paths: readonly string[]): Promise<Disputed> {
    const spaceId = await emptySpace(admin)
    const ids: Record<string, string> = {}
    for (const path of paths) {
      const [parent, title = ''] = path.split('/').slice(-2).length === 2 ? path.split('/').slice(-2) : [null, path]
      const into = parent === null || parent === undefined ? null : ids[parent]
      const [id = ''] = await editLive(admin, spaceId, insertPage(`# ${title}\n\nText of ${title}.`, { into }))
      ids[title] = id
    }
    return new Disputed(admin, spaceId, ids, await propose(admin, spaceId))
  }

  /** Creates another change request from the current published content. */
  async again(): Promise<Disputed> {
    return new Disputed(this.#admin, this.spaceId, this.ids, await propose(this.#admin, this.spaceId))
  }

  id(title: string): string {
    const id = this.ids[title]
    if (id === undefined) throw new Error(`Page ${title} was not found`)
    return id
  }

  write(title: string, text: string): Change {
    return { operation: 'update_page', page: this.id(title), document: { markdown: text } }
  }

  move(title: string, into: string | null): Change {
    return { operation: 'update_page', page: this.id(title), into: into === null ? null : this.id(into) }
  }

  remove(title: string): Change {
    return { operation: 'delete_page', page: this.id(title) }
  }

  insert(title: string, into: string | null): Change {
    return insertPage(`# ${title}\n\nText of ${title}.`, { into: into === null ? null : this.id(into) })
  }

  async ours(...changes: Change[]): Promise<void> {
    await this.#note(await this.proposal.edit(...changes), changes)
  }

  async live(...changes: Change[]): Promise<void> {
    await this.#note(await editLive(this.#admin, this.spaceId, ...changes), changes)
  }

  async #note(created: readonly string[], changes: readonly Change[]): Promise<void> {
    const inserted = changes.filter((change) => change['operation'] === 'insert_page') as { document: unknown }[]
    inserted.forEach(({ document }, index) => {
      const title = /^# (.*)$/m.exec((document as { markdown: string }).markdown)?.[1]
      if (title !== undefined) this.ids[title] = created[index] ?? ''
    })
  }

  async open() {
    const { params } = this.proposal
    return (await this.#admin.api.listChangeRequestConflicts({ params, query: { status: 'open', limit: '1000' } }))
      .items
  }

  /** Returns the open conflict of this type about a page. */
  async conflict(title: string, type = 'existence') {
    const found = (await this.open()).find((one) => one.page === this.id(title) && one.type === type)
    if (!found) throw new Error(`There is no conflict about the ${type} of ${title}`)
    return found
  }

  async decide(title: string, side: ConflictSide, type = 'existence') {
    const conflict = await this.conflict(title, type)
    const params = { ...this.proposal.params, conflictId: conflict.id }
    return this.#admin.api.resolveChangeRequestConflict({ params, body: { side } })
  }

  decideAll(side: ConflictSide) {
    return this.#admin.api.resolveChangeRequestConflicts({ params: this.proposal.params, body: { side } })
  }

  undo(conflictId: string) {
    return this.#admin.api.reopenChangeRequestConflict({ params: { ...this.proposal.params, conflictId } })
  }

  /** Returns the titles of the published pages, each with a `>` for every ancestor. */
  async livePages(): Promise<string[]> {
    return titles((await this.#admin.api.listPages({ params: { spaceId: this.spaceId } })).pages)
  }

  async ourPages(): Promise<string[]> {
    return titles((await this.#admin.api.listPagesInChangeRequest({ params: this.proposal.params })).pages)
  }
}

interface Listed {
  title: string
  pages?: unknown
}

function titles(pages: readonly Listed[], depth = ''): string[] {
  return pages.flatMap((page) => [depth + page.title, ...titles((page.pages ?? []) as Listed[], `${depth}>`)])
}
