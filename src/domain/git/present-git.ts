import type { GitOperation, GitSyncState, GitWarning } from '../../contract/git-sync.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { decodeUrl, providerOf, treeUrlOf } from './repository-urls.ts'

type Connection = Row<'git_connections'>
type Operation = Row<'git_operations'>

/** Maximum number of warnings in replies about the space. */
const maxSummaryWarnings = 20

export interface GitConnectionState {
  connection: Connection
  operation: Operation | undefined
  /** The last commit that the space and the branch had in common. */
  commit: string | undefined
}

/** Presents the Git connection of a space with its state. */
export function presentGitSyncState({ connection, operation, commit }: GitConnectionState, urls: Urls): GitSyncState {
  const url = treeUrlOf(connection)
  const provider = providerOf(connection)
  return {
    installationId: connection.id,
    ...(provider && { installationProvider: provider }),
    installationStatus: toInstallationStatus(operation, commit),
    repoName: repositoryName(connection.url),
    ...(url !== undefined && { url }),
    repository: connection.url,
    ref: connection.ref,
    projectDirectory: connection.directory,
    ...(connection.commit_message !== null && { commitMessage: connection.commit_message }),
    hasCredentials: connection.credentials !== null,
    importAfterPush: connection.imports_after_push === 1,
    exportAfterMerge: connection.exports_after_merge === 1,
    hasWebhook: connection.webhook_secret !== null,
    ...(commit !== undefined && { commit }),
    ...(operation && { operation: presentOperationFields(operation, urls, maxSummaryWarnings) }),
    updatedAt: connection.updated_at,
  }
}

export function presentGitOperation(operation: Operation, urls: Urls, maxWarnings: number): GitOperation {
  return {
    object: 'git-operation',
    ...presentOperationFields(operation, urls, maxWarnings),
    space: operation.space_id,
    createdAt: operation.created_at,
  }
}

function presentOperationFields(operation: Operation, urls: Urls, maxWarnings: number) {
  const { id, direction, state, change_request_id: changeRequest } = operation
  const warnings = JSON.parse(operation.warnings) as GitWarning[]
  return {
    id,
    direction,
    state: state === 'queued' ? ('running' as const) : state,
    startedAt: operation.started_at ?? operation.created_at,
    ...(operation.ended_at !== null && { endedAt: operation.ended_at }),
    ...(operation.error !== null && { error: operation.error }),
    ...(changeRequest !== null && {
      changeRequest,
      errorAction: {
        label: 'Open the change request',
        url: urls.app(`/spaces/${operation.space_id}/change-requests/${changeRequest}`),
      },
    }),
    done: operation.done,
    total: operation.total,
    ...(operation.commit_id !== null && { commit: operation.commit_id }),
    // The stored revision of a running export has not been pushed yet.
    ...(operation.revision_id !== null && operation.ended_at !== null && { revision: operation.revision_id }),
    warningCount: operation.warning_count,
    warnings: warnings.slice(0, maxWarnings),
  }
}

function toInstallationStatus(
  operation: Operation | undefined,
  commit: string | undefined,
): GitSyncState['installationStatus'] {
  if (operation?.failure === 'credentials') return 'unauthenticated'
  return commit === undefined ? 'pending' : 'active'
}

/** Returns the name of a repository: the path of its URL without `.git`, usually `owner/name`. */
function repositoryName(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return decodeUrl(path)
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
}
