import type { SiteRedirectChange, SiteRedirectResult } from '../../contract/site-redirects.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { keyOfSource } from '../../publishing/redirects.ts'
import { batches } from '../../storage/batches.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { Rules, maxRedirects, tooMany } from './rules.ts'
import * as store from './store.ts'

type Redirect = Row<'site_redirects'>

/** Applies a list of changes; those that fail are reported and do not affect the others. */
export async function changeRedirects(
  context: SiteContext,
  changes: readonly SiteRedirectChange[],
): Promise<SiteRedirectResult[]> {
  const batch = await Batch.open(context, changes)
  const results: SiteRedirectResult[] = []
  for (const [index, change] of changes.entries()) {
    try {
      results.push(await batch.apply(change, `body.redirects.${index}`))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ status: 'error', source: change.source, draft: change.intent === 'draft', error: error.message })
    }
  }
  return results
}

/** The redirects that a list of changes refers to, with the changes applied so far. */
class Batch {
  readonly #context: SiteContext
  readonly #rules: Rules
  readonly #known: Map<string, Redirect>
  #count: number

  private constructor(context: SiteContext, rules: Rules, known: readonly Redirect[], count: number) {
    this.#context = context
    this.#rules = rules
    this.#known = new Map(known.map((row) => [nameOf(row.source_key, row.draft === 1), row]))
    this.#count = count
  }

  static async open(context: SiteContext, changes: readonly SiteRedirectChange[]): Promise<Batch> {
    const { db, site } = context
    const known: Redirect[] = []
    for (const keys of batches([...new Set(changes.map(({ source }) => keyOfSource(source)))])) {
      known.push(...(await store.findByKeys(db, site, keys)))
    }
    return new Batch(context, await Rules.open(context), known, await store.countAllRedirects(db, site))
  }

  async apply(change: SiteRedirectChange, field: string): Promise<SiteRedirectResult> {
    if (change.intent === 'publish') return this.#publish(change.source)
    const { source, intent, captureWildcard, permanent, destination } = change
    const draft = intent === 'draft'
    const former = this.#find(source, draft)
    if (destination === null) {
      if (former) await this.#remove(former)
      return { status: 'deleted', source, draft }
    }
    const columns = await this.#rules.columnsOf({ source, captureWildcard, destination: { input: destination } }, field)
    const kept = permanent === undefined ? (former?.permanent ?? 0) : flag(permanent)
    if (former) {
      await this.#update(former, { ...columns, permanent: kept })
      return { status: 'updated', source, draft, id: former.id }
    }
    const { id } = await this.#add({ ...columns, permanent: kept, draft: flag(draft) })
    return { status: 'created', source, draft, id }
  }

  /** Publishes a draft; an existing live redirect with the same source keeps its id and gets the values of the draft. */
  async #publish(source: string): Promise<SiteRedirectResult> {
    const draft = this.#find(source, true)
    if (!draft) throw notFound(`draft of a redirect from ${source}`)
    const live = this.#find(source, false)
    if (live) {
      await this.#remove(draft)
      const { capture_wildcard, permanent, destination, item_id } = draft
      await this.#update(live, { source: draft.source, capture_wildcard, permanent, destination, item_id })
    } else {
      this.#known.delete(nameOf(draft.source_key, true))
      await this.#update(draft, { draft: 0 })
    }
    return { status: 'published', source, draft: false, id: (live ?? draft).id }
  }

  #find(source: string, draft: boolean): Redirect | undefined {
    return this.#known.get(nameOf(keyOfSource(source), draft))
  }

  async #add(values: Omit<Redirect, 'organization_id' | 'site_id' | 'id' | 'created_at' | 'updated_at'>) {
    const { db, site, newId, now } = this.#context
    if (this.#count >= maxRedirects) throw tooMany()
    const at = now()
    const key = { organization_id: site.organization_id, site_id: site.id, id: newId() }
    const redirect: Redirect = { ...key, ...values, created_at: at, updated_at: at }
    await store.insertRedirect(db, redirect)
    this.#count += 1
    this.#note(redirect)
    return redirect
  }

  async #update(redirect: Redirect, values: Partial<Redirect>): Promise<void> {
    const { db, site, now } = this.#context
    const changes = { ...values, updated_at: now() }
    await store.updateRedirect(db, site, redirect.id, changes)
    this.#note({ ...redirect, ...changes })
  }

  async #remove(redirect: Redirect): Promise<void> {
    const { db, site } = this.#context
    await store.deleteRedirect(db, site, redirect.id)
    this.#count -= 1
    this.#known.delete(nameOf(redirect.source_key, redirect.draft === 1))
  }

  #note(redirect: Redirect): void {
    this.#known.set(nameOf(redirect.source_key, redirect.draft === 1), redirect)
  }
}

const nameOf = (key: string, draft: boolean): string => `${draft ? 'draft' : 'live'} ${key}`
