import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { createGit } from '../../src/fetch/git.ts'
import type { GuardOptions } from '../../src/fetch/guard.ts'

export interface GitServerOptions {
  /** Credentials required by basic authentication. */
  credentials?: { username: string; password: string }
  /** Whether clients may omit blobs; true by default. */
  filter?: boolean
  /** Whether only protocol version 0 is supported, in which only the tips of branches can be requested. */
  old?: boolean
  /** Handles a request instead of Git if it returns true. */
  intercept?: (request: IncomingMessage, reply: ServerResponse) => boolean
}

/** Text, or another kind of tree entry. */
export type FileContent =
  | string
  | Uint8Array
  | { link: string }
  | { executable: string }
  | { submodule: string }
  | undefined

/** HTTP server of Git repositories on this machine. */
export interface GitServer {
  /** Origin without credentials. */
  origin: string
  options: GitServerOptions
  /** Received requests in the form `GET /name.git/info/refs`. */
  requests: string[]
  /** Received authorization headers in order. */
  authorizations: string[]
  /** Returns the number of bytes sent in bodies. */
  sentBytes(): number
  repository(name: string, settings?: { objectFormat?: 'sha1' | 'sha256' }): TestRepository
  /** Creates a repository with a unique name, with these files if given. */
  newRepository(files?: Record<string, FileContent>): TestRepository
  close(): void
}

export interface TestRepository {
  url: string
  directory: string
  /** Commits files by path on top of a branch; undefined removes a file. Returns the id of the commit. */
  commit(files: Record<string, FileContent>, options?: { branch?: string; message?: string; orphan?: boolean }): string
  /** Commits all files of a local folder. */
  commitFolder(folder: string, options?: { branch?: string; message?: string }): string
  read(path: string, branch?: string): string
  /** Returns modes and paths, for example `100644 README.md`. */
  list(branch?: string): string[]
  /** Returns the first lines of commit messages, newest first. */
  log(branch?: string): string[]
  tip(branch?: string): string | undefined
  /** Installs a hook that rejects every push with this message. */
  refusePushes(words: string): void
  git(args: readonly string[], input?: string | Uint8Array): string
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

const serverEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...identity,
}

/** Starts a server that is closed when the test ends. */
export async function gitServerForTest(options: GitServerOptions = {}): Promise<GitServer> {
  const server = await startGitServer(options)
  onTestFinished(() => server.close())
  return server
}

export interface GitForTestOptions {
  guard?: GuardOptions
  maxBytes?: number
  timeout?: number
  environment?: Record<string, string | undefined>
}

