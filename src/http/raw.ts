import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../kernel/log.ts'
import { errorReply, toAppError } from './errors.ts'
import type { Http } from './road.ts'

export interface RawServices {
  log: Log
  download: (request: {
    spaceId: string
    hash: string
    expires: string
    signature: string
    range: string | undefined
    ifNoneMatch: string | undefined
    ifRange: string | undefined
    isHead: boolean
  }) => Promise<Response>
  upload: (request: {
    organizationId: string
    key: string
    expires: string
    signature: string
    body: AsyncIterable<Uint8Array>
  }) => Promise<void>
}

const signed = (c: Http) => ({ expires: c.req.query('expires') ?? '', signature: c.req.query('signature') ?? '' })

const cors = { 'access-control-allow-origin': '*' }

/** Bytes, which pass through without being held: downloads and uploads of files, at addresses that are signed. */
export function mountRaw(app: Hono<{ Bindings: HttpBindings }>, { log, download, upload }: RawServices): void {
  const answer = async (c: Http, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work()
    } catch (thrown) {
      const { status, headers, body } = errorReply(toAppError(thrown, log), c.req.header('accept'))
      return new Response(body, { status, headers: { ...headers, ...cors } })
    }
  }

  app.on(['GET', 'HEAD'], '/files/:spaceId/:hash/:name', (c) =>
    answer(c, () =>
      download({
        spaceId: c.req.param('spaceId'),
        hash: c.req.param('hash'),
        ...signed(c),
        range: c.req.header('range'),
        ifNoneMatch: c.req.header('if-none-match'),
        ifRange: c.req.header('if-range'),
        isHead: c.req.method === 'HEAD',
      }),
    ),
  )
  app.put('/uploads/:organizationId/:key', (c) =>
    answer(c, async () => {
      const { incoming } = c.env
      const { organizationId, key } = c.req.param()
      await upload({ organizationId, key, ...signed(c), body: incoming as AsyncIterable<Uint8Array> })
      return new Response(null, { status: 200, headers: cors })
    }),
  )
  app.options('/uploads/:organizationId/:key', () => {
    const allowed = { 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'Content-Type' }
    return new Response(null, { status: 204, headers: { ...cors, ...allowed } })
  })
}
