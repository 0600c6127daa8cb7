import type { GitStatus } from '../../contract/git-sync.ts'
import { gitCommitOf } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { findRevision, getRevision } from '../../domain/revisions/revisions.ts'
import { type GitCredentials, GitError } from '../../fetch/git.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { seconds } from '../../kernel/time.ts'
import { WorkQueue } from '../../kernel/work-queue.ts'
import type { Row } from '../../schema/tables.ts'
import type { GitServices } from './sync-task.ts'

type Connection = Row<'git_connections'>

/** Newest commit of a branch, or why it could not be read. */
interface BranchTip {
  commit?: string | undefined
  error?: string
}

/** A request to a repository is stopped after this time. */
const maxDuration = seconds(15)
/** A tip that was read is used for this time, because every request starts a process. */
const tipLifetime = seconds(2)
/** Maximum number of tips that are kept. */
const maxTips = 1000

/** Returns a function that compares a space with the branch that it is connected to. */
export function createStatusReader({ git }: Pick<GitServices, 'git'>): (context: SpaceContext) => Promise<GitStatus> {
  const queue = new WorkQueue({
    maxRunning: 4,
    maxRunningPerCaller: 2,
    maxWaiting: 100,
    maxWaitingPerCaller: 20,
    maxWait: maxDuration,
  })
  const tips = new Map<string, { tip: Promise<BranchTip>; until: number }>()

  function readTip({ sealer, space }: SpaceContext, connection: Connection): Promise<BranchTip> {
    const { id, updated_at: updatedAt, synced_revision_id: syncedRevision } = connection
    // After an import or export, or with other settings, the tip is read again.
    const key = JSON.stringify([id, updatedAt, syncedRevision])
    const known = tips.get(key)
    if (known && known.until > Date.now()) return known.tip
    const tip = queue.run(space.organization_id, () => requestTip({ git, sealer }, connection))
    tips.set(key, { tip, until: Date.now() + maxDuration })
    void tip
      .then(() => tips.set(key, { tip, until: Date.now() + tipLifetime }))
      // A rejected request is sent again by the next caller.
      .catch(() => tips.delete(key))
    for (const oldest of tips.keys()) {
      if (tips.size <= maxTips) break
      tips.delete(oldest)
    }
    return tip
  }

  return async (context) => {
    const { db, space } = context
    const connection = await store.findGitConnection(db, space)
    if (!connection) throw notFound('repository')
    const { commit: branchCommit, error } = await readTip(context, connection)
    const synced =
      connection.synced_revision_id === null ? undefined : await findRevision(db, space, connection.synced_revision_id)
    const commit = gitCommitOf(synced)?.oid
    const head = await getRevision(db, space, space.revision_id)
    const isAhead = head.root_hash !== synced?.root_hash
    return {
      object: 'git-status',
      state: error !== undefined ? 'unknown' : toState(commit, branchCommit, isAhead),
      ...(commit !== undefined && { commit }),
      ...(branchCommit !== undefined && { branchCommit }),
      ...(error !== undefined && { error }),
    }
  }
}

function toState(commit: string | undefined, branchCommit: string | undefined, isAhead: boolean): GitStatus['state'] {
  if (commit === undefined) return 'pending'
  if (commit === branchCommit) return isAhead ? 'ahead' : 'in-sync'
  return isAhead ? 'diverged' : 'behind'
}

async function requestTip(
  { git, sealer }: Pick<GitServices, 'git'> & Pick<SpaceContext, 'sealer'>,
  { organization_id, url, ref, credentials: sealed }: Connection,
): Promise<BranchTip> {
  const opened = sealed === null ? undefined : sealer.open(sealed)
  const credentials = opened === undefined ? undefined : (JSON.parse(opened) as GitCredentials)
  try {
    // A separate copy, so that it does not wait for operations; nothing is fetched into it.
    const repository = await git.open(JSON.stringify([organization_id, 'status']))
    const signal = AbortSignal.timeout(maxDuration)
    return { commit: await repository.readRemoteTip({ url, credentials }, ref, { signal }) }
  } catch (error) {
    if (error instanceof GitError) return { error: error.message }
    throw error
  }
}
