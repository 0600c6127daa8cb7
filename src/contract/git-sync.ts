import { z } from 'zod'
import { Count, Id, Timestamp } from './shared.ts'

export const GitProvider = z
  .enum(['github', 'gitlab', 'github-legacy'])
  .describe('The service that hosts the repository')
  .meta({ id: 'GitSyncProvider' })
export type GitProvider = z.infer<typeof GitProvider>

export const GitWarning = z
  .object({ file: z.string(), line: z.int().optional(), message: z.string() })
  .meta({ id: 'GitWarning' })
export type GitWarning = z.infer<typeof GitWarning>

const operationFields = {
  id: Id,
  direction: z.enum(['import', 'export']),
  state: z.enum(['running', 'failure', 'success', 'timeout']).describe('One that waits for its turn is `running` too'),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
  error: z.string().optional().describe('Why it failed'),
  errorAction: z
    .object({ label: z.string(), url: z.string() })
    .optional()
    .describe('What can be done about it, and where'),
  done: Count.describe('How many texts were dealt with so far'),
  total: Count,
  commit: z.string().optional().describe('The commit that was imported or made'),
  revision: Id.optional().describe('The revision that holds what was imported or exported'),
  changeRequest: Id.optional().describe('The change request that waits for a decision'),
  warningCount: Count,
  warnings: z.array(GitWarning).describe('The first of them'),
}

export const GitOperation = z
  .object({ object: z.literal('git-operation'), ...operationFields, createdAt: Timestamp })
  .meta({ id: 'GitOperation' })
export type GitOperation = z.infer<typeof GitOperation>

/** The repository of a space, and how things stand with it. */
export const GitSyncState = z
  .object({
    installationId: Id,
    installationProvider: GitProvider.optional().describe('Absent when the host is neither GitHub nor GitLab'),
    installationStatus: z
      .enum(['unauthenticated', 'active', 'pending'])
      .describe('`pending` until something was imported or exported; `unauthenticated` when credentials are refused'),
    integration: z.string().optional(),
    repoName: z.string().optional(),
    url: z.string().optional().describe('Where the files can be looked at'),
    repository: z.string().describe('The address of the repository, without credentials'),
    ref: z.string(),
    projectDirectory: z.string().describe('Empty when the content is at the top of the repository'),
    commitMessage: z.string().optional(),
    hasCredentials: z.boolean().describe('Whether credentials are kept'),
    importAfterPush: z.boolean(),
    exportAfterMerge: z.boolean(),
    hasWebhook: z.boolean(),
    commit: z.string().optional().describe('The commit that the space and the repository last had in common'),
    operation: z.object(operationFields).optional().describe('The latest operation'),
    operationTimeout: z.int().optional().describe('How long an operation may take, in milliseconds'),
    updatedAt: Timestamp,
  })
  .meta({ id: 'GitSyncState' })
export type GitSyncState = z.infer<typeof GitSyncState>
