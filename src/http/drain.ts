import type { Server, ServerResponse } from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'

export interface Drain {
  /** Stops accepting connections, closes each one after its current replies, and closes the rest after the timeout. */
  drain(timeout: number): Promise<void>
}

/**
 * Prepares a server to stop without truncating replies. The `close` method of the server is not enough: it treats a
 * connection as idle when its reply is written but not sent, and keeps connections open that become idle later.
 */
export function createDrain(server: Server): Drain {
  const repliesOf = new Map<Socket, Set<ServerResponse>>()
  let isEnding = false
  server.on('connection', (socket) => {
    repliesOf.set(socket, new Set())
    socket.once('close', () => repliesOf.delete(socket))
  })
  server.prependListener('request', ({ socket }, reply) => {
    repliesOf.get(socket)?.add(reply)
    if (isEnding) announceEnd(reply)
    reply.once('close', () => {
      repliesOf.get(socket)?.delete(reply)
      if (isEnding && repliesOf.get(socket)?.size === 0) socket.end()
    })
  })
  return {
    async drain(timeout) {
      isEnding = true
      const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()))
      for (const [socket, replies] of repliesOf) {
        if (replies.size === 0) socket.destroy()
        replies.forEach(announceEnd)
      }
      const timer = setTimeout(() => server.closeAllConnections(), timeout)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Asks the client not to send its next request over this connection. */
function announceEnd(reply: ServerResponse): void {
  if (!reply.headersSent) reply.setHeader('connection', 'close')
}
