import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Load } from './load.ts'

/** How long one load may take before it counts as failed. */
const patience = 60_000

/** Starts a process that asks for pages as browsers do: compressed, and over connections that stay open. */
export function startReaders(): { run(load: Load): Promise<void>; stop(): void } {
  const child = fork(fileURLToPath(import.meta.url), ['readers'])
  return {
    async run(load) {
      child.send(load)
      const [failure] = (await once(child, 'message')) as [string | null]
      if (failure !== null) throw new Error(failure)
    },
    stop: () => child.disconnect(),
  }
}

/** On bare sockets, as a client that costs more than the server would leave the server idle in between. */
async function read({ url, connections, requests }: Load): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const lines = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Accept-Encoding: gzip, deflate, br', '', '']
  const request = Buffer.from(lines.join('\r\n'))
  let unsent = requests
  const readOn = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      const end = (error?: Error) => {
        socket.destroy()
        if (error) reject(error)
        else resolve()
      }
      const send = () => (unsent-- > 0 ? socket.write(request) : end())
      let missing = 0
      socket.setNoDelay().setTimeout(patience, () => end(new Error(`${url} did not answer in time`)))
      socket.on('error', end)
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        if (missing === 0) missing = replyLength(chunk)
        missing -= chunk.length
        if (missing === 0) send()
        else if (!(missing > 0)) end(new Error(`${url} answered ${chunk.toString('latin1', 0, 200)}`))
      })
    })
  await Promise.all(Array.from({ length: connections }, readOn))
}

/** How many bytes a reply has that starts with this chunk; NaN when it is no compressed success that says its length. */
function replyLength(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n')
  const text = chunk.toString('latin1', 0, head)
  if (head < 0 || !text.startsWith('HTTP/1.1 200') || !/\r\ncontent-encoding: br/i.test(text)) return Number.NaN
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
}

if (process.argv[2] === 'readers') {
  process.on('message', (load: Load) => {
    read(load).then(
      () => process.send?.(null),
      (error: unknown) => process.send?.(String(error)),
    )
  })
}
