import type { ConflictSide } from '../../src/contract/change-request.ts'
import { type Change, type Proposal, editLive, emptySpace, insertPage, propose } from './content.ts'
import type { Admin } from './server.ts'

/** Space with pages and a change request; pages are referred to by title. */
export class ConflictScenario {
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
  static async create(admin: Admin, paths: readonly string[]): Promise<ConflictScenario> {
    const spaceId = await emptySpace(admin)
    const ids: Record<string, string> = {}
    for (const path of paths) {
      const [parent, title = ''] = path.split('/').slice(-2).length === 2 ? path.split('/').slice(-2) : [null, path]
      const into = parent === null || parent === undefined ? null : ids[parent]
      const [id = ''] = await editLive(admin, spaceId, insertPage(`# ${title}\n\nText of ${title}.`, { into }))
      ids[title] = id
    }
    return new ConflictScenario(admin, spaceId, ids, await propose(admin, spaceId))
  }

  /** Creates another change request from the current published content. */
  async withNewProposal(): Promise<ConflictScenario> {
    return new ConflictScenario(this.#admin, this.spaceId, this.ids, await propose(this.#admin, this.spaceId))
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

  async editProposal(...changes: Change[]): Promise<void> {
    await this.#storeIds(await this.proposal.edit(...changes), changes)
  }

  async editPublished(...changes: Change[]): Promise<void> {
    await this.#storeIds(await editLive(this.#admin, this.spaceId, ...changes), changes)
  }

  async #storeIds(created: readonly string[], changes: readonly Change[]): Promise<void> {
    const inserted = changes.filter((change) => change['operation'] === 'insert_page') as { document: unknown }[]
    inserted.forEach(({ document }, index) => {
      const title = /^# (.*)$/m.exec((document as { markdown: string }).markdown)?.[1]
      if (title !== undefined) this.ids[title] = created[index] ?? ''
    })
  }

  async listOpenConflicts() {
    const { params } = this.proposal
    return (await this.#admin.api.listChangeRequestConflicts({ params, query: { status: 'open', limit: '1000' } }))
      .items
  }

  /** Returns the open conflict of this type about a page. */
  async findConflict(title: string, type = 'existence') {
    const found = (await this.listOpenConflicts()).find((one) => one.page === this.id(title) && one.type === type)
    if (!found) throw new Error(`There is no conflict about the ${type} of ${title}`)
    return found
  }

  async resolve(title: string, side: ConflictSide, type = 'existence') {
    const conflict = await this.findConflict(title, type)
    const params = { ...this.proposal.params, conflictId: conflict.id }
    return this.#admin.api.resolveChangeRequestConflict({ params, body: { side } })
  }

  resolveAll(side: ConflictSide) {
    return this.#admin.api.resolveChangeRequestConflicts({ params: this.proposal.params, body: { side } })
  }

  reopen(conflictId: string) {
    return this.#admin.api.reopenChangeRequestConflict({ params: { ...this.proposal.params, conflictId } })
  }

  /** Returns the titles of the published pages, each with a `>` for every ancestor. */
  async listPublishedPages(): Promise<string[]> {
    return indentTitles((await this.#admin.api.listPages({ params: { spaceId: this.spaceId } })).pages)
  }

  async listProposedPages(): Promise<string[]> {
    return indentTitles((await this.#admin.api.listPagesInChangeRequest({ params: this.proposal.params })).pages)
  }
}

interface ListedPage {
  title: string
  pages?: unknown
}

function indentTitles(pages: readonly ListedPage[], depth = ''): string[] {
  return pages.flatMap((page) => [depth + page.title, ...indentTitles((page.pages ?? []) as ListedPage[], `${depth}>`)])
}
