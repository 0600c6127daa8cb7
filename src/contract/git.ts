import { z } from 'zod'
import { GitOperation, GitStatus, GitSyncState } from './git-sync.ts'
import { operation } from './operation.ts'
import { HttpUrl, ListQuery, paginated, Timestamp } from './shared.ts'

const RepositoryUrl = z
  .string()
  .min(1)
  .max(2048)
  .describe(
    'An http(s) URL. It may contain credentials, which are stored encrypted and only for as long as they are needed',
  )

const Ref = z
  .string()
  .max(250)
  .regex(/^refs\/heads\/.+$/, 'must have the form refs/heads/<branch>')
  .describe('Branch, for example `refs/heads/main`')

const Directory = z
  .string()
  .max(1024)
  .describe('Directory of the content in the repository. Files outside of it are ignored')

const repositoryFields = {
  repoTreeURL: HttpUrl.optional().describe('Base URL for links to files that are not part of the content'),
  repoCommitURL: HttpUrl.optional().describe('Base URL for links to commits'),
  repoProjectDirectory: Directory.optional(),
}

const requestFields = {
  url: RepositoryUrl,
  ref: Ref,
  ...repositoryFields,
  repoCacheID: z
    .string()
    .max(256)
    .optional()
    .describe('Operations with the same ID share a cached copy of the repository'),
  timestamp: Timestamp.optional().describe(
    'Time of the event that triggers the operation. The operation is skipped when a newer event was already processed',
  ),
  gitInfo: z
    .object({ provider: z.enum(['github', 'gitlab']), url: HttpUrl })
    .partial()
    .optional()
    .describe('Provider and web URL of the repository, as shown to users'),
}

const CommitMessage = z.string().trim().min(1).max(4096)

export const ImportGitRepository = z
  .object({
    ...requestFields,
    force: z.boolean().optional().describe('Replace the content of the space, discarding edits that were not exported'),
    standalone: z.boolean().optional().describe('Create a revision without changing the content of the space'),
  })
  .meta({ id: 'ImportGitRepository' })
export type ImportGitRepository = z.infer<typeof ImportGitRepository>

export const ExportToGitRepository = z
  .object({
    ...requestFields,
    commitMessage: CommitMessage,
    force: z.boolean().optional().describe('Overwrite the branch, discarding commits that were not imported'),
    standalone: z.boolean().optional().describe('Accepted; has no effect'),
  })
  .meta({ id: 'ExportToGitRepository' })
export type ExportToGitRepository = z.infer<typeof ExportToGitRepository>

export const UpdateGitInfo = z
  .object({
    url: RepositoryUrl,
    ref: Ref,
    repoTreeURL: HttpUrl.nullable(),
    repoCommitURL: HttpUrl.nullable(),
    repoProjectDirectory: Directory,
    provider: z.enum(['github', 'gitlab']).nullable(),
    commitMessage: CommitMessage.nullable().describe(
      'Commit message of exports after a merge. It may contain `{change_request_number}` and `{change_request_subject}`',
    ),
    importAfterPush: z.boolean().describe('Import when the webhook reports a push'),
    exportAfterMerge: z.boolean().describe('Export when the content of the space changes'),
  })
  .partial()
  .meta({ id: 'UpdateGitInfo' })
export type UpdateGitInfo = z.infer<typeof UpdateGitInfo>

export const git = {
  importGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/import',
    summary: 'Import a Git repository',
    description:
      'Runs in the background; `git/info` returns the progress. Pages keep their ids across imports. Edits that were not exported are merged with the imported content, and conflicts become a change request. In a `locked` space, all imported content becomes a change request. Requires the permission `installIntegration`, unless `url`, `ref`, `repoProjectDirectory` and the other fields equal those of the existing connection. A `standalone` import does not change the connection and requires the permission only to use the stored credentials for another branch or directory.',
    access: 'space:triggerGitSync',
    scope: 'space:write',
    body: ImportGitRepository,
  }),
  exportToGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/export',
    summary: 'Export to a Git repository',
    description:
      'Runs in the background; `git/info` returns the progress. Files of pages that were not edited do not change. New commits of the branch are merged into the space first; in a `locked` space they become a change request, and nothing is exported until it is merged. Requires the permission `installIntegration`, unless `url`, `ref`, `repoProjectDirectory` and the other fields equal those of the existing connection.',
    access: 'space:triggerGitSync',
    scope: 'space:write',
    body: ExportToGitRepository,
  }),
  getSpaceGitInfo: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Get the Git connection of a space',
    description: 'Returns the repository and the state of its synchronization.',
    access: 'space:view',
    scope: 'space:read',
    reply: GitSyncState,
    errors: [404],
  }),
  updateSpaceGitInfo: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Update the Git connection of a space',
    description:
      'The first request creates the connection and requires `url` and `ref`. Credentials in `url` are stored encrypted until another `url` is set; sending the same `url` without credentials keeps them.',
    access: 'space:installIntegration',
    scope: 'space:write',
    body: UpdateGitInfo,
    reply: GitSyncState,
  }),
  removeSpaceGitInfo: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Remove the Git connection of a space',
    description: 'The content of the space is kept.',
    access: 'space:installIntegration',
    scope: 'space:write',
  }),
  getSpaceGitStatus: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/status',
    summary: 'Compare a space with its branch',
    description:
      'Reads the newest commit of the branch from the repository, with a timeout of 15 seconds. The result is cached for 2 seconds.',
    access: 'space:triggerGitSync',
    scope: 'space:read',
    reply: GitStatus,
    errors: [404],
  }),
  listOrganizationGitOperations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/git/operations',
    summary: 'List the Git operations of an organization',
    description: 'Returns imports and exports of all spaces that the caller can see, newest first.',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(GitOperation),
  }),
  listSpaceGitOperations: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/operations',
    summary: 'List the Git operations of a space',
    description: 'Returns imports and exports, newest first.',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(GitOperation),
  }),
  getSpaceGitOperation: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/operations/{operationId}',
    summary: 'Get a Git operation',
    description: 'Returns the operation with all warnings.',
    access: 'space:view',
    scope: 'space:read',
    reply: GitOperation,
    errors: [404],
  }),
  createGitWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/webhook/secret',
    summary: 'Create a Git webhook secret',
    description:
      'Returns the URL and the secret of the webhook that reports pushes. The secret is returned once and replaces the previous one.',
    access: 'space:installIntegration',
    scope: 'space:write',
    status: 201,
    reply: z.object({ url: z.string(), secret: z.string() }),
    errors: [404],
    secret: true,
  }),
  receiveGitWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/webhook',
    summary: 'Receive a Git webhook event',
    description:
      'Accepts events of GitHub (`X-Hub-Signature-256`) and GitLab (`X-Gitlab-Token`), as JSON or as a form whose field `payload` contains the JSON. A push to the connected branch starts an import; other events are accepted and ignored.',
    access: 'public',
    scope: 'any',
    // The largest pushes list two thousand commits. The body is parsed only after its signature was checked.
    maxBody: 4 * 1024 ** 2,
    formField: 'payload',
    body: z.looseObject({
      ref: z.string().optional(),
      after: z.string().optional().describe('SHA of the new head of the branch; all zeros when the branch was deleted'),
    }),
    errors: [404],
  }),
  removeLegacyGitInstallation: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/git/legacy-installation',
    summary: 'Delete a legacy Git installation',
    description: 'Legacy installations do not exist on this server, so this operation has no effect.',
    access: 'space:installIntegration',
    scope: 'space:write',
  }),
}
