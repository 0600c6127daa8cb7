import type { ExportToGitRepository, ImportGitRepository } from '../../contract/git.ts'
import { type GitRemote, GitError, checkRef, parseRemote } from '../../fetch/git.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { timestamp } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { type ConnectionFields, demandOwnCredentials, demandUnchanged, mayConnect } from './permissions.ts'
import { queueOperation, toGitRequest } from '../../domain/git/queue-operation.ts'
import * as store from '../../domain/git/git-store.ts'

type Connection = Row<'git_connections'>

/** Queues an import or export. */
export async function ask(
  context: SpaceContext,
  direction: 'import' | 'export',
  body: ImportGitRepository | ExportToGitRepository,
): Promise<void> {
  const { db, space, role, principal, now, sealer } = context
  const remote = remoteIn('body.url', body.url)
  const branch = {
    url: remote.url,
    ref: refIn('body.ref', body.ref),
    directory: directoryIn('body.repoProjectDirectory', body.repoProjectDirectory ?? ''),
  }
  const { repoCommitURL: commitUrl, repoCacheID: cacheId, force, timestamp: event, gitInfo } = body
  const treeUrl = body.repoTreeURL ?? gitInfo?.url
  const standalone = direction === 'import' && body.standalone === true
  const anyBranch = mayConnect(role)
  if (standalone && !anyBranch && !remote.credentials) {
    demandOwnCredentials(await store.findConnection(db, space), branch)
  }
  const places = standalone
    ? { ...branch, treeUrl, commitUrl, cacheId }
    : toGitRequest(
        await connectionFor(context, cacheId, {
          ...branch,
          ...(treeUrl !== undefined && { tree_url: treeUrl }),
          ...(commitUrl !== undefined && { commit_url: commitUrl }),
          ...(gitInfo?.provider !== undefined && { provider: gitInfo.provider }),
        }),
      )
  const commitMessage = 'commitMessage' in body ? body.commitMessage : undefined
  await queueOperation(context, space, direction, {
    request: { ...places, force, standalone, commitMessage, isTimed: event !== undefined, anyBranch },
    credentials: remote.credentials ? sealer.seal(JSON.stringify(remote.credentials)) : null,
    // Normalized, because timestamps are compared as strings.
    eventAt: event === undefined ? now() : timestamp(Date.parse(event)),
    createdBy: principal.user.id,
  })
}

/** Returns the connection for a request: updated by the request, or unchanged for callers who may not change it. */
async function connectionFor(
  context: SpaceContext,
  cacheId: string | undefined,
  asked: ConnectionFields,
): Promise<Connection> {
  const cache = cacheId !== undefined && { cache_id: cacheId }
  if (mayConnect(context.role)) return connect(context, { ...asked, ...cache })
  const connection = demandUnchanged(await store.findConnection(context.db, context.space), asked)
  return { ...connection, ...cache }
}

type Told = Partial<Omit<Connection, 'organization_id' | 'space_id' | 'id' | 'created_at' | 'updated_at'>>

/** Creates or updates the connection of a space. Another repository, branch or directory resets the sync state. */
export async function connect(context: SpaceContext, told: Told): Promise<Connection> {
  const { db, space, principal, newId, now } = context
  const known = await store.findConnection(db, space)
  if (!known) {
    const { url, ref } = told
    if (url === undefined) throw invalid('body.url', 'is required to create a connection')
    if (ref === undefined) throw invalid('body.ref', 'is required to create a connection')
    return store.insertConnection(db, {
      organization_id: space.organization_id,
      space_id: space.id,
      id: newId(),
      credentials: null,
      directory: '',
      tree_url: null,
      commit_url: null,
      provider: null,
      cache_id: null,
      commit_message: null,
      imports_after_push: flag(true),
      exports_after_merge: flag(false),
      webhook_secret: null,
      synced_revision_id: null,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
      newest_event_at: null,
      created_by: principal.user.id,
      created_at: now(),
      updated_at: now(),
      ...told,
      url,
      ref,
    })
  }
  const differs = (name: keyof Told) => told[name] !== undefined && told[name] !== known[name]
  const isOther = (['url', 'ref', 'directory'] as const).some(differs)
  // Published pages contain links to their source.
  if (isOther || differs('tree_url') || differs('provider')) {
    await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
  }
  // Credentials must not be used for another repository than the one they were given for.
  const forgets = told.url !== undefined &&
    told.url !== known.url && { credentials: null, tree_url: null, commit_url: null, cache_id: null }
  return store.updateConnection(db, known, {
    ...forgets,
    ...(isOther && {
      synced_revision_id: null,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
      newest_event_at: null,
    }),
    ...told,
    updated_at: now(),
  })
}

/** Parses the URL of a repository; errors refer to the field. */
export function remoteIn(field: string, url: string): GitRemote {
  return checked(field, () => parseRemote(url))
}

/** Checks the full name of a branch against Git's rules; errors refer to the field. */
export function refIn(field: string, ref: string): string {
  checked(field, () => checkRef(ref))
  return ref
}

function checked<T>(field: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof GitError) throw invalid(field, error.message)
    throw error
  }
}

// oxlint-disable-next-line no-control-regex
const noFolder = /^(?:\.\.|\.git)$|[\\\u0000-\u001f]/i

/** Normalizes the directory of a repository, without slashes around it; errors refer to the field. */
export function directoryIn(field: string, directory: string): string {
  const steps = directory.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.some((step) => noFolder.test(step))) throw invalid(field, 'must be a directory of the repository')
  return steps.join('/')
}
