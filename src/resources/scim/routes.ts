import { notFound } from '../../kernel/errors.ts'
import { presentResourceTypes, presentSchemas, presentServiceProviderConfig } from '../../scim/discovery.ts'
import { presentError } from '../../scim/errors.ts'
import { presentList } from '../../scim/list.ts'
import type { ScimReply, ScimRoute } from '../../scim/route.ts'
import { groupRoutes } from './groups.ts'
import { userRoutes } from './users.ts'

const read = (name: string, path: string, handle: ScimRoute['handle']): ScimRoute => ({
  name,
  method: 'GET',
  path,
  isReadOnly: true,
  handle,
})

const listAll = (resources: readonly object[]): ScimReply => ({
  status: 200,
  body: presentList(resources, resources.length, 0),
})

/** Returns one of a few resources by its id, in any case. */
function findById(resources: readonly { id: string }[], id: string, kind: string): ScimReply {
  const found = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase())
  if (!found) throw notFound(kind)
  return { status: 200, body: found }
}

/** Returns the routes of one path that this server does not implement. */
const notImplemented = (path: string, detail: string): ScimRoute[] =>
  (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({
    name: 'scimNotImplemented',
    method,
    path,
    isReadOnly: true,
    handle: () => ({ status: 501, body: presentError(501, detail) }),
  }))

/** Operations of the SCIM API. */
export const scimRoutes: readonly ScimRoute[] = [
  read('scimGetServiceProviderConfig', '/ServiceProviderConfig', ({ baseUrl }) => ({
    status: 200,
    body: presentServiceProviderConfig(baseUrl),
  })),
  read('scimListResourceTypes', '/ResourceTypes', ({ baseUrl }) => listAll(presentResourceTypes(baseUrl))),
  read('scimGetResourceType', '/ResourceTypes/:id', ({ baseUrl }, { id }) =>
    findById(presentResourceTypes(baseUrl), id, 'resource type'),
  ),
  read('scimListSchemas', '/Schemas', ({ baseUrl }) => listAll(presentSchemas(baseUrl))),
  read('scimGetSchema', '/Schemas/:id', ({ baseUrl }, { id }) => findById(presentSchemas(baseUrl), id, 'schema')),
  ...userRoutes,
  ...groupRoutes,
  ...notImplemented('/Me', 'A SCIM token belongs to an organization and not to a user'),
  ...notImplemented('/Bulk', 'Bulk operations are not supported'),
]
