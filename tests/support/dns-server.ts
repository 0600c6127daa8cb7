import { createSocket } from 'node:dgram'
import { once } from 'node:events'

type Records = { cname?: string; txt?: string[] } | 'failing'

export interface DnsServer {
  /** IP address and port as in the configuration. */
  address: string
  /** Records by name; other names do not exist. */
  zone: Map<string, Records>
  stop(): Promise<void>
}

const types: Record<number, 'cname' | 'txt'> = { 5: 'cname', 16: 'txt' }
const responseCodes = { fine: 0, failed: 2, noSuchName: 3 }

/** Starts a name server on this machine whose records tests can set. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, Records>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query, 12)
    const records = zone.get(name)
    const type = query.readUInt16BE(end)
    const answers = records === undefined || records === 'failing' ? [] : encodeAnswers(records, type)
    const code =
      records === undefined
        ? responseCodes.noSuchName
        : records === 'failing'
          ? responseCodes.failed
          : responseCodes.fine
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(answers.length, 6)
    head.fill(0, 8)
    const question = query.subarray(12, end + 4)
    socket.send(Buffer.concat([head, question, ...answers.map((data) => encodeRecord(type, data))]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function encodeAnswers({ cname, txt = [] }: Exclude<Records, 'failing'>, type: number): Buffer[] {
  if (types[type] === 'cname') return cname === undefined ? [] : [writeName(cname)]
  return types[type] === 'txt' ? txt.map(encodeString) : []
}

/** Returns a record for the name of the question, with a TTL of 0. */
function encodeRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const encodeString = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])

const writeName = (name: string) => Buffer.concat([...name.split('.').map(encodeString), Buffer.from([0])])

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
