import { findPage } from '../../content/revision/tree.ts'
import type { JobDescriptor, SpaceContext } from '../../kernel/context.ts'
import { conflict, invalid, unknownReference } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { toAuditedUrl } from '../../domain/audit/audited-url.ts'
import { getEditableChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { getUploadedFile } from '../../domain/files/uploaded-file.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import type { StoredSource } from './source.ts'
import * as store from './store.ts'
import { recordRunEvent } from './update-run.ts'

/** The job that runs an import. */
export const importRun: JobDescriptor<{ runId: string }> = { name: 'imports.run', key: ({ runId }) => runId }

/** Pattern of the names of uploads that can be imported. */
export const importableNamePattern = /\.(?:md|markdown|html?|zip)$/i

export interface NewRun {
  source: StoredSource
  /** Id or number of a change request; without one, the target is the space itself. */
  changeRequest?: string | undefined
  page?: string | undefined
}

/** Starts an import for a caller who may edit the space. Fails at once if the import cannot succeed. */
export async function startRun(
  context: SpaceContext,
  { source, changeRequest, page }: NewRun,
): Promise<Row<'import_runs'>> {
  const { db, space, principal, newId, now, enqueue } = context
  const request = changeRequest === undefined ? undefined : await getEditableChangeRequest(context, changeRequest)
  if (!request && space.edit_mode === 'locked') {
    throw conflict('The space is locked. Import into a change request instead')
  }
  if (page !== undefined) await checkTargetPage(context, request?.revision_id ?? space.revision_id, page)
  if (source.type === 'file') await checkUploads(context, source.files)
  const at = now()
  const run = await store.insertRun(db, {
    organization_id: space.organization_id,
    id: newId(),
    space_id: space.id,
    change_request_id: request?.id ?? null,
    page_id: page ?? null,
    source: JSON.stringify(source),
    status: 'pending',
    reason: null,
    revision_id: null,
    done: 0,
    total: 0,
    pages: '[]',
    warnings: '[]',
    warning_count: 0,
    created_by: principal.user.id,
    created_at: at,
    updated_at: at,
    started_at: null,
    completed_at: null,
  })
  await enqueue(db, importRun, { runId: run.id })
  await recordRunEvent(context, run)
  await recordEventAbout(context, 'space', space, 'space.import', {
    after: { run: run.id, source: describeSource(source), changeRequest: request?.id, page },
  })
  return run
}

const describeSource = (source: StoredSource) =>
  source.type === 'website' ? { ...source, url: toAuditedUrl(source.url) } : source

async function checkTargetPage(context: SpaceContext, revisionId: string, page: string): Promise<void> {
  const { tree } = await getRevisionContent(context, context.space, revisionId)
  const found = await findPage(tree, page)
  if (!found) throw unknownReference('body.target.page', 'page')
  const { type } = found.entry
  if (type === 'link' || type === 'computed')
    throw invalid('body.target.page', `must not be a ${type} page, which cannot have child pages`)
}

async function checkUploads({ db, space }: SpaceContext, keys: readonly string[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const field = `body.source.files.${index}`
    const { name } = await getUploadedFile(db, space.organization_id, { key, field })
    if (!importableNamePattern.test(name))
      throw invalid(field, `${name} is not a Markdown file, an HTML file or a ZIP archive`)
  }
}
