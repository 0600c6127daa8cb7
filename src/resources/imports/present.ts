import type { ImportRun, ImportRunSource, ImportWarning, ImportedPage } from '../../contract/imports.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import type { StoredSource } from './source.ts'
import { type ListedRun, activeStatuses } from './store.ts'

export function runUrlOf(
  { organization_id: organizationId, id }: Pick<ListedRun, 'organization_id' | 'id'>,
  urls: Urls,
) {
  return urls.api(`/org/${organizationId}/imports/${id}`)
}

/** Returns the progress of a run. While a run is active, the total is greater than the number of imported resources. */
export function presentProgress({ status, done, total }: Pick<ListedRun, 'status' | 'done' | 'total'>) {
  const minTotal = activeStatuses.includes(status) ? done + 1 : done
  return { importedResources: done, totalResources: Math.max(total, minTotal) }
}

/** Presents a run for lists. */
export function presentListedRun(run: ListedRun, urls: Urls): ImportRun {
  return {
    object: 'import-run',
    id: run.id,
    status: run.status,
    ...(run.reason !== null && { reason: run.reason }),
    source: presentSource(JSON.parse(run.source) as StoredSource),
    target: {
      space: run.space_id,
      ...(run.change_request_id !== null && { changeRequest: run.change_request_id }),
      ...(run.page_id !== null && { page: run.page_id }),
    },
    ...presentProgress(run),
    ...(run.revision_id !== null && { revision: run.revision_id }),
    warningCount: run.warning_count,
    ...(run.created_by !== null && { createdBy: run.created_by }),
    createdAt: run.created_at,
    updatedAt: run.updated_at,
    ...(run.started_at !== null && { startedAt: run.started_at }),
    ...(run.completed_at !== null && { completedAt: run.completed_at }),
    urls: { location: runUrlOf(run, urls) },
  }
}

/** Presents a source in a form that clients of the official API accept. */
function presentSource(source: StoredSource): ImportRunSource {
  return source.type === 'template' ? { type: 'file', files: [], template: source.use.id } : source
}

/** Presents a run with its pages and warnings. */
export function presentRun(run: Row<'import_runs'>, urls: Urls): ImportRun {
  return {
    ...presentListedRun(run, urls),
    pages: JSON.parse(run.pages) as ImportedPage[],
    warnings: JSON.parse(run.warnings) as ImportWarning[],
  }
}
