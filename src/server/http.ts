import { isSecureUrl, readCookie } from '../access/session-cookie.ts'
import { findSessionPrincipal } from '../access/sessions.ts'
import { type HttpBindings, getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import { type ServerResponse, createServer } from 'node:http'
import { type App, toLocalUrl } from './app.ts'
import type { Config } from './config.ts'
import { FormulaRenderer } from '../formulas/formulas.ts'
import { BodyReader } from '../http/body.ts'
import { Connections, connectionsCheckingInterval } from '../http/connections.ts'
import { createDrain } from '../http/drain.ts'
import { errorReply } from '../http/errors.ts'
import { mountApi } from '../http/mount-api.ts'
import { openApiDocument } from '../http/openapi.ts'
import { describeMetric } from '../http/metrics.ts'
import { mountPages } from '../http/pages.ts'
import { mountScim } from '../http/scim.ts'
import { mountServerPages } from '../http/server-pages.ts'
import { PublicAddress } from '../http/public-address.ts'
import { mountFileTransfers } from '../http/file-transfers.ts'
import { SiteMiddleware } from '../http/sites.ts'
import { BusyError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { seconds, timestamp } from '../kernel/time.ts'
import { downloadAuditEvents } from '../resources/audit/export.ts'
import { downloadFile } from '../resources/files/download.ts'
import { requestLinkedSpecs } from '../domain/openapi/linked-specs.ts'
import { requestPdf } from '../domain/pdf/request-pdf.ts'
import { downloadSiteImage } from '../resources/customization/images.ts'
import { downloadSpec } from '../resources/openapi/download.ts'
import { downloadPdf } from '../resources/pdf/download.ts'
import { scimRoutes } from '../resources/scim/routes.ts'
import { receiveUpload } from '../resources/files/uploads.ts'
import { createRoutes } from './routes.ts'
import { OidcClient } from '../sign-in/oidc/client.ts'
import { pageRoutes } from '../sign-in/routes.ts'
import { SignInServer } from '../sign-in/server.ts'
import { ImageResizer } from '../site/pictures/pictures.ts'
import { bareNotFoundReply } from '../site/not-found.ts'
import { contentAssetsAt, findAsset } from '../site/assets.ts'
import { ApiClient } from '../site/api-client.ts'
import { SiteLimits } from '../site/limits.ts'
import { ServerPages } from '../site/own/server-pages.ts'
import { SiteServer } from '../site/serve.ts'
import type { SiteViewContext } from '../site/view.ts'
import { warmUp } from '../site/warm-up.ts'

/** Maximum time for running requests to end when the server stops. */
const drainTimeout = seconds(8)

/**
 * Maximum number of connections that the system queues before the server accepts them; with fewer, a burst would wait
 * for a second.
 */
const backlog = 4096

export interface HttpRole {
  /** URL of the server as seen from this machine. */
  address: string
  stop(): Promise<void>
}

/** Fails when the port is in use. Called before the first start, which creates a token that is printed only once. */
export async function assertPortIsFree({ port, host }: Config): Promise<void> {
  const probe = createProbe().listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

/** Replies to a caller who has too many concurrent requests. */
function sendTooManyRequests(outgoing: ServerResponse): void {
  const error = new BusyError(
    'rateLimited',
    'Too many concurrent requests from your address. Send fewer requests at a time',
    1,
  )
  const { status, headers, body } = errorReply(error, undefined)
  outgoing.writeHead(status, { ...headers, connection: 'close' }).end(body)
}

/** Serves the API, published sites, or both on one port, depending on the roles of the process. */
export async function startHttp(app: App): Promise<HttpRole> {
  const { config, database, highlighter, log, metrics, urls } = app
  const stopping = new AbortController()

  const http = new Hono<{ Bindings: HttpBindings }>()
  const publicAddress = new PublicAddress(config)
  const bodies = new BodyReader({
    budget: config.bodyBudget,
    gracePeriod: config.bodyTimeout,
    trustedProxies: config.trustedProxies,
  })
  let ownHost = ''
  const siteContext = (): SiteViewContext => ({
    db: database.reader,
    now: () => timestamp(app.clock()),
    newId,
    urls,
    enqueue: app.queue.enqueue,
    openObjects: app.openObjects,
    signer: app.signer,
    sealer: app.sealer,
    log,
    client: undefined,
    documents: app.documents,
    requestLinkedSpecs: (organizationId, linked) => {
      requestLinkedSpecs({ ...app, enqueue: app.queue.enqueue }, organizationId, linked).catch((error: unknown) =>
        log.warn('A linked OpenAPI specification could not be requested', { error }),
      )
    },
  })
  const openApi = () => openApiDocument({ version: app.build.version, server: urls.api('') })
  const formulas = new FormulaRenderer()
  const ownPages = new ServerPages({
    context: siteContext,
    version: app.build.version,
    hasApp: config.roles.has('api'),
    document: openApi,
    highlighter,
  })
  const apiClient = new ApiClient(app.fetch)
  metrics.addGauge(() =>
    [
      describeMetric(
        'octavo_api_proxy_requests_total',
        'counter',
        'Requests of try-it panels sent to APIs, by result.',
      ),
      ...Object.entries(apiClient.counts).map(
        ([name, count]) => `octavo_api_proxy_requests_total{result="${name}"} ${count}`,
      ),
    ].join('\n'),
  )
  const sites =
    config.roles.has('site') &&
    new SiteServer({
      context: siteContext,
      now: app.clock,
      mark: () => database.mark(),
      transaction: database.transaction,
      findPrincipal: async (cookies) => {
        const token = readCookie(cookies, 'session', isSecureUrl(urls.plain('/')))
        return token === undefined
          ? undefined
          : findSessionPrincipal(database.reader, token, timestamp(app.clock()), config.sessionLifetimes)
      },
      renderers: { highlighter, formulas, embeds: app.embeds },
      requestPdf: (organizationId, source) =>
        requestPdf(app, { ...app, enqueue: app.queue.enqueue }, { organizationId }, source),
      apiClient,
      limits: new SiteLimits({
        rateLimit: config.siteRateLimit,
        apiRequestsPerMinute: config.apiProxyRateLimit,
        concurrency: config.siteConcurrency,
        eventsPerMinute: config.eventsRateLimit,
        now: app.clock,
      }),
    })
  const isServerHost = (url: string, header: (name: string) => string | undefined) =>
    publicAddress.isServerHost(url, header)
  const siteMiddleware = new SiteMiddleware({
    log,
    metrics,
    bodies,
    trustedProxies: config.trustedProxies,
    toPublicUrl: (url, header) => publicAddress.toPublicUrl(url, header),
    isServerHost,
    isApiHost: (host) => host === ownHost,
    findCachedReply: (request) => (sites ? sites.findCachedReply(request) : undefined),
    serve: async (request) => (sites && (await sites.serve(request))) || ownPages.serve(request),
    findAsset,
  })
  siteMiddleware.mount(http)
  if (config.roles.has('api')) {
    http.route(
      '/',
      mountApi({
        ...app,
        ...config,
        bodies,
        routes: createRoutes(app.build, {
          ...app,
          formulas,
          // Without the host, because the web app can also be opened as `localhost`.
          contentAssets: () => contentAssetsAt(new URL(urls.plain('/~assets/')).pathname),
        }),
        enqueue: app.queue.enqueue,
        stopping: stopping.signal,
      }),
    )
    mountScim(http, { ...app, ...config, bodies, routes: scimRoutes })
    const pictures = new ImageResizer()
    mountFileTransfers(http, {
      log,
      bodies,
      download: (request) => downloadFile({ ...app, pictures }, request),
      downloadPdf: (request) => downloadPdf({ ...app, pictures }, request, stopping.signal),
      downloadSpec: (request) => downloadSpec(app, request),
      downloadAuditEvents: (request) => downloadAuditEvents(app, request),
      downloadSiteImage: (request) => downloadSiteImage(app, request),
      upload: (request) => receiveUpload(app, request),
    })
  }
  if (config.roles.has('api')) {
    const signIn = new SignInServer(
      {
        ...app,
        enqueue: app.queue.enqueue,
        settings: {
          lifetimes: config.sessionLifetimes,
          methods: config.signInMethods,
          requestsPerMinute: config.rateLimit,
          hasMail: config.mail !== undefined,
        },
        oidc: new OidcClient({ ...app, providers: config.oidcProviders, fetch: app.operatorFetch }),
      },
      pageRoutes,
    )
    mountPages(http, {
      bodies,
      trustedProxies: config.trustedProxies,
      basePath: () => new URL(urls.plain('/')).pathname,
      toPublicUrl: (url, header) => publicAddress.toPublicUrl(url, header),
      serve: (request) => signIn.serve(request),
    })
  }
  mountServerPages(http, {
    ...app,
    metricsToken: config.metricsToken,
    isServerHost,
    openApi,
    isAccepting: () => !stopping.signal.aborted,
    notFoundPage: bareNotFoundReply,
  })

  const handleRequest = getRequestListener(http.fetch)
  const server = createServer({ connectionsCheckingInterval }, (incoming, outgoing) => {
    if (!connections.tryAcceptRequest(incoming, outgoing)) return sendTooManyRequests(outgoing)
    incoming.url = publicAddress.toRoutePath(incoming)
    const wasSent = siteMiddleware.sendCachedReply(incoming, outgoing)
    const handleUnlessSent = (isDone: boolean) => (isDone ? undefined : void handleRequest(incoming, outgoing))
    if (typeof wasSent === 'boolean') handleUnlessSent(wasSent)
    else void wasSent.then(handleUnlessSent)
  })
  const connections = new Connections(server, { ...config, log })
  const drain = createDrain(server)
  if (sites) warmUp()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: config.port, host: config.host, backlog }, resolve)
  })
  const address = toLocalUrl(config.host, (server.address() as AddressInfo).port)
  if (!config.url) urls.base = address
  ownHost = new URL(urls.base).host
  log.debug('The server listens', { address })
  return {
    address,
    async stop() {
      stopping.abort()
      await drain.drain(drainTimeout)
      await formulas.close()
    },
  }
}
