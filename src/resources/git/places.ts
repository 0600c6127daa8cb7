import type { Outside } from '../../content/repository/references.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { Row } from '../../storage/tables.ts'
import { trailer } from './trailer.ts'

type Connection = Pick<Row<'git_connections'>, 'url' | 'ref' | 'provider' | 'directory' | 'tree_url' | 'commit_url'>

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '')

/** Where the files of a repository can be looked at: as it was told, or as its host is known to do it. */
export function treeUrlOf({ tree_url: told, url, ref, provider }: Connection): string | undefined {
  if (told !== null) return told
  const site = siteOf(url, provider)
  return site && `${site.page}${site.isGitlab ? '/-' : ''}/tree/${encodeURI(branchOf(ref))}`
}

function commitUrlOf({ commit_url: told, url, provider }: Connection, oid: string): string | undefined {
  if (told !== null) return `${told.replace(/\/*$/, '/')}${oid}`
  const site = siteOf(url, provider)
  return site && `${site.page}${site.isGitlab ? '/-' : ''}/commit/${oid}`
}

/** The page of a repository on a host whose addresses are known. */
function siteOf(url: string, provider: string | null): { page: string; isGitlab: boolean } | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, hostname, pathname } = new URL(url)
  const isGitlab = provider === 'gitlab' || (provider === null && /(^|\.)gitlab\./.test(hostname))
  const isGithub = provider === 'github' || (provider === null && /(^|\.)github\./.test(hostname))
  if (!isGitlab && !isGithub) return undefined
  return { page: origin + pathname.replace(/\/+$/, '').replace(/\.git$/, ''), isGitlab }
}

/** The addresses of files that are not part of the content, when they are known. */
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
      const path = decoded(address.slice(prefix.length).replace(/[?#].*$/, ''))
      if (directory === '') return path
      const up = '../'.repeat(directory.split('/').length)
      return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : up + path
    },
  }
}

/** Without percent signs, where they are written as URLs demand. */
export function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** The folders of a path; undefined when it leads out of the repository. */
function stepsOf(path: string): string[] | undefined {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps
}

/** What a revision tells of its commit. */
export function commitToTell(connection: Connection, oid: string, message: string): GitCommit {
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
