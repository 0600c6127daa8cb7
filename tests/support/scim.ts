import { type TestOrganization, makeOrganization } from './organization.ts'
import type { TestServer } from './server.ts'

/** Reply of the SCIM API. */
export interface ScimReply {
  status: number
  headers: Headers
  // Replies have many forms; tests compare them with `toMatchObject`.
  body: ScimBody
}

export interface ScimBody {
  id: string
  userName: string
  displayName: string
  active: boolean
  totalResults: number
  itemsPerPage: number
  Resources: ScimBody[]
  members: { value: string; display: string }[]
  scimType: string
  detail: string
}

export interface ScimClient {
  token: string
  get: (path: string, query?: Record<string, string>) => Promise<ScimReply>
  post: (path: string, body: unknown) => Promise<ScimReply>
  put: (path: string, body: unknown) => Promise<ScimReply>
  patch: (path: string, body: unknown) => Promise<ScimReply>
  delete: (path: string) => Promise<ScimReply>
}

/** Creates a client of the SCIM API of an organization. */
export function createScimClient(octavo: TestServer, organizationId: string, token: string): ScimClient {
  const send = async (method: string, path: string, body?: unknown): Promise<ScimReply> => {
    const reply = await octavo.fetch(`/scim/v2/${organizationId}${path}`, {
      method,
      token,
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/scim+json' },
      }),
    })
    const text = await reply.text()
    return {
      status: reply.status,
      headers: reply.headers,
      body: (text === '' ? {} : JSON.parse(text)) as ScimBody,
    }
  }
  return {
    token,
    get: (path, query) => send('GET', query ? `${path}?${new URLSearchParams(query).toString()}` : path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  }
}

/** Creates an organization with a SCIM token. */
export async function makeScimOrganization(
  octavo: TestServer,
  name?: string,
): Promise<TestOrganization & { scim: ScimClient }> {
  const organization = await makeOrganization(octavo, name)
  const { token } = await organization.owner.api.createScimToken({
    params: organization.params,
    body: { label: 'Identity provider' },
  })
  return { ...organization, scim: createScimClient(octavo, organization.params.organizationId, token) }
}

/** Returns the body of a PATCH request. */
export const patchOf = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

export const octavoUser = 'urn:ietf:params:scim:schemas:extension:octavo:2.0:User'
