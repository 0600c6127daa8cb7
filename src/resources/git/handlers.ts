import { git } from '../../contract/git.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { admitted, implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { flag } from '../../schema/values.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { presentOperation } from '../../domain/git/present-git.ts'
import { ask, connect, directoryIn, refIn, remoteIn } from './requests.ts'
import { loadGitState, storeGitState } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { updateGitState } from '../../domain/spaces/space-store.ts'
import { admitDelivery, receive } from './webhook.ts'
import type { GitServices } from './work.ts'

/** Maximum number of warnings per operation in a list. */
const fewWarnings = 20

export const gitRoutes = ({ config: { gitTimeout } }: GitServices) => {
  const getState = async (context: SpaceContext): Promise<GitSyncState> => {
    const state = await loadGitState(context, context.space)
    if (!state) throw notFound('repository')
    return { ...state, operationTimeout: gitTimeout }
  }

  return implement(git, {
    importGitRepository: (context, { body }) => ask(context, 'import', body),

    exportToGitRepository: (context, { body }) => ask(context, 'export', body),

    getSpaceGitInfo: getState,

    async updateSpaceGitInfo(context, { body }) {
      const { sealer, space } = context
      const remote = body.url === undefined ? undefined : remoteIn('body.url', body.url)
      await connect(context, {
        ...(remote && { url: remote.url }),
        ...(remote?.credentials && { credentials: sealer.seal(JSON.stringify(remote.credentials)) }),
        ...(body.ref !== undefined && { ref: refIn('body.ref', body.ref) }),
        ...(body.repoTreeURL !== undefined && { tree_url: body.repoTreeURL }),
        ...(body.repoCommitURL !== undefined && { commit_url: body.repoCommitURL }),
        ...(body.repoProjectDirectory !== undefined && {
          directory: directoryIn('body.repoProjectDirectory', body.repoProjectDirectory),
        }),
        ...(body.provider !== undefined && { provider: body.provider }),
        ...(body.commitMessage !== undefined && { commit_message: body.commitMessage }),
        ...(body.importAfterPush !== undefined && { imports_after_push: flag(body.importAfterPush) }),
        ...(body.exportAfterMerge !== undefined && { exports_after_merge: flag(body.exportAfterMerge) }),
      })
      await storeGitState(context, space)
      return getState(context)
    },

    async removeSpaceGitInfo(context) {
      const { db, space } = context
      await store.deleteConnection(db, space)
      await updateGitState(db, space, null)
      await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
    },

    async listSpaceGitOperations({ db, space, urls }, { query }) {
      const rows = await store.findOperations(db, space, { after: decodeCursor(query.page, 1), limit: query.limit })
      const count = await store.countOperations(db, space)
      return toPage(
        rows,
        query,
        count,
        (row) => [row.id],
        (row) => presentOperation(row, urls, fewWarnings),
      )
    },

    async getSpaceGitOperation({ db, space, urls }, { params }) {
      const operation = await store.findOperation(db, space, params.operationId)
      if (!operation) throw notFound('operation')
      return presentOperation(operation, urls, Infinity)
    },

    async createGitWebhook(context) {
      const { db, space, sealer, urls, now } = context
      const connection = await store.findConnection(db, space)
      if (!connection) throw notFound('repository')
      const secret = randomText(40)
      await store.updateConnection(db, connection, { webhook_secret: sealer.seal(secret), updated_at: now() })
      await storeGitState(context, space)
      return { url: urls.api(`/spaces/${space.id}/git/webhook`), secret }
    },

    receiveGitWebhook: admitted(
      (context, { spaceId }) => admitDelivery(context, spaceId),
      (context, { params, body }) => receive(context, params.spaceId, body),
    ),

    // Legacy installations do not exist, so there is nothing to remove.
    async removeLegacyGitInstallation() {},
  })
}
