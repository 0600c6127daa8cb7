import type { BaseContext, JobDescriptor } from '../kernel/context.ts'

const spaceJob = (name: string): JobDescriptor<{ spaceId: string }> => ({ name, key: ({ spaceId }) => spaceId })

/** Job that updates the search index of a space to its head. */
export const searchIndexJob = spaceJob('search.index')

/** Job that highlights the code of a space's head. */
export const codeHighlightJob = spaceJob('code.highlight')

/** Enqueues the jobs that compute derived data from the head of a space. */
export async function enqueueDerivations(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  spaceId: string,
): Promise<void> {
  for (const name of [searchIndexJob, codeHighlightJob]) await enqueue(db, name, { spaceId })
}
