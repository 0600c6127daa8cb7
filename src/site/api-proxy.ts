import { z } from 'zod'
import type { StoredSiteItem } from '../access/sites.ts'
import { walkBlocks } from '../content/document/walk.ts'
import { findOperation } from '../openapi/model.ts'
import { type BuiltRequest, InvalidValueError, buildRequest } from '../openapi/try-it/build-request.ts'
import { createTryItForm, isProxyEnabled } from '../openapi/try-it/create-form.ts'
import type { TryItForm } from '../openapi/try-it/form.ts'
import { isAllowedServer } from '../openapi/try-it/server-origins.ts'
import { errorReply } from './api-client.ts'
import { isFromSite } from './events.ts'
import type { SiteView, SpaceView } from './view.ts'
import type { OutputHandler } from './visit.ts'

// Sends requests of try-it panels to APIs that do not accept requests from the browser. The reader sends the values of the form; URL,
// method and names of headers come from the document of the operation, so that no other request can be sent.

const text = z.string()
const index = z.int().min(0)

const ProxyInput = z.object({
  page: text,
  spec: text,
  method: text,
  path: text,
  values: z.object({
    server: index,
    variables: z.record(text, text),
    security: index,
    credentials: z.record(text, z.object({ secret: text, username: text.optional() })),
    parameters: z.record(text, text),
    body: index,
    text,
    fields: z.record(text, text),
    /** The data of a file is base64. */
    files: z.record(text, z.array(z.object({ name: text, type: text, data: text }))),
  }),
})

type ProxyInput = z.infer<typeof ProxyInput>

/** Returns the URL of the endpoint for the pages of a site space. */
export const apiProxyUrlOf = ({ session }: SiteView, { id }: StoredSiteItem): string =>
  `${session.siteBase}~api-proxy/${id}`

/** Sends a request to an operation that a page shows, and returns the response as JSON. */
export const serveApiProxy: OutputHandler = async ({ view, request, limits, apiClient }, [itemId = '', ...rest]) => {
  const item = view.session.structure.get(itemId, 'space')
  if (!item || rest.length > 0) return undefined
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: '' }
  if (!isFromSite(request, view.session)) return errorReply(403, 'Requests are accepted only from pages of the site')
  const input = ProxyInput.safeParse(await request.json())
  if (!input.success) return errorReply(400, z.prettifyError(input.error))
  const space = await view.openItem(item)
  const form = space && (await findForm(space, input.data))
  if (!form) return errorReply(404, 'The page does not show this operation, or its document does not enable the proxy')
  const built = buildAllowedRequest(form, input.data)
  if (typeof built === 'string') return errorReply(422, built)
  return limits.runApiRequest(request.clientNetwork, view.session.site.organization_id, () => apiClient.send(built))
}

/** Returns the form of an operation if the visitor sees a page with it and its document enables the proxy. */
async function findForm(space: SpaceView, { page, spec, method, path }: ProxyInput): Promise<TryItForm | undefined> {
  const sitePage = (await space.findPagesById([page])).get(page)
  if (sitePage?.entry.type !== 'document') return undefined
  const document = await space.readDocument(sitePage.page)
  const isShown = Array.from(walkBlocks(document)).some(
    (block) =>
      block.type === 'openapi-operation' &&
      block.data.ref.spec === spec &&
      block.data.path === path &&
      block.data.method.toUpperCase() === method.toUpperCase(),
  )
  if (!isShown) return undefined
  const ref = { kind: 'openapi', spec } as const
  const found = (await space.loadSpecs([ref])).find(ref)
  const operation = found && findOperation(found, path, method)
  return operation && isProxyEnabled(operation) ? createTryItForm(operation) : undefined
}

/** Returns the request of entered values, or why it cannot be sent. */
function buildAllowedRequest(form: TryItForm, { values }: ProxyInput): BuiltRequest | string {
  const server = form.servers[values.server]
  if (!server || !isAllowedServer(server, values.variables))
    return 'The server or the value of one of its variables is not allowed'
  const files = Object.entries(values.files).map(([field, list]) => [
    field,
    list.map(({ name, type, data }) => new File([Buffer.from(data, 'base64')], name, { type })),
  ])
  try {
    return buildRequest(form, { ...values, files: Object.fromEntries(files) })
  } catch (error) {
    if (error instanceof InvalidValueError) return error.message
    throw error
  }
}
