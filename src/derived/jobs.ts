import type { BaseContext, JobDescriptor } from '../kernel/context.ts'

const spaceJob = (name: string): JobDescriptor<{ spaceId: string }> => ({ name, key: ({ spaceId }) => spaceId })

/** Job that updates the search index of a space to its head. */
export const searchIndexJob = spaceJob('search.index')

/** Job that indexes the pages again that show a specification, given by its names in `LoadedSpecs.versions`. */
export const specIndexJob: JobDescriptor<{ organizationId: string; specs: string[] }> = {
  name: 'search.spec',
  key: ({ organizationId, specs }) => `${organizationId} ${specs.join(' ')}`,
}

/** Job that highlights the code of a space's head. */
export const codeHighlightJob = spaceJob('code.highlight')

/** Job that updates the links of a space to its head. */
export const linkIndexJob = spaceJob('links.index')

/** Enqueues the jobs that compute derived data from the head of a space; without links if they are already up to date. */
export async function enqueueDerivations(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  spaceId: string,
  { areLinksUpToDate = false } = {},
): Promise<void> {
  const jobs = [searchIndexJob, codeHighlightJob, ...(areLinksUpToDate ? [] : [linkIndexJob])]
  for (const job of jobs) await enqueue(db, job, { spaceId })
}
