import type { Outside } from '../../content/repository/references.ts'
import type { GitProvider } from '../../contract/git-sync.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { Row } from '../../schema/tables.ts'
import { trailer } from './trailer.ts'

type Connection = Pick<Row<'git_connections'>, 'url' | 'ref' | 'provider' | 'directory' | 'tree_url' | 'commit_url'>

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '')

/** Returns the URL at which the files of a repository can be browsed: as configured, or as its host builds it. */
export function treeUrlOf(connection: Connection): string | undefined {
  if (connection.tree_url !== null) return connection.tree_url
  const site = siteOf(connection)
  return site && `${site.page}${site.isGitlab ? '/-' : ''}/tree/${encodeURI(branchOf(connection.ref))}`
}

function commitUrlOf(connection: Connection, oid: string): string | undefined {
  if (connection.commit_url !== null) return `${connection.commit_url.replace(/\/*$/, '/')}${oid}`
  const site = siteOf(connection)
  return site && `${site.page}${site.isGitlab ? '/-' : ''}/commit/${oid}`
}

/** Returns the service that hosts a repository: as configured, or guessed from the host name. */
export function providerOf({ provider, url }: Pick<Connection, 'provider' | 'url'>): GitProvider | undefined {
  if (provider !== null) return provider
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  if (/(^|\.)github\./.test(host)) return 'github'
  return /(^|\.)gitlab\./.test(host) ? 'gitlab' : undefined
}

/** Returns the page of a repository on a known host. */
function siteOf(connection: Pick<Connection, 'provider' | 'url'>): { page: string; isGitlab: boolean } | undefined {
  const provider = providerOf(connection)
  if (provider === undefined || !URL.canParse(connection.url)) return undefined
  const { origin, pathname } = new URL(connection.url)
  return { page: origin + pathname.replace(/\/+$/, '').replace(/\.git$/, ''), isGitlab: provider === 'gitlab' }
}

/** Known hosts, and the path at which each of them edits a file. */
const editors: readonly {
  isHost: (hostname: string) => boolean
  provider?: string
  edit: (ref: string, path: string) => string
}[] = [
  {
    isHost: (name) => /(^|\.)github\./.test(name),
    provider: 'github',
    edit: (ref, path) => `/edit/${ref}/${path}`,
  },
  {
    isHost: (name) => /(^|\.)gitlab\./.test(name),
    provider: 'gitlab',
    edit: (ref, path) => `/-/edit/${ref}/${path}`,
  },
  { isHost: (name) => name === 'bitbucket.org', edit: (ref, path) => `/src/${ref}/${path}?mode=edit` },
  {
    isHost: (name) => name === 'codeberg.org' || /(^|\.)(gitea|forgejo)\./.test(name),
    edit: (ref, path) => `/_edit/${ref}/${path}`,
  },
]

/** Returns the URL at which a file of a branch can be edited, if the host is known. */
export function editUrlOf({ tree_url: told, url, ref, provider }: Connection, path: string): string | undefined {
  // People edit files where they browse them, even if the server fetches from another URL.
  const address = told?.replace(/\/(?:-\/)?(?:tree|src|blob)\/.*$/, '') ?? url
  if (!URL.canParse(address) || !ref.startsWith('refs/heads/')) return undefined
  const { protocol, host, hostname, pathname } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const editor = editors.find((one) => (provider === null ? one.isHost(hostname) : one.provider === provider))
  const page = pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  const steps = path.split('/').map(encodeURIComponent).join('/')
  return editor && `${protocol}//${host}${page}${editor.edit(encodeURI(branchOf(ref)), steps)}`
}

/** Converts between paths and URLs of files in the repository that are not part of the content, if the host is known. */
export function outsideOf(connection: Connection): Outside | undefined {
  const url = treeUrlOf(connection)
  if (url === undefined) return undefined
  const prefix = url.replace(/\/*$/, '/')
  const { directory } = connection
  return {
    urlOf(path) {
      const whole = stepsOf(directory === '' ? path : `${directory}/${path}`)
      return whole && prefix + whole.map(encodeURIComponent).join('/')
    },
    pathOf(address) {
      if (!address.startsWith(prefix)) return undefined
      const path = decodeUrl(address.slice(prefix.length).replace(/[?#].*$/, ''))
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
function stepsOf(path: string): string[] | undefined {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps
}

/** Presents a commit as revisions contain it. */
export function toGitCommit(connection: Connection, oid: string, message: string): GitCommit {
  const url = commitUrlOf(connection, oid)
  const isOurs = trailer.isIn(message)
  return {
    oid,
    message: message.slice(0, maxMessageLength),
    createdByService: isOurs,
    createdByGitBook: isOurs,
    ...(url !== undefined && { url }),
    ref: connection.ref,
  }
}

const maxMessageLength = 10_000
