import { FetchError } from './errors.ts'
import { GitError, fromFetchError } from './git-error.ts'
import { type GitMachine, type GitResult, runGit } from './git-process.ts'
import type { GitRemote } from './git-remote.ts'
import { type GuardOptions, createGuard } from './guard.ts'
import { openProxy } from './proxy.ts'

export interface GitNetwork {
  guard: GuardOptions
  limits: { maxBytes: number; timeout: number }
  machine: GitMachine
  /** Path of the program that passes the credentials to Git. */
  askpass: string
}

export interface RemoteCommand {
  args: readonly string[]
  directory: string
  input?: Iterable<string>
  signal: AbortSignal
  config?: Record<string, string>
  environment?: Record<string, string>
}

/** Script for `GIT_ASKPASS`; it compares the host in the prompt, so that after a redirect another host gets no credentials. */
export const askpassScript = `#!/bin/sh
case "$1" in
"$OCTAVO_ASKS_USERNAME") printf '%s\\n' "$OCTAVO_USERNAME" ;;
"$OCTAVO_ASKS_PASSWORD" | "$OCTAVO_ASKS_PASSWORD_ENCODED") printf '%s\\n' "$OCTAVO_PASSWORD" ;;
*) exit 1 ;;
esac
`

/** Configuration of a partial clone: allows objects to be missing that the filter of a fetch omitted. */
export const partialCloneConfig = { 'remote.origin.promisor': 'true', 'remote.origin.partialCloneFilter': 'blob:none' }

/** Runs a command that connects to the remote `origin`; all connections use a guarded proxy created for this command. */
export async function runRemoteGit(network: GitNetwork, remote: GitRemote, command: RemoteCommand): Promise<GitResult> {
  const url = checkUrl(remote, network.guard)
  const proxy = await openProxy({ guard: network.guard, maxBytes: network.limits.maxBytes })
  try {
    const result = await runGit({
      ...command,
      machine: network.machine,
      timeout: network.limits.timeout,
      config: {
        'remote.origin.url': url.href,
        'http.proxy': proxy.url,
        'http.proxyAuthMethod': 'basic',
        'http.followRedirects': 'initial',
        ...command.config,
      },
      environment: {
        ...command.environment,
        GIT_ALLOW_PROTOCOL: 'http:https',
        GIT_ASKPASS: network.askpass,
        ...askpassEnvironment(url, remote),
      },
    })
    const proxyError = proxy.firstError()
    if (result.code !== 0 && proxyError) throw fromFetchError(proxyError)
    return { ...result, stderr: redactSecrets(result.stderr, remote) }
  } finally {
    await proxy.close()
  }
}

function checkUrl({ url }: GitRemote, guard: GuardOptions): URL {
  try {
    return createGuard(guard).check(url)
  } catch (error) {
    throw error instanceof FetchError ? fromFetchError(error) : new GitError('address', 'The URL is not valid')
  }
}

/** Minimum length of a secret to remove from messages; shorter ones could be ordinary words and reveal nothing by themselves. */
const minSecretLength = 6

/** Removes credentials from a text of the server, which may contain parts of the request. */
function redactSecrets(text: string, { credentials }: GitRemote): string {
  if (!credentials) return text
  const { username, password } = credentials
  const header = Buffer.from(`${username}:${password}`).toString('base64')
  return [header, password, encodeURIComponent(password), username, encodeURIComponent(username)]
    .filter((secret) => secret.length >= minSecretLength)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text)
}

function askpassEnvironment({ protocol, host }: URL, { credentials }: GitRemote): Record<string, string> {
  if (!credentials) return {}
  const { username, password } = credentials
  const passwordPrompt = (user: string) => `Password for '${protocol}//${user === '' ? '' : `${user}@`}${host}': `
  return {
    OCTAVO_ASKS_USERNAME: `Username for '${protocol}//${host}': `,
    OCTAVO_ASKS_PASSWORD: passwordPrompt(username),
    // Newer versions of Git percent-encode the user name in the prompt.
    OCTAVO_ASKS_PASSWORD_ENCODED: passwordPrompt(encodeURIComponent(username)),
    OCTAVO_USERNAME: username,
    OCTAVO_PASSWORD: password,
  }
}