/** Creates a Git client with a temporary folder that is removed when the test ends. */
export function gitForTest(options: GitForTestOptions = {}) {
  const {
    guard = { allowPrivateNetwork: true },
    maxBytes = 50_000_000,
    timeout = 20_000,
    environment = process.env,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'octavo-git-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { git: createGit({ folder: () => folder, environment, guard, limits: { maxBytes, timeout } }), folder }
}

export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'octavo-git-'))
  const requests: string[] = []
  const authorizations: string[] = []
  let sent = 0
  let repositories = 0

  const server = createServer((request, reply) => {
    requests.push(`${request.method} ${request.url}`)
    const { authorization } = request.headers
    if (authorization !== undefined) authorizations.push(authorization)
    if (options.intercept?.(request, reply)) return
    if (!isAuthorized(authorization, options)) {
      request.resume()
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="Git"' }).end()
      return
    }
    runBackend(root, options, request, reply, (bytes) => (sent += bytes))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const repository: GitServer['repository'] = (name, settings = {}) =>
    makeRepository(join(root, name), `${origin}/${name}`, settings)

  return {
    origin,
    options,
    requests,
    authorizations,
    sentBytes: () => sent,
    repository,
    newRepository(files = {}) {
      const made = repository(`repository-${repositories++}`)
      if (Object.keys(files).length > 0) made.commit(files)
      return made
    },
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function isAuthorized(authorization: string | undefined, { credentials }: GitServerOptions): boolean {
  if (!credentials) return true
  const { username, password } = credentials
  return authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Runs `git http-backend` as a CGI program. */
function runBackend(
  root: string,
  options: GitServerOptions,
  request: IncomingMessage,
  reply: ServerResponse,
  count: (bytes: number) => void,
) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://git')
  const { headers } = request
  const config = { 'uploadpack.allowFilter': String(options.filter ?? true), 'http.receivepack': 'true' }
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...serverEnvironment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: headers['content-length'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      ...(!options.old && { GIT_PROTOCOL: headers['git-protocol'] as string | undefined }),
      GIT_CONFIG_COUNT: String(Object.keys(config).length),
      ...Object.fromEntries(
        Object.entries(config).flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  backend.on('error', () => reply.destroy())
  backend.stdin.on('error', () => undefined)
  reply.on('close', () => backend.kill())
  request.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  backend.stdout.on('data', (chunk: Buffer) => {
    if (reply.headersSent) {
      count(chunk.length)
      reply.write(chunk)
      return
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const fields = head
      .subarray(0, end)
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = fields.find(([name]) => name === 'Status')?.[1]
    for (const [name, value] of fields) if (name !== 'Status') reply.setHeader(name, value)
    reply.writeHead(Number.parseInt(status ?? '200', 10))
    const body = head.subarray(end + 4)
    count(body.length)
    reply.write(body)
  })
  backend.stdout.on('end', () => (reply.headersSent ? reply.end() : reply.destroy()))
}

/** Folders of empty repositories. Copying one is faster than starting Git, which takes longer the more memory this process uses. */
const emptyRepositories = new Map<string, string>()

function emptyRepository(objectFormat: string): string {
  const known = emptyRepositories.get(objectFormat)
  if (known !== undefined) return known
  const directory = mkdtempSync(join(tmpdir(), 'octavo-empty-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const args = ['--quiet', '--bare', '--template=', `--object-format=${objectFormat}`, '--initial-branch=main']
  execFileSync('git', ['init', ...args, directory], { env: serverEnvironment, stdio: 'ignore' })
  emptyRepositories.set(objectFormat, directory)
  return directory
}

function makeRepository(
  directory: string,
  url: string,
  { objectFormat = 'sha1' }: { objectFormat?: 'sha1' | 'sha256' },
): TestRepository {
  let clock = 0

  function git(args: readonly string[], input?: string | Uint8Array): string {
    const date = `${1_700_000_000 + clock} +0000`
    return execFileSync('git', args, {
      env: { ...serverEnvironment, GIT_DIR: directory, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    }).toString()
  }

  function tip(branch = 'main'): string | undefined {
    const file = join(directory, 'refs', 'heads', branch)
    if (existsSync(file)) return readFileSync(file, 'utf8').trim()
    if (!existsSync(join(directory, 'packed-refs'))) return undefined
    return git(['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]).trim() || undefined
  }

  cpSync(emptyRepository(objectFormat), directory, { recursive: true })

  const repository: TestRepository = {
    url,
    directory,
    git,
    tip,
    commit(files, { branch = 'main', message = 'Change', orphan = false } = {}) {
      clock += 60
      const parent = orphan ? undefined : tip(branch)
      const time = `${1_700_000_000 + clock} +0000`
      const stream: Uint8Array[] = []
      const write = (text: string | Uint8Array) => stream.push(Buffer.from(text))
      const writeData = (bytes: string | Uint8Array) => {
        write(`data ${Buffer.from(bytes).length}\n`)
        write(bytes)
        write('\n')
      }
      write(`commit refs/heads/${branch}\nmark :1\ncommitter Ada <ada@example.com> ${time}\n`)
      writeData(message)
      if (parent !== undefined) write(`from ${parent}\n`)
      for (const [path, content] of Object.entries(files)) {
        const name = `"${path.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
        if (content === undefined) write(`D ${name}\n`)
        else if (typeof content === 'object' && 'submodule' in content) write(`M 160000 ${content.submodule} ${name}\n`)
        else {
          const [mode, bytes] = modeAndBytes(content)
          write(`M ${mode} inline ${name}\n`)
          writeData(bytes)
        }
      }
      write('get-mark :1\ndone\n')
      return git(['fast-import', '--quiet', '--force', '--done'], Buffer.concat(stream)).trim()
    },
    commitFolder(folder, options) {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
      const files = paths.map((path) => [relative(folder, path), readFileSync(path)] as const)
      return repository.commit(Object.fromEntries(files), options)
    },
    read: (path, branch = 'main') => git(['cat-file', 'blob', `refs/heads/${branch}:${path}`]),
    list: (branch = 'main') =>
      git(['ls-tree', '-r', '-z', `refs/heads/${branch}`])
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => `${line.slice(0, 6)} ${line.slice(line.indexOf('\t') + 1)}`),
    log: (branch = 'main') =>
      git(['log', '--format=%s', `refs/heads/${branch}`])
        .split('\n')
        .slice(0, -1),
    refusePushes(words) {
      mkdirSync(join(directory, 'hooks'), { recursive: true })
      const hook = `#!/bin/sh\nprintf '%s\\n' '${words.replaceAll("'", String.raw`'\''`)}' >&2\nexit 1\n`
      writeFileSync(join(directory, 'hooks', 'pre-receive'), hook, { mode: 0o755 })
    },
  }
  return repository
}

function modeAndBytes(content: Exclude<FileContent, { submodule: string } | undefined>): [string, string | Uint8Array] {
  if (typeof content === 'string' || content instanceof Uint8Array) return ['100644', content]
  return 'link' in content ? ['120000', content.link] : ['100755', content.executable]
}
