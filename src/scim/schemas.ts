/** Definition of an attribute, as the Schemas endpoint returns it (RFC 7643, section 7). */
export interface AttributeDefinition {
  name: string
  type: 'string' | 'boolean' | 'reference' | 'complex'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite'
  returned: 'default' | 'request'
  uniqueness: 'none' | 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: readonly string[]
  subAttributes?: readonly AttributeDefinition[]
}

/** Schema of a resource, or of an extension of one. */
export interface ResourceSchema {
  id: string
  name: string
  description: string
  attributes: readonly AttributeDefinition[]
}

export const userSchemaId = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchemaId = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** Extension with the role of a user in Octavo. */
export const octavoUserSchemaId = 'urn:ietf:params:scim:schemas:extension:octavo:2.0:User'

/** Roles as SCIM names them; a guest is a member without a role. */
export const roleNames = ['guest', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const

function attribute(
  name: string,
  description: string,
  more: Partial<Omit<AttributeDefinition, 'name' | 'description'>> = {},
): AttributeDefinition {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

const externalId = attribute('externalId', 'Identifier of the resource at the identity provider', { caseExact: true })

const userAttributes: readonly AttributeDefinition[] = [
  attribute('userName', 'Name of the user at the identity provider; unique in the organization', {
    required: true,
    uniqueness: 'server',
  }),
  externalId,
  attribute('name', 'Parts of the name of the user', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'Full name'),
      attribute('familyName', 'Family name'),
      attribute('givenName', 'Given name'),
    ],
  }),
  attribute('displayName', 'Name that is shown to others'),
  attribute('emails', 'Email addresses; the primary one is stored', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Email address'),
      attribute('type', 'Kind of the address', { canonicalValues: ['work', 'home', 'other'] }),
      attribute('primary', 'Whether it is the primary address', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the user has access to the organization', { type: 'boolean' }),
  attribute('roles', 'Role of the user in the organization; the primary one is used', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Name of the role', { canonicalValues: roleNames }),
      attribute('type', 'Kind of the role'),
      attribute('primary', 'Whether it is the primary role', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'Groups that the user belongs to', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    returned: 'request',
    subAttributes: [
      attribute('value', 'Identifier of the group', { mutability: 'readOnly', caseExact: true }),
      attribute('$ref', 'URL of the group', { type: 'reference', referenceTypes: ['Group'], mutability: 'readOnly' }),
      attribute('display', 'Name of the group', { mutability: 'readOnly' }),
    ],
  }),
]

const groupAttributes: readonly AttributeDefinition[] = [
  attribute('displayName', 'Name of the group; unique in the organization', { required: true, uniqueness: 'server' }),
  externalId,
  attribute('members', 'Users in the group', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Identifier of the user', { caseExact: true }),
      attribute('$ref', 'URL of the user', { type: 'reference', referenceTypes: ['User'] }),
      attribute('display', 'Name of the user', { mutability: 'readOnly' }),
      attribute('type', 'Kind of the member', { canonicalValues: ['User'] }),
    ],
  }),
]

export const userSchema: ResourceSchema = {
  id: userSchemaId,
  name: 'User',
  description: 'Member of the organization',
  attributes: userAttributes,
}

export const groupSchema: ResourceSchema = {
  id: groupSchemaId,
  name: 'Group',
  description: 'Team of the organization',
  attributes: groupAttributes,
}

export const octavoUserSchema: ResourceSchema = {
  id: octavoUserSchemaId,
  name: 'Octavo user',
  description: 'Attributes of users that only Octavo has',
  attributes: [attribute('role', 'Role of the user in the organization', { canonicalValues: roleNames })],
}

/** Attributes of the body of a user; the extension is a complex attribute whose name is its schema. */
export const userBodyAttributes: readonly AttributeDefinition[] = [
  ...userAttributes,
  attribute(octavoUserSchemaId, octavoUserSchema.description, {
    type: 'complex',
    subAttributes: octavoUserSchema.attributes,
  }),
]

export const groupBodyAttributes = groupAttributes
