import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Load {
  url: string
  token: string
  connections: number
  requests: number
  /** Sent with each, which are then POST. */
  body?: string
  /** Whether replies are taken compressed, as browsers take them, and must be. */
  isCompressed?: boolean
  /** After how many requests something is committed each time. */
  commitEvery?: number
}

/** How long one load may take before it counts as failed. */
const patience = 60_000

/** What the process that makes requests sends when it is time for a commit. */
const commitMessage = 'commit'

/** Starts the process that makes requests, so that its own work is not counted as the server's. */
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
 * Makes requests over connections that stay open, each sending the next when the reply to the last is there.
 * Written on bare sockets because a client that costs more than the server would leave the server idle in between.
 */
async function makeRequests({
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
  const talk = () =>
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
      let missing = 0
      socket.setNoDelay().setTimeout(patience, () => end(new Error(`${url} did not answer in time`)))
      socket.on('error', end)
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        if (missing === 0) missing = replyLength(chunk, isCompressed)
        missing -= chunk.length
        if (missing === 0) send()
        else if (!(missing > 0)) end(new Error(`${url} answered ${chunk.toString('latin1', 0, 200)}`))
      })
    })
  await Promise.all(Array.from({ length: connections }, talk))
}

/** How many bytes a reply has that starts with this chunk; NaN when it is not what was asked for or does not say its length. */
function replyLength(chunk: Buffer, isCompressed: boolean): number {
  const head = chunk.indexOf('\r\n\r\n')
  const text = chunk.toString('latin1', 0, head)
  if (head < 0 || !text.startsWith('HTTP/1.1 200')) return Number.NaN
  if (isCompressed && !/\r\ncontent-encoding: br/i.test(text)) return Number.NaN
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
}

if (process.argv[2] === 'load') {
  process.on('message', (load: Load) => {
    makeRequests(load).then(
      () => process.send?.(null),
      (error: unknown) => process.send?.(String(error)),
    )
  })
}
