import { newId } from '../../src/kernel/ids.ts'
import { randomInteger, seededRandom } from '../../tests/support/random.ts'
import type { ApiClient } from './api-client.ts'
import { type LeafPage, type SeededSpace, createPageMarkdown } from './seed-space.ts'

export const operations = ['edit', 'changes', 'merge', 'readById', 'readByPath', 'duplicate'] as const
export type OperationName = (typeof operations)[number]

/** Milliseconds of each request by operation. */
export type Times = Record<OperationName, number[]>

export interface OperationCounts {
  changeRequests: number
  reads: number
  duplicates: number
}

/** Typical operations in a space on random pages. */
export class SpaceWorkload {
  readonly #caller: ApiClient
  readonly #space: SeededSpace
  readonly #chance = seededRandom(1)

  constructor(caller: ApiClient, space: SeededSpace) {
    this.#caller = caller
    this.#space = space
  }

  /** Runs the operations. The change requests are open at the same time, so all but the first are merged into changed content. */
  async run({ changeRequests, reads, duplicates }: OperationCounts): Promise<Times> {
    const times: Times = { edit: [], changes: [], merge: [], readById: [], readByPath: [], duplicate: [] }
    const path = `/spaces/${this.#space.id}`
    const requests: string[] = []
    for (let count = 0; count < changeRequests; count++) {
      const { body } = await this.#caller.post(`${path}/change-requests`)
      requests.push(`${path}/change-requests/${(body as { id: string }).id}`)
    }
    const pages = this.#pickLeaves(changeRequests)
    for (const [index, request] of requests.entries()) {
      const change = {
        operation: 'update_page',
        page: pages[index]?.id,
        document: { markdown: createPageMarkdown(newId()) },
      }
      times.edit.push((await this.#caller.post(`${request}/content`, { changes: [change] })).milliseconds)
    }
    for (const request of requests) {
      const { milliseconds, body } = await this.#caller.get(`${request}/changes`)
      if ((body as { changes: unknown[] }).changes.length !== 1) throw new Error(`${request} does not tell its change`)
      times.changes.push(milliseconds)
    }
    for (const request of requests) {
      const { milliseconds, body } = await this.#caller.post(`${request}/merge`)
      if ((body as { result: string }).result !== 'merge') throw new Error(`${request} was not merged`)
      times.merge.push(milliseconds)
    }
    for (let count = 0; count < reads; count++) {
      const [one, other] = [this.#pickLeaf(), this.#pickLeaf()]
      times.readById.push(await this.#measurePage(`${path}/content/page/${one.id}`))
      times.readByPath.push(await this.#measurePage(`${path}/content/path/${encodeURIComponent(other.path)}`))
    }
    for (let count = 0; count < duplicates; count++) {
      times.duplicate.push((await this.#caller.post(`${path}/duplicate`)).milliseconds)
    }
    return times
  }

  readAll(): Promise<{ milliseconds: number; bytes: number }> {
    return this.#caller.measureGet(`/spaces/${this.#space.id}/content/pages`)
  }

  async #measurePage(path: string): Promise<number> {
    return (await this.#caller.measureGet(`${path}?format=document`)).milliseconds
  }

  /** Returns distinct pages, so that change requests do not conflict. */
  #pickLeaves(count: number): LeafPage[] {
    const chosen = new Set<LeafPage>()
    while (chosen.size < count) chosen.add(this.#pickLeaf())
    return [...chosen]
  }

  #pickLeaf(): LeafPage {
    const { leaves } = this.#space
    return leaves[randomInteger(this.#chance, 0, leaves.length - 1)] as LeafPage
  }
}
