import type { BaseContext, JobName } from '../kernel/context.ts'

const ofSpace = (name: string): JobName<{ spaceId: string }> => ({ name, key: ({ spaceId }) => spaceId })

/** Job that updates the search index of a space to its head. */
export const searchIndexing = ofSpace('search.index')

/** Job that highlights the code of a space's head. */
export const codeHighlighting = ofSpace('code.highlight')

/** Enqueues the jobs that compute derived data from the head of a space. */
export async function enqueueDerivations(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  spaceId: string,
): Promise<void> {
  for (const name of [searchIndexing, codeHighlighting]) await enqueue(db, name, { spaceId })
}
