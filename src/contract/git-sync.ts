import { z } from 'zod'
import { Count, Id, Timestamp } from './shared.ts'

export const GitProvider = z
  .enum(['github', 'gitlab', 'github-legacy'])
  .describe('Service that hosts the repository')
  .meta({ id: 'GitSyncProvider' })
export type GitProvider = z.infer<typeof GitProvider>

export const GitWarning = z
  .object({
    file: z.string(),
    line: z.int().optional(),
    message: z.string(),
    page: Id.optional().describe('Page that the file contains; only in replies about one operation'),
  })
  .meta({ id: 'GitWarning' })
export type GitWarning = z.infer<typeof GitWarning>

const operationFields = {
  id: Id,
  direction: z.enum(['import', 'export']),
  state: z.enum(['running', 'failure', 'success', 'timeout']).describe('A queued operation is also `running`'),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
  error: z.string().optional().describe('Error message of a failed operation'),
  errorAction: z.object({ label: z.string(), url: z.string() }).optional().describe('Suggested action, with a link'),
  done: Count.describe('Number of processed files'),
  total: Count,
  commit: z.string().optional().describe('SHA of the imported or created commit'),
  revision: Id.optional().describe('ID of the revision with the imported or exported content'),
  changeRequest: Id.optional().describe(
    'ID of the change request that must be merged before the operation can complete',
  ),
  warningCount: Count,
  warnings: z.array(GitWarning).describe('The first warnings; get the operation for all of them'),
}

export const GitOperation = z
  .object({ object: z.literal('git-operation'), ...operationFields, space: Id, createdAt: Timestamp })
  .meta({ id: 'GitOperation' })
export type GitOperation = z.infer<typeof GitOperation>

/** The Git connection of a space and its state. */
export const GitSyncState = z
  .object({
    installationId: Id,
    installationProvider: GitProvider.optional().describe('Absent when the host is neither GitHub nor GitLab'),
    installationStatus: z
      .enum(['unauthenticated', 'active', 'pending'])
      .describe('`pending` until the first import or export; `unauthenticated` when the host rejects the credentials'),
    integration: z.string().optional(),
    repoName: z.string().optional(),
    url: z.string().optional().describe('URL at which the files can be browsed'),
    repository: z.string().describe('URL of the repository, without credentials'),
    ref: z.string(),
    projectDirectory: z.string().describe('Directory of the content in the repository; empty for the root directory'),
    commitMessage: z.string().optional(),
    hasCredentials: z.boolean().describe('Whether credentials are stored'),
    importAfterPush: z.boolean(),
    exportAfterMerge: z.boolean(),
    hasWebhook: z.boolean(),
    commit: z.string().optional().describe('SHA of the last commit that the space and the branch have in common'),
    operation: z.object(operationFields).optional().describe('The most recent operation'),
    operationTimeout: z.int().optional().describe('Time limit of an operation, in milliseconds'),
    updatedAt: Timestamp,
  })
  .meta({ id: 'GitSyncState' })
export type GitSyncState = z.infer<typeof GitSyncState>

export const GitStatus = z
  .object({
    object: z.literal('git-status'),
    state: z
      .enum(['in-sync', 'ahead', 'behind', 'diverged', 'pending', 'unknown'])
      .describe(
        '`ahead`: the space has changes that the branch does not have. `behind`: the branch has commits that the space does not have. `diverged`: both. `pending`: nothing was imported or exported yet. `unknown`: the repository could not be read; `error` contains the reason.',
      ),
    commit: z.string().optional().describe('SHA of the last commit that the space and the branch have in common'),
    branchCommit: z.string().optional().describe('SHA of the newest commit of the branch; absent if there is none'),
    error: z.string().optional().describe('Why the repository could not be read'),
  })
  .meta({ id: 'GitStatus' })
export type GitStatus = z.infer<typeof GitStatus>
