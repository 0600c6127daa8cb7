import type { JobDescriptor } from '../../kernel/context.ts'

/** The job that generates the pages of a space again, including those of its change requests. */
export const recomputeSpaceJob: JobDescriptor<{ organizationId: string; spaceId: string }> = {
  name: 'content.compute',
  key: ({ organizationId, spaceId }) => `${organizationId} ${spaceId}`,
}
