import type { JobName } from '../../kernel/context.ts'

/** Carries out what waits for a space: one operation at a time, in the order in which things happened. */
export const gitSync: JobName<{ organizationId: string; spaceId: string }> = {
  name: 'git.sync',
  key: ({ organizationId, spaceId }) => `${organizationId}/${spaceId}`,
}
