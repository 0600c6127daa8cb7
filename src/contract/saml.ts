import { z } from 'zod'
import { operation } from './operation.ts'
import { RoleOrGuest } from './roles.ts'
import { Id, ListQuery, Timestamp, paginated } from './shared.ts'
import { Team } from './team.ts'

const Label = z.string().trim().min(1).max(30).describe('Name that people see when they sign in')
const EntityId = z.string().trim().max(1024)
const Certificate = z
  .string()
  .max(10_000)
  .describe(
    'Certificate in PEM format or its base64 text; several PEM certificates while the provider replaces its key',
  )

/** URL of an identity provider: people enter passwords there, so only this machine may use plain HTTP. */
export const ProviderUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .max(2048)
  .refine(
    (text) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?#]|$)/i.test(text),
    'must begin with https://',
  )
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not contain a user name')

export const SamlProvider = z
  .object({
    object: z.literal('saml-provider'),
    id: Id,
    label: z.string(),
    ssoURL: z.string().describe('URL to which people are sent to sign in; empty if it is not set yet'),
    entityID: z.string().describe('Name of the identity provider; empty if it is not set yet'),
    certificate: z.string().describe('Certificates in PEM format; empty if none is set yet'),
    defaultTeam: Team.optional(),
    defaultRole: RoleOrGuest.describe('Role of people who become members by signing in'),
    createdAt: Timestamp,
    status: z.enum(['active', 'pending']).describe('`pending` until `ssoURL`, `entityID` and `certificate` are set'),
    service: z.object({
      acsURL: z.string().describe('URL to which the identity provider posts its responses'),
      startURL: z.string().describe('URL at which people start to sign in'),
      entityID: z.string().describe('Name of this server for the identity provider, and the URL of its metadata'),
    }),
    certificateExpiresAt: Timestamp.optional().describe('Time at which the last of the certificates expires'),
    signRequests: z.boolean().describe('Whether requests to the identity provider are signed'),
    allowIdpInitiated: z.boolean().describe('Whether people may start to sign in at the identity provider'),
    logoutURL: z.string().optional().describe('URL that ends the session at the identity provider'),
    metadataURL: z.string().optional().describe('URL from which the metadata is read every day'),
    metadataCheckedAt: Timestamp.optional().describe('Time at which the metadata was last requested'),
    metadataError: z
      .string()
      .optional()
      .describe('Reason why the metadata could not be used at that time; the settings did not change'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'SAMLProvider' })
export type SamlProvider = z.infer<typeof SamlProvider>

/** Maximum length of the metadata of an identity provider. */
export const maxMetadataLength = 100_000

const SamlProviderFields = z
  .object({
    label: Label,
    entityID: EntityId,
    certificate: Certificate,
    ssoURL: ProviderUrl,
    defaultTeam: Id.nullable().describe('ID of the team of people who become members by signing in'),
    defaultRole: RoleOrGuest,
    metadata: z
      .string()
      .max(maxMetadataLength)
      .describe('Metadata of the identity provider as XML; sets `entityID`, `ssoURL`, `certificate` and `logoutURL`'),
    metadataURL: ProviderUrl.nullable().describe(
      'URL of the metadata, which is read every day; null stops this. If `metadata` is omitted, it is also read immediately, in the background',
    ),
    signRequests: z.boolean(),
    allowIdpInitiated: z.boolean(),
    logoutURL: ProviderUrl.nullable(),
  })
  .partial()

export const saml = {
  listSamlProvidersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/saml',
    summary: 'List the SAML providers of an organization',
    access: 'organization:admin',
    scope: 'unscoped',
    query: ListQuery,
    reply: paginated(SamlProvider),
  }),
  createOrganizationSamlProvider: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/saml',
    summary: 'Create a SAML provider',
    access: 'organization:admin',
    scope: 'unscoped',
    body: SamlProviderFields.required({ label: true }),
    status: 201,
    reply: SamlProvider,
    errors: [404, 409],
  }),
  readSamlMetadata: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/saml-metadata',
    summary: 'Read the metadata of an identity provider',
    description:
      'The server reads the URL once, and returns its content if it is metadata of an identity provider. Send it as `metadata` of a SAML provider.',
    access: 'organization:admin',
    scope: 'unscoped',
    readOnly: true,
    body: z.object({ url: ProviderUrl }),
    reply: z.object({ metadata: z.string() }).meta({ id: 'SAMLMetadata' }),
  }),
  getOrganizationSamlProviderById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Get a SAML provider',
    access: 'organization:admin',
    scope: 'unscoped',
    reply: SamlProvider,
    errors: [404],
  }),
  updateOrganizationSamlProvider: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Update a SAML provider',
    access: 'organization:admin',
    scope: 'unscoped',
    body: SamlProviderFields,
    reply: SamlProvider,
    errors: [404],
  }),
  deleteOrganizationSamlProvider: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Delete a SAML provider',
    description: 'Ends all sessions of people who signed in with it.',
    access: 'organization:admin',
    scope: 'unscoped',
  }),
  listSsoProviderLoginsInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sso',
    summary: 'List the ways to sign in to an organization',
    description:
      'Requires no token, because it is used before people sign in. The list of an unknown organization is empty.',
    access: 'public',
    scope: 'any',
    reply: z.object({ items: z.array(z.object({ id: Id, label: z.string(), startURL: z.string() })) }),
  }),
}
