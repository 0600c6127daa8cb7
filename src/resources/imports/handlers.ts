import { setTimeout } from 'node:timers/promises'
import { requireRole, findSpace } from '../../access/authorize.ts'
import { type ContentImportResult, imports } from '../../contract/imports.ts'
import type { OrganizationContext, SpaceContext } from '../../kernel/context.ts'
import { AppError, conflict, notFound, unknownReference } from '../../kernel/errors.ts'
import { withAwaitedReply, implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { seconds } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { runUrlOf, presentListedRun, presentRun, presentProgress } from './present.ts'
import { startRun } from './start.ts'
import * as store from './store.ts'
import { updateRun } from './update-run.ts'

/** Id and URL of a started run, from which the reply is made once the run has ended. */
interface StartedRun {
  id: string
  urls: { location: string }
}

interface WebsiteInput {
  body: { url: string }
}

export const importRoutes = implement(imports, {
  importContent: withAwaitedReply(
    (context: SpaceContext, { body }: WebsiteInput) => startWebsiteImport(context, body.url),
    async (context, _, started: StartedRun, signal) => {
      const run = await waitForEnd(context, started, signal)
      const current = await findSpace(context.db, context.viewer.userId, context.space.id)
      return presentResult(run, (current ?? context).space.revision_id)
    },
  ),
  importContentInChangeRequest: withAwaitedReply(
    (context: SpaceContext, { params, body }: WebsiteInput & { params: { changeRequestId: string } }) =>
      startWebsiteImport(context, body.url, params.changeRequestId),
    async (context, { params }, started: StartedRun, signal) => {
      const run = await waitForEnd(context, started, signal)
      return presentResult(run, (await getChangeRequest(context, params.changeRequestId)).revision_id)
    },
  ),

  async listImportRuns({ db, viewer, urls }, { query }) {
    const { space, site, changeRequest, status } = query
    const statuses = status === 'active' ? store.activeStatuses : status && [status]
    const filter = { space, site, changeRequest, status: statuses }
    const after = decodeCursor(query.page, 1)
    const rows = await store.findRuns(db, viewer, filter, { after, limit: query.limit })
    const count = await store.countRuns(db, viewer, filter)
    return toPage(
      rows,
      query,
      count,
      (run) => [run.id],
      (run) => presentListedRun(run, urls),
    )
  },

  async startImportRun(context, { body: { source, target } }) {
    const found = await findSpaceInOrganization(context, target.space)
    if (!found) throw unknownReference('body.target.space', 'space')
    requireRole('space', 'edit', found.role)
    const { changeRequest, page } = target
    return presentRun(await startRun({ ...context, ...found }, { source, changeRequest, page }), context.urls)
  },

  async getImportRun(context, { params }) {
    const { run } = await getRun(context, params.importRunId)
    return presentRun(run, context.urls)
  },

  async cancelImportRun(context, { params }) {
    const { now, urls } = context
    const { run, role } = await getRun(context, params.importRunId)
    requireRole('space', 'edit', role)
    if (run.status === 'cancelled') return presentRun(run, urls)
    const cancelled = await updateRun(context, run, { status: 'cancelled', updated_at: now() })
    if (!cancelled) throw new AppError('invalid', 'The import has ended and cannot be cancelled')
    return presentRun(cancelled, urls)
  },
})

async function startWebsiteImport(context: SpaceContext, url: string, changeRequest?: string): Promise<StartedRun> {
  const run = await startRun(context, { source: { type: 'website', url }, changeRequest })
  return { id: run.id, urls: { location: runUrlOf(run, context.urls) } }
}

/** Finds a space of the organization that the caller can see. */
async function findSpaceInOrganization({ db, organization, principal }: OrganizationContext, spaceId: string) {
  const found = await findSpace(db, principal.user.id, spaceId)
  return found?.space.organization_id === organization.id ? found : undefined
}

/** Returns a run with the caller's role in its space; fails if the caller cannot see the space. */
async function getRun(context: OrganizationContext, id: string) {
  const run = await store.findRun(context.db, context.organization.id, id)
  const found = run && (await findSpaceInOrganization(context, run.space_id))
  if (!found) throw notFound('import')
  return { run, role: found.role }
}

const minPause = 50
const maxPause = seconds(2)

/** Waits until a run has ended or the signal aborts; returns the run. */
async function waitForEnd(
  { db, space }: SpaceContext,
  { id }: StartedRun,
  signal: AbortSignal,
): Promise<Row<'import_runs'>> {
  for (let pause = minPause; ; pause = Math.min(pause * 1.5, maxPause)) {
    const run = await store.findRun(db, space.organization_id, id)
    if (!run) throw notFound('import')
    if (signal.aborted || !store.activeStatuses.includes(run.status)) return run
    // The loop checks whether the signal aborted the pause.
    await setTimeout(pause, undefined, { signal }).catch(() => undefined)
  }
}

function presentResult(run: Row<'import_runs'>, current: string): ContentImportResult {
  if (run.status === 'failed') throw new AppError('invalid', `Nothing was imported: ${run.reason}`)
  if (run.status === 'cancelled') throw conflict('The import was cancelled')
  return { revision: run.revision_id ?? current, ...presentProgress(run) }
}
