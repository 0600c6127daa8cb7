import type { Server, ServerResponse } from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'

export interface Drain {
  /** Takes no new connections, lets each that there is end with the replies under way on it, and cuts those that take too long. */
  end(patience: number): Promise<void>
}

/**
 * Prepares a server to be stopped without cutting a reply. Its own `close` counts a connection as idle from the moment
 * that a reply has been written, though not sent, and leaves one open that becomes idle later.
 */
export function drainOf(server: Server): Drain {
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
    async end(patience) {
      isEnding = true
      const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()))
      for (const [socket, replies] of repliesOf) {
        if (replies.size === 0) socket.destroy()
        replies.forEach(announceEnd)
      }
      const hurry = setTimeout(() => server.closeAllConnections(), patience)
      await closed
      clearTimeout(hurry)
    },
  }
}

/** Tells the other side not to send its next request over this connection. */
function announceEnd(reply: ServerResponse): void {
  if (!reply.headersSent) reply.setHeader('connection', 'close')
}
