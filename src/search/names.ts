import type { JobName } from '../kernel/context.ts'

/** Makes the present content of a space searchable. */
export const searchIndexing: JobName<{ spaceId: string }> = {
  name: 'search.index',
  key: ({ spaceId }) => spaceId,
}
