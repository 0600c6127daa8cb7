import { type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface SmtpMessage {
  from: string
  recipients: string[]
  data: string
}

export interface SmtpServer {
  port: number
  messages: SmtpMessage[]
  /** Credentials that clients have sent. */
  logins: string[]
  /** Replies with which the next recipients are refused. */
  refusals: string[]
  stop(): Promise<void>
}

/** Starts an SMTP server that accepts messages with any credentials. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    converse(socket, smtp)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const smtp: SmtpServer = {
    port: (server.address() as AddressInfo).port,
    messages: [],
    logins: [],
    refusals: [],
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return smtp
}

/** Answers the commands of one connection, one line at a time. */
function converse(socket: Socket, smtp: SmtpServer): void {
  let buffer = ''
  let message: SmtpMessage = { from: '', recipients: [], data: '' }
  let isData = false
  const reply = (text: string) => socket.write(`${text}\r\n`)
  const answer = (line: string): unknown => {
    if (isData) {
      if (line !== '.') return (message.data += `${line.replace(/^\.\./, '.')}\r\n`)
      isData = false
      smtp.messages.push(message)
      message = { from: '', recipients: [], data: '' }
      return reply('250 Accepted')
    }
    const [command = ''] = line.toUpperCase().split(' ')
    const path = /<([^>]*)>/.exec(line)?.[1] ?? ''
    switch (command) {
      case 'EHLO':
        return reply('250-test\r\n250 AUTH PLAIN')
      case 'AUTH':
        smtp.logins.push(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString())
        return reply('235 Welcome')
      case 'MAIL':
        message.from = path
        return reply('250 OK')
      case 'RCPT': {
        const refusal = smtp.refusals.shift()
        if (refusal === undefined) message.recipients.push(path)
        return reply(refusal ?? '250 OK')
      }
      case 'DATA':
        isData = true
        return reply('354 Go on')
      case 'QUIT':
        reply('221 Bye')
        return socket.end()
      default:
        return reply('250 OK')
    }
  }
  reply('220 test ESMTP')
  socket.setEncoding('utf8').on('data', (part) => {
    buffer += String(part)
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      answer(line)
    }
  })
}
