import type { FileUrlMapping } from '../../content/repository/references.ts'
import type { GitProvider } from '../../contract/git-sync.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { Row } from '../../schema/tables.ts'
import { commitTrailer } from './commit-trailer.ts'

type Connection = Pick<Row<'git_connections'>, 'url' | 'ref' | 'provider' | 'directory' | 'tree_url' | 'commit_url'>

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '')

/** Returns the URL at which the files of a repository can be browsed: as configured, or as its host builds it. */
export function treeUrlOf(connection: Connection): string | undefined {
  if (connection.tree_url !== null) return connection.tree_url
  const repository = webRepositoryOf(connection)
  return repository && `${repository.url}${repository.isGitlab ? '/-' : ''}/tree/${encodeURI(branchOf(connection.ref))}`
}

function commitUrlOf(connection: Connection, oid: string): string | undefined {
  if (connection.commit_url !== null) return `${connection.commit_url.replace(/\/*$/, '/')}${oid}`
  const repository = webRepositoryOf(connection)
  return repository && `${repository.url}${repository.isGitlab ? '/-' : ''}/commit/${oid}`
}

/** Returns the service that hosts a repository: as configured, or guessed from the host name. */
export function providerOf({ provider, url }: Pick<Connection, 'provider' | 'url'>): GitProvider | undefined {
  if (provider !== null) return provider
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  if (/(^|\.)github\./.test(host)) return 'github'
  return /(^|\.)gitlab\./.test(host) ? 'gitlab' : undefined
}

/** Returns the page of a repository on a known host. */
function webRepositoryOf(
  connection: Pick<Connection, 'provider' | 'url'>,
): { url: string; isGitlab: boolean } | undefined {
  const provider = providerOf(connection)
  if (provider === undefined || !URL.canParse(connection.url)) return undefined
  const { origin, pathname } = new URL(connection.url)
  return { url: origin + pathname.replace(/\/+$/, '').replace(/\.git$/, ''), isGitlab: provider === 'gitlab' }
}

/** Known hosts, and the path at which each of them edits a file. */
const knownHosts: readonly {
  isHost: (hostname: string) => boolean
  provider?: string
  editPath: (ref: string, path: string) => string
}[] = [
  {
    isHost: (name) => /(^|\.)github\./.test(name),
    provider: 'github',
    editPath: (ref, path) => `/edit/${ref}/${path}`,
  },
  {
    isHost: (name) => /(^|\.)gitlab\./.test(name),
    provider: 'gitlab',
    editPath: (ref, path) => `/-/edit/${ref}/${path}`,
  },
  { isHost: (name) => name === 'bitbucket.org', editPath: (ref, path) => `/src/${ref}/${path}?mode=edit` },
  {
    isHost: (name) => name === 'codeberg.org' || /(^|\.)(gitea|forgejo)\./.test(name),
    editPath: (ref, path) => `/_edit/${ref}/${path}`,
  },
]

/** Returns the URL at which a file of a branch can be edited, if the host is known. */
export function editUrlOf({ tree_url: treeUrl, url, ref, provider }: Connection, path: string): string | undefined {
  // People edit files where they browse them, even if the server fetches from another URL.
  const repositoryUrl = treeUrl?.replace(/\/(?:-\/)?(?:tree|src|blob)\/.*$/, '') ?? url
  if (!URL.canParse(repositoryUrl) || !ref.startsWith('refs/heads/')) return undefined
  const { protocol, host, hostname, pathname } = new URL(repositoryUrl)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const knownHost = knownHosts.find((candidate) =>
    provider === null ? candidate.isHost(hostname) : candidate.provider === provider,
  )
  const repositoryPath = pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  const encodedPath = path.split('/').map(encodeURIComponent).join('/')
  return (
    knownHost && `${protocol}//${host}${repositoryPath}${knownHost.editPath(encodeURI(branchOf(ref)), encodedPath)}`
  )
}

/** Converts between paths and URLs of files in the repository that are not part of the content, if the host is known. */
export function createFileUrlMapping(connection: Connection): FileUrlMapping | undefined {
  const url = treeUrlOf(connection)
  if (url === undefined) return undefined
  const prefix = url.replace(/\/*$/, '/')
  const { directory } = connection
  return {
    urlOf(path) {
      const segments = splitPath(directory === '' ? path : `${directory}/${path}`)
      return segments && prefix + segments.map(encodeURIComponent).join('/')
    },
    pathOf(fileUrl) {
      if (!fileUrl.startsWith(prefix)) return undefined
      const path = decodeUrl(fileUrl.slice(prefix.length).replace(/[?#].*$/, ''))
      if (directory === '') return path
      const up = '../'.repeat(directory.split('/').length)
      return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : up + path
    },
  }
}

/** Decodes percent-encoding; returns the text unchanged if it is not valid. */
export function decodeUrl(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Splits a path into its names; undefined when it leaves the repository. */
function splitPath(path: string): string[] | undefined {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined
    } else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

/** Presents a commit as revisions contain it. */
export function toGitCommit(connection: Connection, oid: string, message: string): GitCommit {
  const url = commitUrlOf(connection, oid)
  const isExport = commitTrailer.isIn(message)
  return {
    oid,
    message: message.slice(0, maxMessageLength),
    createdByService: isExport,
    createdByGitBook: isExport,
    ...(url !== undefined && { url }),
    ref: connection.ref,
  }
}

const maxMessageLength = 10_000
