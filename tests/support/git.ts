import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GitSyncState } from '../../src/contract/git-sync.ts'
import { readLive } from './content.ts'
import type { GitServer, TestRepository } from './git-server.ts'
import { type Person, type TestServer, waitUntil } from './server.ts'

export type EndedOperation = NonNullable<GitSyncState['operation']>

/** Returns the state of a space's Git synchronization. */
export const getGitInfo = ({ api }: Pick<Person, 'api'>, spaceId: string) =>
  api.getSpaceGitInfo({ params: { spaceId } })

/** Returns the Git operations of a space, newest first. */
export const listGitOperations = async ({ api }: Pick<Person, 'api'>, spaceId: string) =>
  (await api.listSpaceGitOperations({ params: { spaceId }, query: {} })).items

/** Waits until all Git operations of a space have ended; returns the last one. */
export async function waitForGitOperations({ api }: Pick<Person, 'api'>, spaceId: string): Promise<EndedOperation> {
  return waitUntil(async () => {
    const operations = await listGitOperations({ api }, spaceId)
    return operations.every(({ state }) => state !== 'running') ? operations[0] : undefined
  }, 'the operations with the repository have ended')
}

export interface SyncOptions {
  url?: string
  ref?: string
  repoProjectDirectory?: string
  repoTreeURL?: string
  repoCommitURL?: string
  repoCacheID?: string
  timestamp?: string
  force?: boolean
  standalone?: boolean
  gitInfo?: { provider?: 'github' | 'gitlab'; url?: string }
}

export const mainBranch = 'refs/heads/main'

/** Imports a repository and waits until the operation has ended. */
export async function importFrom(
  person: Pick<Person, 'api'>,
  spaceId: string,
  { url }: Pick<TestRepository, 'url'>,
  options: SyncOptions = {},
): Promise<EndedOperation> {
  await person.api.importGitRepository({ params: { spaceId }, body: { url, ref: mainBranch, ...options } })
  return waitForGitOperations(person, spaceId)
}

/** Exports to a repository and waits until the operation has ended. */
export async function exportTo(
  person: Pick<Person, 'api'>,
  spaceId: string,
  { url }: Pick<TestRepository, 'url'>,
  options: SyncOptions & { commitMessage?: string } = {},
): Promise<EndedOperation> {
  const body = { url, ref: mainBranch, commitMessage: 'Export', ...options }
  await person.api.exportToGitRepository({ params: { spaceId }, body })
  return waitForGitOperations(person, spaceId)
}

/** Files of a small manual in a repository, including a file that is not content. */
export const manualFiles = {
  'README.md': '# Home\n\nSee [the guide](guide/README.md).\n',
  'guide/README.md': '# Guide\n\n-   one\n-   two\n',
  'guide/install.md': '# Install\n\nRun it.\n',
  'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n',
  LICENSE: 'MIT\n',
}

/** Returns functions that read the content of a space by page path. */
export function createSpaceReader({ admin }: Pick<TestServer, 'admin'>, spaceId: string) {
  const params = { spaceId }
  const idAt = async (pagePath: string) =>
    (await admin.api.getPageByPath({ params: { spaceId, pagePath }, query: {} })).id
  return {
    idAt,
    markdownAt: async (path: string) => (await readLive(admin, spaceId, await idAt(path))).markdown,
    revision: async () => (await admin.api.getSpaceById({ params })).revision,
    titles: async () => (await admin.api.listPages({ params })).pages.map(({ title }) => title),
  }
}

/** Whether a request to a Git server is a push. */
export const isPush = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url?.endsWith('/git-receive-pack') === true

/** Holds back replies to matching requests until they are released; the server still executes the requests. */
export function holdReplies({ options }: GitServer, isHeld: (request: IncomingMessage) => boolean) {
  const held: (() => void)[] = []
  let count = 0
  let isReleased = false
  const sendOrHold = (words: () => void) => (isReleased ? words() : void held.push(words))
  options.intercept = (request, reply) => {
    if (isHeld(request)) {
      count++
      holdReply(reply, sendOrHold)
    }
    return false
  }
  return {
    /** Returns the number of held replies. */
    heldCount: () => count,
    release() {
      delete options.intercept
      isReleased = true
      for (const words of held.splice(0)) words()
    },
  }
}

function holdReply(reply: ServerResponse, sendOrHold: (words: () => void) => void): void {
  const [write, end] = [reply.write.bind(reply), reply.end.bind(reply)]
  Object.assign(reply, {
    write: (chunk: Uint8Array) => sendOrHold(() => write(chunk)),
    end: () => sendOrHold(() => end()),
  })
}
