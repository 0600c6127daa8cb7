import { z } from 'zod'
import { GitOperation, GitSyncState } from './git-sync.ts'
import { operation } from './kit.ts'
import { HttpUrl, ListQuery, pageOf, Timestamp } from './shared.ts'

const RepositoryUrl = z
  .string()
  .min(1)
  .max(2048)
  .describe('An http(s) URL; may hold credentials, which are kept encrypted, and only as long as they are needed')

const Ref = z
  .string()
  .max(250)
  .regex(/^refs\/heads\/.+$/, 'must have the form refs/heads/<branch>')
  .describe('For example `refs/heads/main`')

const Directory = z
  .string()
  .max(1024)
  .describe('The folder of the repository that the content is in; nothing outside of it is looked at')

const places = {
  repoTreeURL: HttpUrl.optional().describe('What links to files that are not part of the content begin with'),
  repoCommitURL: HttpUrl.optional().describe('What addresses of commits begin with'),
  repoProjectDirectory: Directory.optional(),
}

const requestFields = {
  url: RepositoryUrl,
  ref: Ref,
  ...places,
  repoCacheID: z.string().max(256).optional().describe('Operations with the same one share a copy of the repository'),
  timestamp: Timestamp.optional().describe(
    'When what this follows has happened. What is older than something that was dealt with already is skipped',
  ),
  gitInfo: z
    .object({ provider: z.enum(['github', 'gitlab']), url: HttpUrl })
    .partial()
    .optional()
    .describe('What to tell about the repository: who hosts it, and where its files can be looked at'),
}

const CommitMessage = z.string().trim().min(1).max(4096)

export const ImportGitRepository = z
  .object({
    ...requestFields,
    force: z.boolean().optional().describe('Take what the repository has, whatever was edited here since'),
    standalone: z.boolean().optional().describe('Make a revision, and leave the content of the space as it is'),
  })
  .meta({ id: 'ImportGitRepository' })
export type ImportGitRepository = z.infer<typeof ImportGitRepository>

export const ExportToGitRepository = z
  .object({
    ...requestFields,
    commitMessage: CommitMessage,
    force: z.boolean().optional().describe('Let the branch have what is here, whatever was pushed since'),
    standalone: z.boolean().optional().describe('Accepted, without effect'),
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
      'Of exports after a merge; may name `{change_request_number}` and `{change_request_subject}`',
    ),
    importAfterPush: z.boolean().describe('Import when the webhook tells of a push'),
    exportAfterMerge: z.boolean().describe('Export whenever the content of the space has changed'),
  })
  .partial()
  .meta({ id: 'UpdateGitInfo' })
export type UpdateGitInfo = z.infer<typeof UpdateGitInfo>

export const git = {
  importGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/import',
    summary: 'Import a repository into a space',
    description:
      'The work is done in the background: `git/info` tells how it goes. Pages keep their identity over imports, edits that were not exported are merged, and what contradicts them becomes a change request. The content of a `locked` space is never replaced: what the branch has becomes a change request. Needs the permission `installIntegration`, unless `url`, `ref`, `repoProjectDirectory` and the other fields are those of the connection that the space has. A `standalone` import changes no connection and needs it only to use the stored credentials for another branch or folder.',
    access: 'space:triggerGitSync',
    scope: 'space:write',
    body: ImportGitRepository,
  }),
  exportToGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/export',
    summary: 'Export a space to a repository',
    description:
      'The work is done in the background: `git/info` tells how it goes. Files of pages that were not edited stay as they are, byte for byte; what was pushed meanwhile is merged first; in a `locked` space it becomes a change request, and nothing is exported until that is merged. Needs the permission `installIntegration`, unless `url`, `ref`, `repoProjectDirectory` and the other fields are those of the connection that the space has.',
    access: 'space:triggerGitSync',
    scope: 'space:write',
    body: ExportToGitRepository,
  }),
  getSpaceGitInfo: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Get the repository of a space and the state of its synchronization',
    access: 'space:view',
    scope: 'space:read',
    reply: GitSyncState,
    errors: [404],
  }),
  updateSpaceGitInfo: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Connect a space with a repository, or change how it is synchronized',
    description:
      'The first time `url` and `ref` are needed. Credentials in `url` are kept, encrypted, until another `url` is given; the same one without credentials leaves them.',
    access: 'space:installIntegration',
    scope: 'space:write',
    body: UpdateGitInfo,
    reply: GitSyncState,
  }),
  removeSpaceGitInfo: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Disconnect a space from its repository; its content stays',
    access: 'space:installIntegration',
    scope: 'space:write',
  }),
  listSpaceGitOperations: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/operations',
    summary: 'List the imports and exports of a space, the newest first',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: pageOf(GitOperation),
  }),
  getSpaceGitOperation: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/operations/{operationId}',
    summary: 'Get an import or export with all its warnings',
    access: 'space:view',
    scope: 'space:read',
    reply: GitOperation,
    errors: [404],
  }),
  createGitWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/webhook/secret',
    summary: 'Get the address and a new secret of the webhook that tells of pushes',
    description: 'The secret is shown once; the one before it no longer works.',
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
    summary: 'Tell of a push',
    description:
      'For GitHub (`X-Hub-Signature-256`) and GitLab (`X-Gitlab-Token`), as JSON or as a form whose field `payload` holds the JSON. A push to the branch of the space starts an import; any other event is accepted and ignored.',
    access: 'public',
    scope: 'any',
    // The largest pushes list two thousand commits. The body is parsed only after its signature was checked.
    maxBody: 4 * 1024 ** 2,
    formField: 'payload',
    body: z.looseObject({
      ref: z.string().optional(),
      after: z.string().optional().describe('The commit that the branch has now; all zeros when it was removed'),
    }),
    errors: [404],
  }),
  removeLegacyGitInstallation: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/git/legacy-installation',
    summary: 'Remove a connection of the kind that there was before',
    description: 'No such connection can exist on this server, so there is nothing to remove.',
    access: 'space:installIntegration',
    scope: 'space:write',
  }),
}
