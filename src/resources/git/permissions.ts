import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'

type Connection = Row<'git_connections'>

/** Branch and directory of a repository that an operation reads or writes. */
export type Branch = Pick<Connection, 'url' | 'ref' | 'directory'>

/** Fields of a connection that a request can change, with their names in the API. */
const fieldNames = {
  url: 'url',
  ref: 'ref',
  directory: 'repoProjectDirectory',
  tree_url: 'repoTreeURL',
  commit_url: 'repoCommitURL',
  provider: 'gitInfo.provider',
} as const

export type ConnectionFields = Partial<Pick<Connection, keyof typeof fieldNames>>

/** Whether a role may connect a space to a repository, change the connection, and use its credentials for other branches. */
export const mayConnect = (role: RoleOrGuest): boolean => isActionAllowed('space', 'installIntegration', role)

export function isSameBranch(one: Branch, other: Branch): boolean {
  return one.url === other.url && one.ref === other.ref && one.directory === other.directory
}

/** Returns the connection of a space; fails if there is none or if the request would change it. */
export function assertUnchanged(connection: Connection | undefined, requested: ConnectionFields): Connection {
  if (!connection) {
    throw forbidden('The space has no Git connection', 'Creating one', 'Without one, use a `standalone` import')
  }
  const names = Object.keys(fieldNames) as (keyof typeof fieldNames)[]
  const changed = names.filter((name) => requested[name] !== undefined && requested[name] !== connection[name])
  if (changed.length === 0) return connection
  throw forbidden(
    `${changed.map((name) => fieldNames[name]).join(', ')}: differs from the Git connection of the space`,
    'Changing the connection',
    'To use the existing connection, send the `repository`, `ref` and `projectDirectory` that git/info returns',
  )
}

/** Fails if a request without credentials would use those of the connection for another branch or directory. */
export function assertOwnCredentials(connection: Connection | undefined, branch: Branch): void {
  const usesStored = connection !== undefined && connection.credentials !== null && connection.url === branch.url
  if (!usesStored || isSameBranch(connection, branch)) return
  throw forbidden(
    'The stored credentials can be used only for the branch and directory of the connection',
    'Using them for others',
    'Alternatively, send your own credentials in `url`',
  )
}

const forbidden = (problem: string, what: string, hint: string) =>
  new AppError('forbidden', `${problem}. ${what} requires an administrator of the space (PATCH git/info). ${hint}`)
