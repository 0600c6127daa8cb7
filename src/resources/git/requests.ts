import type { ExportToGitRepository, ImportGitRepository } from '../../contract/git.ts'
import { type GitRemote, GitError, checkRef, parseRemote } from '../../fetch/git.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { timestamp } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { type ConnectionFields, assertOwnCredentials, assertUnchanged, mayConnect } from './permissions.ts'
import { queueGitOperation, toGitRequest } from '../../domain/git/queue-operation.ts'
import * as store from '../../domain/git/git-store.ts'
import { recordSpaceEvent } from '../../domain/live/record-event.ts'

type Connection = Row<'git_connections'>

/** Queues an import or export. */
export async function requestOperation(
  context: SpaceContext,
  direction: 'import' | 'export',
  body: ImportGitRepository | ExportToGitRepository,
): Promise<void> {
  const { db, space, role, principal, now, sealer } = context
  const remote = parseRemoteField('body.url', body.url)
  const branch = {
    url: remote.url,
    ref: parseRefField('body.ref', body.ref),
    directory: parseDirectoryField('body.repoProjectDirectory', body.repoProjectDirectory ?? ''),
  }
  const { repoCommitURL: commitUrl, repoCacheID: cacheId, force, timestamp: event, gitInfo } = body
  const treeUrl = body.repoTreeURL ?? gitInfo?.url
  const standalone = direction === 'import' && body.standalone === true
  const anyBranch = mayConnect(role)
  if (standalone && !anyBranch && !remote.credentials) {
    assertOwnCredentials(await store.findGitConnection(db, space), branch)
  }
  const target = standalone
    ? { ...branch, treeUrl, commitUrl, cacheId }
    : toGitRequest(
        await prepareConnection(context, cacheId, {
          ...branch,
          ...(treeUrl !== undefined && { tree_url: treeUrl }),
          ...(commitUrl !== undefined && { commit_url: commitUrl }),
          ...(gitInfo?.provider !== undefined && { provider: gitInfo.provider }),
        }),
      )
  const commitMessage = 'commitMessage' in body ? body.commitMessage : undefined
  await queueGitOperation(context, space, direction, {
    request: { ...target, force, standalone, commitMessage, isTimed: event !== undefined, anyBranch },
    credentials: remote.credentials ? sealer.seal(JSON.stringify(remote.credentials)) : null,
    // Normalized, because timestamps are compared as strings.
    eventAt: event === undefined ? now() : timestamp(Date.parse(event)),
    createdBy: principal.user.id,
  })
  await recordEventAbout(context, 'space', space, direction === 'import' ? 'git.import' : 'git.export', {
    after: { ...branch, force, standalone },
  })
}

/** Returns the connection for a request: updated by the request, or unchanged for callers who may not change it. */
async function prepareConnection(
  context: SpaceContext,
  cacheId: string | undefined,
  requested: ConnectionFields,
): Promise<Connection> {
  const cache = cacheId !== undefined && { cache_id: cacheId }
  if (mayConnect(context.role)) return saveConnection(context, { ...requested, ...cache })
  const connection = assertUnchanged(await store.findGitConnection(context.db, context.space), requested)
  return { ...connection, ...cache }
}

type ConnectionValues = Partial<Omit<Connection, 'organization_id' | 'space_id' | 'id' | 'created_at' | 'updated_at'>>

/** Creates or updates the connection of a space. Another repository, branch or directory resets the sync state. */
export async function saveConnection(context: SpaceContext, values: ConnectionValues): Promise<Connection> {
  const existing = await store.findGitConnection(context.db, context.space)
  const saved = await writeConnection(context, existing, values)
  await recordSpaceEvent(context, context.space)
  await recordEventAbout(context, 'space', context.space, 'git.configure', {
    before: existing ? toAuditedSettings(existing) : {},
    after: { ...toAuditedSettings(saved), ...(values.credentials && { credentials: 'replaced' }) },
  })
  return saved
}

/** Returns the settings of a connection that the audit log compares, without its secrets. */
const toAuditedSettings = (connection: Connection) => ({
  url: connection.url,
  ref: connection.ref,
  directory: connection.directory,
  provider: connection.provider,
  treeURL: connection.tree_url,
  commitURL: connection.commit_url,
  commitMessage: connection.commit_message,
  importAfterPush: connection.imports_after_push === 1,
  exportAfterMerge: connection.exports_after_merge === 1,
  credentials: connection.credentials === null ? 'none' : 'stored',
})

async function writeConnection(
  context: SpaceContext,
  existing: Connection | undefined,
  values: ConnectionValues,
): Promise<Connection> {
  const { db, space, principal, newId, now } = context
  if (!existing) {
    const { url, ref } = values
    if (url === undefined) throw invalid('body.url', 'is required to create a connection')
    if (ref === undefined) throw invalid('body.ref', 'is required to create a connection')
    return store.insertGitConnection(db, {
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
      imports_after_push: toFlag(true),
      exports_after_merge: toFlag(false),
      webhook_secret: null,
      synced_revision_id: null,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
      newest_event_at: null,
      created_by: principal.user.id,
      created_at: now(),
      updated_at: now(),
      ...values,
      url,
      ref,
    })
  }
  const differs = (name: keyof ConnectionValues) => values[name] !== undefined && values[name] !== existing[name]
  const isOtherBranch = (['url', 'ref', 'directory'] as const).some(differs)
  // Published pages contain links to their source.
  if (isOtherBranch || differs('tree_url') || differs('provider')) {
    await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
  }
  // Credentials must not be used for another repository than the one they were given for.
  const cleared = values.url !== undefined &&
    values.url !== existing.url && { credentials: null, tree_url: null, commit_url: null, cache_id: null }
  return store.updateGitConnection(db, existing, {
    ...cleared,
    ...(isOtherBranch && {
      synced_revision_id: null,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
      newest_event_at: null,
    }),
    ...values,
    updated_at: now(),
  })
}

/** Parses the URL of a repository; errors refer to the field. */
export function parseRemoteField(field: string, url: string): GitRemote {
  return withFieldErrors(field, () => parseRemote(url))
}

/** Checks the full name of a branch against Git's rules; errors refer to the field. */
export function parseRefField(field: string, ref: string): string {
  withFieldErrors(field, () => checkRef(ref))
  return ref
}

function withFieldErrors<T>(field: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof GitError) throw invalid(field, error.message)
    throw error
  }
}

// oxlint-disable-next-line no-control-regex
const invalidSegment = /^(?:\.\.|\.git)$|[\\\u0000-\u001f]/i

/** Normalizes the directory of a repository, without slashes around it; errors refer to the field. */
export function parseDirectoryField(field: string, directory: string): string {
  const segments = directory.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.some((segment) => invalidSegment.test(segment)))
    throw invalid(field, 'must be a directory of the repository')
  return segments.join('/')
}
