import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type {
  AuditDownloadRequest,
  DownloadRequest,
  ImageDownloadRequest,
  PdfDownloadRequest,
  SpecDownloadRequest,
  UploadRequest,
} from '../files/requests.ts'
import type { Log } from '../kernel/log.ts'
import type { BodyReader } from './body.ts'
import { connectionHeaders, errorReply, toAppError } from './errors.ts'
import type { HonoContext } from './pipeline.ts'

export interface FileTransferServices {
  log: Log
  bodies: BodyReader
  download: (request: DownloadRequest) => Promise<Response>
  downloadPdf: (request: PdfDownloadRequest) => Promise<Response>
  downloadSpec: (request: SpecDownloadRequest) => Promise<Response>
  downloadAuditEvents: (request: AuditDownloadRequest) => Response
  downloadSiteImage: (request: ImageDownloadRequest) => Promise<Response>
  upload: (request: UploadRequest) => Promise<void>
}

const signatureParams = (c: HonoContext) => ({
  expires: c.req.query('expires') ?? '',
  signature: c.req.query('signature') ?? '',
})

const transferHeaders = (c: HonoContext) => ({
  range: c.req.header('range'),
  ifNoneMatch: c.req.header('if-none-match'),
  ifRange: c.req.header('if-range'),
  isHead: c.req.method === 'HEAD',
})

const cors = { 'access-control-allow-origin': '*' }

/** Mounts the streamed downloads and uploads of files at signed addresses. */
export function mountFileTransfers(
  app: Hono<{ Bindings: HttpBindings }>,
  {
    log,
    bodies,
    download,
    downloadPdf,
    downloadSpec,
    downloadAuditEvents,
    downloadSiteImage,
    upload,
  }: FileTransferServices,
): void {
  const respond = async (c: HonoContext, handler: () => Promise<Response> | Response): Promise<Response> => {
    try {
      return await handler()
    } catch (thrown) {
      const { status, headers, body } = errorReply(toAppError(thrown, log), c.req.header('accept'))
      return new Response(body, { status, headers: { ...headers, ...cors, ...connectionHeaders(c.env.incoming) } })
    }
  }
  app.on(['GET', 'HEAD'], '/files/:spaceId/:hash/:name', (c) =>
    respond(c, () =>
      download({
        spaceId: c.req.param('spaceId'),
        hash: c.req.param('hash'),
        ...signatureParams(c),
        width: c.req.query('width'),
        ...transferHeaders(c),
      }),
    ),
  )
  app.on(['GET', 'HEAD'], '/pdf/:organizationId/:key/:name', (c) =>
    respond(c, () =>
      downloadPdf({
        organizationId: c.req.param('organizationId'),
        key: c.req.param('key'),
        ...signatureParams(c),
        ...transferHeaders(c),
        acceptsHtml: c.req.header('accept')?.includes('text/html') === true,
      }),
    ),
  )
  app.on(['GET', 'HEAD'], '/openapi/:organizationId/:name', (c) =>
    respond(c, () =>
      downloadSpec({ organizationId: c.req.param('organizationId'), name: c.req.param('name'), ...transferHeaders(c) }),
    ),
  )
  app.on(['GET', 'HEAD'], '/audit-exports/:organizationId/:key/:name', (c) =>
    respond(c, () =>
      downloadAuditEvents({
        organizationId: c.req.param('organizationId'),
        key: c.req.param('key'),
        ...signatureParams(c),
        isHead: c.req.method === 'HEAD',
      }),
    ),
  )
  app.on(['GET', 'HEAD'], '/site-images/:organizationId/:siteId/:name', (c) =>
    respond(c, () => downloadSiteImage({ ...c.req.param(), isHead: c.req.method === 'HEAD' })),
  )
  app.put('/uploads/:organizationId/:key', (c) =>
    respond(c, async () => {
      const { organizationId, key } = c.req.param()
      const length = c.req.header('content-length')
      const size = length === undefined ? undefined : Number(length)
      await upload({ organizationId, key, ...signatureParams(c), size, body: bodies.stream(c.env.incoming, Infinity) })
      return new Response(null, { status: 200, headers: cors })
    }),
  )
  app.options('/uploads/:organizationId/:key', () => {
    const allowed = { 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'Content-Type' }
    return new Response(null, { status: 204, headers: { ...cors, ...allowed } })
  })
}
