import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { PageReply, PageRequest } from '../kernel/page-http.ts'
import type { BodyReader, BufferedBody } from './body.ts'
import { callerAddress, networkOf } from './caller-address.ts'

type Header = PageRequest['header']

export interface PageServices {
  bodies: BodyReader
  trustedProxies: number
  /** Returns the path of the server on its host, with a trailing slash. */
  basePath: () => string
  /** Returns the address that the client used, before proxies changed it. */
  toPublicUrl: (url: string, header: Header) => string
  /** Returns undefined when the address is not that of a page. */
  serve: (request: PageRequest) => Promise<PageReply | undefined>
}

/** Limits of submitted forms; a response of an identity provider is the largest of them. */
const bodyLimits = { maxBytes: 512 * 1024, maxValues: 5000 }

/** Mounts pages of the server itself that people sign in with. */
export function mountPages(app: Hono<{ Bindings: HttpBindings }>, services: PageServices): void {
  const { bodies, trustedProxies, basePath, toPublicUrl, serve } = services
  app.use('*', async (c, next) => {
    const header: Header = (name) => c.req.header(name)
    const url = new URL(toPublicUrl(c.req.url, header))
    const base = basePath()
    const clientAddress = callerAddress(c.env.incoming, trustedProxies)
    let body: BufferedBody | undefined
    const readBody = async () => (body ??= await bodies.read(c.env.incoming, bodyLimits))
    try {
      const reply = await serve({
        url,
        path: url.pathname.startsWith(base) ? url.pathname.slice(base.length - 1) : url.pathname,
        method: c.req.method,
        header,
        clientAddress,
        clientNetwork: networkOf(clientAddress),
        form: async () => new URLSearchParams((await readBody()).text()),
        json: async () => (await readBody()).json(),
      })
      if (!reply) return await next()
      const response = new Response(c.req.method === 'HEAD' ? null : reply.body, reply)
      for (const cookie of reply.cookies ?? []) response.headers.append('set-cookie', cookie)
      return response
    } finally {
      body?.release()
    }
  })
}
