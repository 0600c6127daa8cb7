import type { SiteRedirectChange, SiteRedirectResult } from '../../contract/site-redirects.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { toSourceKey } from '../../publishing/redirects.ts'
import { toBatches } from '../../storage/batches.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { RedirectValidator, maxRedirects, tooManyRedirects } from './redirect-validator.ts'
import * as store from './store.ts'

type Redirect = Row<'site_redirects'>

/** Functions that write redirects. */
type RedirectWrites = Pick<typeof store, 'insertRedirect' | 'updateRedirect' | 'deleteRedirect'>

/** Writes nothing, so that changes are checked only. */
export const noWrites: RedirectWrites = {
  insertRedirect: async () => undefined,
  updateRedirect: async () => undefined,
  deleteRedirect: async () => true,
}

/** Applies a list of changes; those that fail are reported and do not affect the others. */
export async function applyRedirectChanges(
  context: SiteContext,
  changes: readonly SiteRedirectChange[],
  writes: RedirectWrites = store,
): Promise<SiteRedirectResult[]> {
  const batch = await RedirectBatch.open(context, changes, writes)
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
class RedirectBatch {
  readonly #context: SiteContext
  readonly #validator: RedirectValidator
  readonly #writes: RedirectWrites
  readonly #redirects: Map<string, Redirect>
  #count: number

  private constructor(
    context: SiteContext,
    validator: RedirectValidator,
    writes: RedirectWrites,
    existing: readonly Redirect[],
    count: number,
  ) {
    this.#context = context
    this.#validator = validator
    this.#writes = writes
    this.#redirects = new Map(existing.map((row) => [redirectMapKey(row.source_key, row.draft === 1), row]))
    this.#count = count
  }

  static async open(
    context: SiteContext,
    changes: readonly SiteRedirectChange[],
    writes: RedirectWrites,
  ): Promise<RedirectBatch> {
    const { db, site } = context
    const existing: Redirect[] = []
    for (const keys of toBatches([...new Set(changes.map(({ source }) => toSourceKey(source)))])) {
      existing.push(...(await store.findRedirectsByKeys(db, site, keys)))
    }
    return new RedirectBatch(
      context,
      await RedirectValidator.open(context),
      writes,
      existing,
      await store.countAllRedirects(db, site),
    )
  }

  async apply(change: SiteRedirectChange, field: string): Promise<SiteRedirectResult> {
    if (change.intent === 'publish') return this.#publish(change.source)
    const { source, intent, captureWildcard, permanent, destination } = change
    const draft = intent === 'draft'
    const existing = this.#find(source, draft)
    if (destination === null) {
      if (existing) await this.#remove(existing)
      return { status: 'deleted', source, draft }
    }
    const columns = await this.#validator.toColumns(
      { source, captureWildcard, destination: { input: destination } },
      field,
    )
    const permanentFlag = permanent === undefined ? (existing?.permanent ?? 0) : toFlag(permanent)
    if (existing) {
      await this.#update(existing, { ...columns, permanent: permanentFlag })
      return { status: 'updated', source, draft, id: existing.id }
    }
    const { id } = await this.#add({ ...columns, permanent: permanentFlag, draft: toFlag(draft) })
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
      this.#redirects.delete(redirectMapKey(draft.source_key, true))
      await this.#update(draft, { draft: 0 })
    }
    return { status: 'published', source, draft: false, id: (live ?? draft).id }
  }

  #find(source: string, draft: boolean): Redirect | undefined {
    return this.#redirects.get(redirectMapKey(toSourceKey(source), draft))
  }

  async #add(values: Omit<Redirect, 'organization_id' | 'site_id' | 'id' | 'created_at' | 'updated_at'>) {
    const { db, site, newId, now } = this.#context
    if (this.#count >= maxRedirects) throw tooManyRedirects()
    const at = now()
    const key = { organization_id: site.organization_id, site_id: site.id, id: newId() }
    const redirect: Redirect = { ...key, ...values, created_at: at, updated_at: at }
    await this.#writes.insertRedirect(db, redirect)
    this.#count += 1
    this.#setRedirect(redirect)
    return redirect
  }

  async #update(redirect: Redirect, values: Partial<Redirect>): Promise<void> {
    const { db, site, now } = this.#context
    const changes = { ...values, updated_at: now() }
    await this.#writes.updateRedirect(db, site, redirect.id, changes)
    this.#setRedirect({ ...redirect, ...changes })
  }

  async #remove(redirect: Redirect): Promise<void> {
    const { db, site } = this.#context
    await this.#writes.deleteRedirect(db, site, redirect.id)
    this.#count -= 1
    this.#redirects.delete(redirectMapKey(redirect.source_key, redirect.draft === 1))
  }

  #setRedirect(redirect: Redirect): void {
    this.#redirects.set(redirectMapKey(redirect.source_key, redirect.draft === 1), redirect)
  }
}

const redirectMapKey = (key: string, draft: boolean): string => `${draft ? 'draft' : 'live'} ${key}`
