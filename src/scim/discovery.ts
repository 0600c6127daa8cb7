import { maxPageSize } from './list.ts'
import {
  type ResourceSchema,
  groupSchema,
  groupSchemaId,
  octavoUserSchema,
  octavoUserSchemaId,
  userSchema,
  userSchemaId,
} from './schemas.ts'

const schemas = [userSchema, groupSchema, octavoUserSchema]

/** Returns the features of the protocol that this server supports (RFC 7643, section 5). */
export function presentServiceProviderConfig(baseUrl: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxPageSize },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'Token of the organization in the header `Authorization: Bearer <token>`',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  }
}

const resourceTypes = [
  {
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: userSchema.description,
    schema: userSchemaId,
    schemaExtensions: [{ schema: octavoUserSchemaId, required: false }],
  },
  {
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: groupSchema.description,
    schema: groupSchemaId,
    schemaExtensions: [],
  },
]

/** Returns the types of resources (RFC 7643, section 6). */
export function presentResourceTypes(baseUrl: string) {
  return resourceTypes.map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...type,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.id}` },
  }))
}

/** Returns the schemas of all resources (RFC 7643, section 7). */
export function presentSchemas(baseUrl: string) {
  return schemas.map((schema: ResourceSchema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }))
}
