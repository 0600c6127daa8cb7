import type { BaseContext, JobName } from '../kernel/context.ts'

const ofSpace = (name: string): JobName<{ spaceId: string }> => ({ name, key: ({ spaceId }) => spaceId })

/** Makes the head of a space searchable. */
export const searchIndexing = ofSpace('search.index')

/** Highlights the code of a space's head. */
export const codeHighlighting = ofSpace('code.highlight')

/** Enqueues everything that is made from the head of a space. */
export async function enqueueDerivations(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  spaceId: string,
): Promise<void> {
  for (const name of [searchIndexing, codeHighlighting]) await enqueue(db, name, { spaceId })
}
