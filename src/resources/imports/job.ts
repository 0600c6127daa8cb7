import { z } from 'zod'
import { copyTree } from '../../content/repository/copy.ts'
import { importRepository } from '../../content/repository/import.ts'
import { TreeError } from '../../content/revision/tree-error.ts'
import type { Listing, Objects, StoredObject } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { type PageNode, openTree, readPageNodes } from '../../content/revision/tree.ts'
import type { ImportWarning, ImportedPage } from '../../contract/imports.ts'
import { createExtractKeeper } from '../../derived/document-extracts.ts'
import { FetchError } from '../../fetch/errors.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext, ObjectStore } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { AppError } from '../../kernel/errors.ts'
import { longTextSettings } from '../../parsing/parse.ts'
import { storePendingObjects, storePendingObjectsIfMany } from '../../storage/store-pending-objects.ts'
import type { Row } from '../../schema/tables.ts'
import { WebsiteError } from '../../website/crawl.ts'
import type { TemplateUse } from '../../contract/template.ts'
import { withChargedQuota } from '../../domain/files/store-file.ts'
import { parseTemplateRefs, resolveReplacedRefs } from '../../domain/templates/content-refs.ts'
import { findTemplate } from '../../domain/templates/template-store.ts'
import { type ImportResult, completeRun } from './complete-run.ts'
import {
  ImportError,
  type ImportServices,
  type ReadFolder,
  type ReadSource,
  type ImportTask,
  type StoredSource,
} from './source.ts'
import { importRun } from './start.ts'
import * as store from './store.ts'
import { updateRun } from './update-run.ts'
import { readUploads } from './uploads.ts'
import { RunEndedError, RunMonitor } from './run-monitor.ts'
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
      const run = await markAsStarted(context, runId)
      if (!run) return
      const monitor = new RunMonitor(context, run)
      try {
        const result = await readAndImport(context, run, {
          services: withChargedQuota(services, run.organization_id),
          organizationId: run.organization_id,
          monitor,
        })
        await monitor.stop()
        monitor.signal.throwIfAborted()
        await completeRun(context, run, result)
      } catch (error) {
        await monitor.stop()
        await storeFailure(context, run, error)
      }
    },
  })

function markAsStarted({ transaction, now }: JobContext, runId: string): Promise<Run | undefined> {
  return transaction(async (db) => {
    const run = await store.findRunAnywhere(db, runId)
    if (!run) return undefined
    const at = now()
    const reset = { done: 0, total: 0, pages: '[]', started_at: run.started_at ?? at, updated_at: at }
    return updateRun({ db, now }, run, { ...reset, status: 'in-progress' })
  })
}

/** Stores the reason of a failed import for the user; errors that only interrupt the job are rethrown for the queue. */
async function storeFailure({ transaction, now, log, signal }: JobContext, run: Run, error: unknown): Promise<void> {
  if (error instanceof RunEndedError) return
  if (signal.aborted) throw error
  const isKnown = [ImportError, WebsiteError, FetchError, AppError, TreeError].some((kind) => error instanceof kind)
  if (!isKnown) log.error('An import failed', { run: run.id, error })
  const reason = isKnown
    ? (error as Error).message
    : 'The import failed because of an internal error. The server log contains details'
  await transaction((db) => updateRun({ db, now }, run, { status: 'failed', reason, updated_at: now() }))
}

async function readAndImport(context: JobContext, run: Run, task: ImportTask): Promise<ImportResult> {
  const source = JSON.parse(run.source) as StoredSource
  if (source.type === 'template') return copyTemplate(context, task, source.use)
  const read: ReadSource =
    source.type === 'website' ? await readWebsite(task, source.url) : await readUploads(task, context.db, source.files)
  const result = {
    roots: [] as string[],
    pages: [] as ImportedPage[],
    warnings: [...read.warnings],
    done: 0,
    replacesFirstPage: false,
  }
  for (const folder of read.folders) {
    const { root, pages, count, warnings } = await importFolder(context, task, folder)
    result.roots.push(root)
    for (const page of pages) result.pages.push(page)
    for (const warning of warnings) result.warnings.push(warning)
    result.done += count
  }
  return { ...result, total: Math.max(read.total, result.done) }
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
  { organizationId, monitor }: ImportTask,
  { source, fileUrls, sourceUrls, toWarning }: ReadFolder,
): Promise<ImportedFolder> {
  const { db, transaction, openObjects, newId, now } = context
  const objects = openObjects(db, organizationId)
  const withoutSources = new ContentOnlyObjects(objects)
  const {
    root,
    pages: count,
    problems,
  } = await importRepository(withoutSources, source, {
    newId,
    now: now(),
    fileUrls,
    onText: () => storePendingObjectsIfMany(transaction, objects),
    yieldIfDue: createYielder(monitor.signal),
    longTexts: { ...longTextSettings, extracts: createExtractKeeper() },
  })
  await storePendingObjects(transaction, objects)
  const pathOfPage = await withoutSources.readPagePaths()
  const { root: tree } = await openTree(objects, root)
  const pages = flattenPages(await readPageNodes(objects, tree.pages)).map((node) =>
    toImportedPage(node, sourceUrls?.get(pathOfPage.get(node.entry.id) ?? '')),
  )
  return { root, pages, count, warnings: problems.flatMap((problem) => toWarning(problem) ?? []) }
}

/** Copies the content of a template of the organization. */
async function copyTemplate(
  { db, transaction, openObjects, newId, now }: JobContext,
  { organizationId, monitor }: ImportTask,
  use: TemplateUse,
): Promise<ImportResult> {
  const template = await findTemplate(db, organizationId, use.id)
  if (!template) throw new ImportError('The template was deleted')
  const objects = openObjects(db, organizationId)
  const root = await copyTree(await openTree(objects, template.root_hash), objects, {
    newId,
    now: now(),
    replacedRefs: resolveReplacedRefs(parseTemplateRefs(template), use, 'template'),
    onPage: () => storePendingObjectsIfMany(transaction, objects),
    yieldIfDue: createYielder(monitor.signal),
  })
  await storePendingObjects(transaction, objects)
  const { root: tree } = await openTree(objects, root)
  const pages = flattenPages(await readPageNodes(objects, tree.pages)).map((node) => toImportedPage(node))
  const counts = { done: pages.length, total: pages.length }
  return { roots: [root], pages, warnings: [], ...counts, replacesFirstPage: true }
}

function toImportedPage({ entry, page }: PageNode, sourceURL?: string): ImportedPage {
  return {
    id: entry.id,
    ...(sourceURL !== undefined && { sourceURL }),
    title: page.title,
    type: entry.type === 'group' ? 'folder' : 'page',
    status: 'complete',
  }
}

/** Returns pages in reading order, each before its children. */
function flattenPages(top: readonly PageNode[]): PageNode[] {
  const pages: PageNode[] = []
  const stack = top.toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    pages.push(node)
    for (const child of node.children.toReversed()) stack.push(child)
  }
  return pages
}

/** Stores content without its sources and listing, because it is not exported back to where it was imported from. */
class ContentOnlyObjects implements Objects {
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
  async readPagePaths(): Promise<Map<string, string>> {
    const items = this.#listing ? await readSequence(this.#objects, this.#listing.items) : []
    return new Map(items.map(({ id, path }) => [id, path]))
  }
}
