import { GitError } from './git-error.ts'

export interface GitRemote {
  /** URL with http or https, without credentials. */
  url: string
  credentials?: GitCredentials | undefined
}

export interface GitCredentials {
  username: string
  password: string
}

/** Parses the URL of a repository and extracts its credentials. */
export function parseRemote(address: string): GitRemote {
  const url = URL.parse(address.trim())
  if (!url) throw new GitError('address', 'The URL of the repository is not valid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new GitError('address', 'The URL of a repository must begin with https:// or http://')
  const username = decodeCredential(url.username)
  const password = decodeCredential(url.password)
  url.username = ''
  url.password = ''
  url.hash = ''
  return { url: url.href, ...((username !== '' || password !== '') && { credentials: { username, password } }) }
}

function decodeCredential(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    // Git reads the credentials line by line.
    // oxlint-disable-next-line no-control-regex
    if (!/[\u0000-\u001f\u007f]/.test(plain)) return plain
  } catch {
    // The original error is dropped because it would contain the credentials.
  }
  throw new GitError('address', 'The credentials in the URL of the repository are not percent-encoded correctly')
}

/** Throws if a string is not the full name of a branch or tag, because Git would interpret it differently. */
export function checkRef(ref: string): void {
  // oxlint-disable-next-line no-control-regex
  const isName = /^refs\/(heads|tags)\/[^\u0000- ~^:?*[\\\u007f]+$/.test(ref)
  if (!isName || ref.length > 250 || /\/\.|\.\.|@\{|\/\/|[/.]$|\.lock(\/|$)/.test(ref))
    throw new GitError('noBranch', 'The branch name is not valid')
}
