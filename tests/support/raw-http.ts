import { connect } from 'node:net'

export interface RawReply {
  status: number
  headers: Headers
  body: string
}

export interface RawRequest {
  method?: string
  version?: '1.0' | '1.1'
  /** Header lines as they are sent, besides `Connection: close`. */
  headers?: readonly string[]
  body?: string
}

/** Sends a request without normalizing its target or headers. Rejects if the connection ends without a reply. */
export async function sendRaw(
  server: string,
  target: string,
  { method = 'GET', version = '1.1', headers = [], body = '' }: RawRequest = {},
): Promise<RawReply> {
  const head = [`${method} ${target} HTTP/${version}`, ...headers, 'Connection: close', '', body].join('\r\n')
  const received = await exchange(server, head)
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (end < 0 || !status)
    throw new Error(`No reply to ${method} ${target.slice(0, 100)}: ${received.toString('latin1')}`)
  const given = new Headers()
  for (const line of lines) given.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  return { status, headers: given, body: received.subarray(end + 4).toString() }
}

/** Sends bytes and returns everything received until the server closes the connection. */
function exchange(server: string, sent: string): Promise<Buffer> {
  const { hostname, port } = new URL(server)
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(sent))
    socket.on('data', (bytes) => received.push(bytes))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(received)))
  })
}
