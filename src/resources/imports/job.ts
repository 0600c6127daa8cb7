import { z } from 'zod'
import { importRepository } from '../../content/repository/import.ts'
import { TreeError } from '../../content/revision/draft.ts'
import type { Listing, Objects, StoredObject } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { type PageNode, openTree, readPages } from '../../content/revision/tree.ts'
import type { ImportSource, ImportWarning, ImportedPage } from '../../contract/imports.ts'
import { FetchError } from '../../fetch/errors.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext, ObjectStore } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { AppError } from '../../kernel/errors.ts'
import { longTexts } from '../../parsing/parse.ts'
import { storeAll, storePortion } from '../../storage/portions.ts'
import type { Row } from '../../schema/tables.ts'
import { WebsiteError } from '../../website/crawl.ts'
import { chargeTo } from '../../domain/files/store-file.ts'
import { type Outcome, place } from './place.ts'
import { ImportError, type ImportServices, type ReadFolder, type ReadSource, type Work } from './source.ts'
import { importRun } from './start.ts'
import * as store from './store.ts'
import { readUploads } from './uploads.ts'
import { RunEnded, RunWatch } from './watch.ts'
import { readWebsite } from './website.ts'

type Run = Row<'import_runs'>

/** The job that runs imports. An interrupted import starts over: content is added to its target only at the end. */
export const importJob = (services: ImportServices) =>
  job({
    ...importRun,
    attempts: 3,
    atOnce: 1,
    payload: z.object({ runId: z.string() }),
    async run(context, { runId }) {
      const run = await begin(context, runId)
      if (!run) return
      const watch = new RunWatch(context, run)
      try {
        const outcome = await carryOut(context, run, {
          services: chargeTo(services, run.organization_id),
          organizationId: run.organization_id,
          watch,
        })
        await watch.stop()
        watch.signal.throwIfAborted()
        await place(context, run, outcome)
      } catch (error) {
        await watch.stop()
        await fail(context, run, error)
      }
    },
  })

function begin({ transaction, now }: JobContext, runId: string): Promise<Run | undefined> {
  return transaction(async (db) => {
    const run = await store.findRunAnywhere(db, runId)
    if (!run) return undefined
    const at = now()
    const anew = { done: 0, total: 0, pages: '[]', started_at: run.started_at ?? at, updated_at: at }
    return store.updateActiveRun(db, run, { ...anew, status: 'in-progress' })
  })
}

/** Stores the reason of a failed import for the user; errors that only interrupt the job are rethrown for the queue. */
async function fail({ transaction, now, log, signal }: JobContext, run: Run, error: unknown): Promise<void> {
  if (error instanceof RunEnded) return
  if (signal.aborted) throw error
  const isKnown = [ImportError, WebsiteError, FetchError, AppError, TreeError].some((kind) => error instanceof kind)
  if (!isKnown) log.error('An import failed', { run: run.id, error })
  const reason = isKnown
    ? (error as Error).message
    : 'The import failed because of an internal error. The server log contains details'
  await transaction((db) => store.updateActiveRun(db, run, { status: 'failed', reason, updated_at: now() }))
}

async function carryOut(context: JobContext, run: Run, work: Work): Promise<Outcome> {
  const source = JSON.parse(run.source) as ImportSource
  const read: ReadSource =
    source.type === 'website' ? await readWebsite(work, source.url) : await readUploads(work, context.db, source.files)
  const outcome = { roots: [] as string[], pages: [] as ImportedPage[], warnings: [...read.warnings], done: 0 }
  for (const folder of read.folders) {
    const { root, pages, count, warnings } = await importFolder(context, work, folder)
    outcome.roots.push(root)
    for (const page of pages) outcome.pages.push(page)
    for (const warning of warnings) outcome.warnings.push(warning)
    outcome.done += count
  }
  return { ...outcome, total: Math.max(read.total, outcome.done) }
}

interface ImportedFolder {
  root: string
  pages: ImportedPage[]
  /** Number of pages that were read; the other pages are links and groups. */
  count: number
  warnings: ImportWarning[]
}

async function importFolder(
  context: JobContext,
  { organizationId, watch }: Work,
  { source, outside, sourceOf, warningOf }: ReadFolder,
): Promise<ImportedFolder> {
  const { db, transaction, openObjects, newId, now } = context
  const objects = openObjects(db, organizationId)
  const withoutSources = new ContentOnly(objects)
  const {
    root,
    pages: count,
    problems,
  } = await importRepository(withoutSources, source, {
    newId,
    now: now(),
    outside,
    onText: () => storePortion(transaction, objects),
    breathe: createYielder(watch.signal),
    longTexts,
  })
  await storeAll(transaction, objects)
  const fileOf = await withoutSources.filesOfPages()
  const { root: tree } = await openTree(objects, root)
  const pages = inOrder(await readPages(objects, tree.pages)).map(({ entry, page }): ImportedPage => {
    const sourceURL = sourceOf?.get(fileOf.get(entry.id) ?? '')
    return {
      id: entry.id,
      ...(sourceURL !== undefined && { sourceURL }),
      title: page.title,
      type: entry.type === 'group' ? 'folder' : 'page',
      status: 'complete',
    }
  })
  return { root, pages, count, warnings: problems.flatMap((problem) => warningOf(problem) ?? []) }
}

/** Returns pages in reading order, each before its children. */
function inOrder(top: readonly PageNode[]): PageNode[] {
  const pages: PageNode[] = []
  const waiting = top.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    pages.push(node)
    for (const child of node.children.toReversed()) waiting.push(child)
  }
  return pages
}

/** Stores content without its sources and listing, because it is not exported back to where it was imported from. */
class ContentOnly implements Objects {
  readonly #objects: ObjectStore
  #listing: Listing | undefined

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  read(...wanted: Parameters<Objects['read']>) {
    return this.#objects.read(...wanted)
  }

  write(object: StoredObject): string {
    if (object.kind === 'listing') this.#listing = object
    return object.kind === 'listing' || object.kind === 'source' ? '' : this.#objects.write(object)
  }

  writeCanonical(json: string): string {
    return this.#objects.writeCanonical(json)
  }

  /** Returns the path of the file of each page. */
  async filesOfPages(): Promise<Map<string, string>> {
    const items = this.#listing ? await readSequence(this.#objects, this.#listing.items) : []
    return new Map(items.map(({ id, path }) => [id, path]))
  }
}
