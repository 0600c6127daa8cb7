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
  const repliesBySocket = new Map<Socket, Set<ServerResponse>>()
  let isDraining = false
  server.on('connection', (socket) => {
    repliesBySocket.set(socket, new Set())
    socket.once('close', () => repliesBySocket.delete(socket))
  })
  server.prependListener('request', ({ socket }, reply) => {
    repliesBySocket.get(socket)?.add(reply)
    if (isDraining) requestConnectionClose(reply)
    reply.once('close', () => {
      repliesBySocket.get(socket)?.delete(reply)
      if (isDraining && repliesBySocket.get(socket)?.size === 0) socket.end()
    })
  })
  return {
    async drain(timeout) {
      isDraining = true
      const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()))
      for (const [socket, replies] of repliesBySocket) {
        if (replies.size === 0) socket.destroy()
        replies.forEach(requestConnectionClose)
      }
      const timer = setTimeout(() => server.closeAllConnections(), timeout)
      await closed
      clearTimeout(timer)
      // Ends the interval that checks the timeouts of requests, which otherwise keeps the server in memory.
      server.close()
    },
  }
}

/** Asks the client not to send its next request over this connection. */
function requestConnectionClose(reply: ServerResponse): void {
  if (!reply.headersSent) reply.setHeader('connection', 'close')
}
