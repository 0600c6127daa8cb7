import { type HttpBindings, getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type App, toLocalUrl } from './app.ts'
import { errorReply, toAppError } from '../http/errors.ts'
import { mountHealth } from '../http/health.ts'
import { AppError } from '../kernel/errors.ts'

/** Serves `/healthz`, `/readyz` and `/metrics` on a separate port, the only port of a process without API and sites. */
export async function startHealthPort(app: App, port: number): Promise<{ address: string; stop(): Promise<void> }> {
  const { config, log } = app
  let isOpen = true
  const http = new Hono<{ Bindings: HttpBindings }>()
  mountHealth(http, { ...app, metricsToken: config.metricsToken, isAccepting: () => isOpen })
  http.notFound(() =>
    toResponse(new AppError('notFound', 'Not found. This port serves only /healthz, /readyz and /metrics')),
  )
  http.onError((thrown) => toResponse(toAppError(thrown, log)))
  const handleRequest = getRequestListener(http.fetch)
  const server = createServer((incoming, outgoing) => void handleRequest(incoming, outgoing))
  await listen(server, port, config.host)
  const address = toLocalUrl(config.host, (server.address() as AddressInfo).port)
  log.debug('The health port listens', { address })
  return {
    address,
    async stop() {
      isOpen = false
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function toResponse(error: AppError): Response {
  const { status, headers, body } = errorReply(error, undefined)
  return new Response(body, { status, headers })
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}
