import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Load {
  url: string
  token: string
  connections: number
  requests: number
  /** Body of each request; if set, the requests are POST. */
  body?: string
  /** Whether replies must be compressed, as browsers request them. */
  isCompressed?: boolean
  /** Number of requests between commits. */
  commitEvery?: number
}

/** Timeout of a load in milliseconds. */
const timeout = 60_000

/** Message of the load process that requests a commit. */
const commitMessage = 'commit'

/** Starts the process that sends requests, so that its CPU time is not counted as the server's. */
export function startLoad(): { run(load: Load, commit?: () => Promise<void>): Promise<void>; stop(): void } {
  const child = fork(fileURLToPath(import.meta.url), ['load'])
  return {
    async run(load, commit) {
      let commits = Promise.resolve()
      const failure = await new Promise<string | null>((resolve) => {
        const receive = (message: string | null) => {
          if (message === commitMessage) {
            commits = commits.then(commit)
            return
          }
          child.off('message', receive)
          resolve(message)
        }
        child.on('message', receive)
        child.send(load)
      })
      await commits
      if (failure !== null) throw new Error(failure)
    },
    stop: () => child.disconnect(),
  }
}

/**
 * Sends requests over keep-alive connections, each of which sends the next request after the last reply. Uses bare sockets,
 * because a client that needs more CPU time than the server would leave the server idle.
 */
async function sendRequests({
  url,
  token,
  connections,
  requests,
  body,
  isCompressed = false,
  commitEvery = Infinity,
}: Load): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url)
  const request = Buffer.from(
    [
      `${body === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
      ...(isCompressed ? ['Accept-Encoding: gzip, deflate, br'] : []),
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ].join('\r\n'),
  )
  let unsent = requests
  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      const end = (error?: Error) => {
        socket.destroy()
        if (error) reject(error)
        else resolve()
      }
      const send = () => {
        if (unsent-- <= 0) return end()
        if (unsent % commitEvery === 0) process.send?.(commitMessage)
        socket.write(request)
      }
      let missingBytes = 0
      socket.setNoDelay().setTimeout(timeout, () => end(new Error(`${url} did not answer in time`)))
      socket.on('error', end)
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        if (missingBytes === 0) missingBytes = replyLength(chunk, isCompressed)
        missingBytes -= chunk.length
        if (missingBytes === 0) send()
        else if (!(missingBytes > 0)) end(new Error(`${url} answered ${chunk.toString('latin1', 0, 200)}`))
      })
    })
  await Promise.all(Array.from({ length: connections }, runConnection))
}

/** Returns the length of a reply that starts with this chunk; NaN if it is not the expected reply or has no length. */
function replyLength(chunk: Buffer, isCompressed: boolean): number {
  const head = chunk.indexOf('\r\n\r\n')
  const text = chunk.toString('latin1', 0, head)
  if (head < 0 || !text.startsWith('HTTP/1.1 200')) return Number.NaN
  if (isCompressed && !/\r\ncontent-encoding: br/i.test(text)) return Number.NaN
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
}

if (process.argv[2] === 'load') {
  process.on('message', (load: Load) => {
    sendRequests(load).then(
      () => process.send?.(null),
      (error: unknown) => process.send?.(String(error)),
    )
  })
}
