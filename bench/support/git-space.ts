import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import type { BenchRepository } from './git-repositories.ts'

interface Operation {
  state: 'running' | 'success' | 'failure' | 'timeout'
  error?: string
  commit?: string
}

interface Page {
  id: string
  type: string
  pages?: Page[]
}

/** Returns the polling interval in milliseconds; polling costs the server CPU time, so long operations are polled less often. */
const intervalAfter = (milliseconds: number): number => (milliseconds < 1000 ? 10 : 100)

/** Space with imports from and exports to repositories. */
export class GitSpace {
  readonly #caller: ApiClient
  readonly #path: string

  constructor(caller: ApiClient, id: string) {
    this.#caller = caller
    this.#path = `/spaces/${id}`
  }

  /** Imports a branch; returns the milliseconds from the request until the space has the commit of the branch. */
  import({ url, tip }: Pick<BenchRepository, 'url' | 'tip'>): Promise<number> {
    return this.#runOperation('import', { url, ref: 'refs/heads/main' }, tip)
  }

  /** Exports to a branch; returns the milliseconds from the request until the branch has the content of the space. */
  export({ url, tip }: Pick<BenchRepository, 'url' | 'tip'>): Promise<number> {
    return this.#runOperation('export', { url, ref: 'refs/heads/main', commitMessage: 'Export' }, tip)
  }

  /** Returns the ids of all pages with a document. */
  async pages(): Promise<string[]> {
    const { body } = await this.#caller.get(`${this.#path}/content/pages`)
    const idsIn = (pages: readonly Page[]): string[] =>
      pages.flatMap(({ id, type, pages: below = [] }) => [...(type === 'document' ? [id] : []), ...idsIn(below)])
    return idsIn((body as { pages: Page[] }).pages)
  }

  /** Replaces the document of a page in the published content. */
  async write(page: string, markdown: string): Promise<void> {
    const change = { operation: 'update_page', page, document: { markdown } }
    await this.#caller.post(`${this.#path}/content`, { changes: [change] })
  }

  async #runOperation(direction: 'import' | 'export', request: object, tip: () => string | undefined): Promise<number> {
    const started = performance.now()
    await this.#caller.post(`${this.#path}/git/${direction}`, request)
    for (;;) {
      const { body } = await this.#caller.get(`${this.#path}/git/info`)
      const { operation } = body as { operation: Operation }
      if (operation.state === 'running') {
        await sleep(intervalAfter(performance.now() - started))
        continue
      }
      const milliseconds = performance.now() - started
      const isDone = operation.state === 'success' && operation.commit === tip()
      if (!isDone) throw new Error(`The ${direction} has failed: ${JSON.stringify(operation).slice(0, 1000)}`)
      return milliseconds
    }
  }
}
