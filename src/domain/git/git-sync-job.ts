import type { JobDescriptor } from '../../kernel/context.ts'

/** The job that runs the queued operations of a space one at a time, in the order of their events. */
export const gitSyncJob: JobDescriptor<{ organizationId: string; spaceId: string }> = {
  name: 'git.sync',
  key: ({ organizationId, spaceId }) => `${organizationId}/${spaceId}`,
}
