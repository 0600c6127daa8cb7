import { createOpenObjects } from '../../src/server/app.ts'
import { iterateReachableHashes } from '../../src/content/revision/reachable-objects.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { type TestServer, waitUntil } from './server.ts'

/** Advances the clock and waits until all due jobs have ended. */
export async function advanceClock({ server, clock }: TestServer, milliseconds: number): Promise<void> {
  const { reader } = server.app.database
  const waitForDueJobs = () =>
    waitUntil(async () => {
      const now = timestamp(clock.now())
      // Read before the jobs: a schedule and the job that it enqueues change in the same transaction.
      const schedule = await reader
        .selectFrom('schedules')
        .select('name')
        .where('next_at', '<=', now)
        .executeTakeFirst()
      const due = await reader
        .selectFrom('jobs')
        .select('id')
        .where('state', 'in', ['queued', 'running'])
        .where('run_at', '<=', now)
        .executeTakeFirst()
      return !schedule && !due
    }, 'all jobs have run')
  // A running job would lose its lease.
  await waitForDueJobs()
  clock.advance(milliseconds)
  await waitForDueJobs()
  const dead = await reader.selectFrom('jobs').select(['name', 'error']).where('state', '=', 'dead').execute()
  if (dead.length > 0) throw new Error(`Jobs failed: ${JSON.stringify(dead)}`)
}

/** Returns the number of revisions of an organization, its stored objects, and those that its revisions reach. */
export async function readStoredObjects({ server, clock }: TestServer, organizationId: string) {
  const { reader } = server.app.database
  const revisions = await reader
    .selectFrom('revisions')
    .select(['root_hash', 'listing_hash', 'listed_root_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  const objects = await reader
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .execute()
  const reached = new Set<string>()
  // With a separate cache, so that only stored objects can be read.
  const stored = createOpenObjects(clock.now)(reader, organizationId)
  const roots = revisions.flatMap((revision) => Object.values(revision).filter((hash) => hash !== null))
  for await (const hashes of iterateReachableHashes(stored, roots)) for (const hash of hashes) reached.add(hash)
  return {
    revisions: revisions.length,
    objects: objects.map(({ hash }) => hash).sort(),
    reached: [...reached].sort(),
  }
}
