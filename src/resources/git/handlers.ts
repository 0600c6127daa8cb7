import { git } from '../../contract/git.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { withAdmission, implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { toFlag } from '../../schema/values.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { presentGitOperation } from '../../domain/git/present-git.ts'
import { requestOperation, saveConnection, parseDirectoryField, parseRefField, parseRemoteField } from './requests.ts'
import { loadGitSyncState, storeGitSyncState } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { recordSpaceEvent } from '../../domain/live/record-event.ts'
import { updateGitSyncState } from '../../domain/spaces/space-store.ts'
import { createStatusReader } from './status.ts'
import { addWarningPages } from './warning-pages.ts'
import { admitDelivery, receivePush } from './webhook.ts'
import type { GitServices } from './sync-task.ts'

/** Maximum number of warnings per operation in a list. */
const maxListedWarnings = 20

export const gitRoutes = (services: GitServices) => {
  const { gitTimeout } = services.config
  const getState = async (context: SpaceContext): Promise<GitSyncState> => {
    const state = await loadGitSyncState(context, context.space)
    if (!state) throw notFound('repository')
    return { ...state, operationTimeout: gitTimeout }
  }

  return implement(git, {
    importGitRepository: (context, { body }) => requestOperation(context, 'import', body),

    exportToGitRepository: (context, { body }) => requestOperation(context, 'export', body),

    getSpaceGitInfo: getState,

    async updateSpaceGitInfo(context, { body }) {
      const { sealer, space } = context
      const remote = body.url === undefined ? undefined : parseRemoteField('body.url', body.url)
      await saveConnection(context, {
        ...(remote && { url: remote.url }),
        ...(remote?.credentials && { credentials: sealer.seal(JSON.stringify(remote.credentials)) }),
        ...(body.ref !== undefined && { ref: parseRefField('body.ref', body.ref) }),
        ...(body.repoTreeURL !== undefined && { tree_url: body.repoTreeURL }),
        ...(body.repoCommitURL !== undefined && { commit_url: body.repoCommitURL }),
        ...(body.repoProjectDirectory !== undefined && {
          directory: parseDirectoryField('body.repoProjectDirectory', body.repoProjectDirectory),
        }),
        ...(body.provider !== undefined && { provider: body.provider }),
        ...(body.commitMessage !== undefined && { commit_message: body.commitMessage }),
        ...(body.importAfterPush !== undefined && { imports_after_push: toFlag(body.importAfterPush) }),
        ...(body.exportAfterMerge !== undefined && { exports_after_merge: toFlag(body.exportAfterMerge) }),
      })
      await storeGitSyncState(context, space)
      return getState(context)
    },

    async removeSpaceGitInfo(context) {
      const { db, space } = context
      const connection = await store.findGitConnection(db, space)
      if (connection) {
        const { url, ref } = connection
        await recordEventAbout(context, 'space', space, 'git.disconnect', { before: { url, ref } })
        await recordSpaceEvent(context, space)
      }
      await store.deleteGitConnection(db, space)
      await updateGitSyncState(db, space, null)
      await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
    },

    async listSpaceGitOperations({ db, space, urls }, { query }) {
      const rows = await store.findGitOperations(db, space, { after: decodeCursor(query.page, 1), limit: query.limit })
      const count = await store.countGitOperations(db, space)
      return toPage(
        rows,
        query,
        count,
        (row) => [row.id],
        (row) => presentGitOperation(row, urls, maxListedWarnings),
      )
    },

    async listOrganizationGitOperations({ db, viewer, urls }, { query }) {
      const after = decodeCursor(query.page, 1)
      return toPage(
        await store.findVisibleGitOperations(db, viewer, { after, limit: query.limit }),
        query,
        await store.countVisibleGitOperations(db, viewer),
        (row) => [row.id],
        (row) => presentGitOperation(row, urls, maxListedWarnings),
      )
    },

    getSpaceGitStatus: createStatusReader(services),

    async getSpaceGitOperation(context, { params }) {
      const { db, space, urls } = context
      const operation = await store.findGitOperation(db, space, params.operationId)
      if (!operation) throw notFound('operation')
      return addWarningPages(context, presentGitOperation(operation, urls, Infinity))
    },

    async createGitWebhook(context) {
      const { db, space, sealer, urls, now } = context
      const connection = await store.findGitConnection(db, space)
      if (!connection) throw notFound('repository')
      const secret = randomText(40)
      await store.updateGitConnection(db, connection, { webhook_secret: sealer.seal(secret), updated_at: now() })
      await storeGitSyncState(context, space)
      await recordEventAbout(context, 'space', space, 'git.webhook-create')
      return { url: urls.api(`/spaces/${space.id}/git/webhook`), secret }
    },

    receiveGitWebhook: withAdmission(
      (context, { spaceId }) => admitDelivery(context, spaceId),
      (context, { params, body }) => receivePush(context, params.spaceId, body),
    ),

    // Legacy installations do not exist, so there is nothing to remove.
    async removeLegacyGitInstallation() {},
  })
}
