import { z } from 'zod'
import { LocationList } from './links.ts'
import {
  OpenAPISpec,
  OpenAPISpecContent,
  OpenAPISpecRawContent,
  OpenAPISpecSlug,
  OpenAPISpecSource,
  OpenAPISpecVersion,
  OpenAPISpecVisibility,
} from './openapi-spec.ts'
import { operation } from './operation.ts'
import { ListQuery, paginated } from './shared.ts'

const read = { access: 'organization:listMembers', scope: 'openapi:read' } as const
const write = { access: 'organization:createOpenAPISpec', scope: 'openapi:write' } as const

const processing =
  'The specification is processed in the background: `processingState` becomes `complete` when processing has ended. If it fails, `lastProcessedErrors` contains the errors, and the last version remains in use.'

const slugOrId = 'The path contains the slug or the ID of the specification.'

export const openApiSpecs = {
  listOpenApiSpecs: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi',
    summary: 'List the OpenAPI specifications of an organization',
    description: 'Sorted by slug. Guests cannot see specifications.',
    ...read,
    query: ListQuery,
    reply: paginated(OpenAPISpec),
  }),
  createOpenApiSpec: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/openapi',
    summary: 'Create an OpenAPI specification',
    description: processing,
    ...write,
    body: z.object({ slug: OpenAPISpecSlug, source: OpenAPISpecSource }),
    status: 201,
    reply: OpenAPISpec,
    errors: [409],
  }),
  getOpenApiSpecBySlug: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}',
    summary: 'Get an OpenAPI specification',
    description: slugOrId,
    ...read,
    reply: OpenAPISpec,
  }),
  createOrUpdateOpenApiSpecBySlug: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/openapi/{specSlug}',
    summary: 'Create or replace an OpenAPI specification',
    description: `Returns 201 if the specification was created. If the URL is the same as before, it is fetched again. ${processing}`,
    ...write,
    body: z.object({ source: OpenAPISpecSource }),
    reply: OpenAPISpec,
    mayCreate: true,
    errors: [409],
  }),
  updateOpenApiSpecBySlug: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/openapi/{specSlug}',
    summary: 'Update the visibility of an OpenAPI specification',
    description: 'Everyone can read a public specification at `urls.published`, without a token.',
    ...write,
    body: z.object({ visibility: OpenAPISpecVisibility }),
    reply: OpenAPISpec,
    errors: [404],
  }),
  deleteOpenApiSpecBySlug: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/openapi/{specSlug}',
    summary: 'Delete an OpenAPI specification',
    description: 'Also deletes its versions.',
    ...write,
  }),
  listOpenApiSpecBacklinks: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/backlinks',
    summary: 'List the uses of an OpenAPI specification',
    description:
      'Returns the pages and reusable contents that contain an operation, webhook or schema of the specification, and the pages that are generated from it, in all spaces that the caller can see.',
    ...read,
    query: ListQuery,
    reply: LocationList,
    errors: [404],
  }),
  listOpenApiSpecVersions: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions',
    summary: 'List the versions of an OpenAPI specification',
    description: 'Sorted by creation time, newest first. The newest 100 versions are kept.',
    ...read,
    query: ListQuery,
    reply: paginated(OpenAPISpecVersion),
    errors: [404],
  }),
  getLatestOpenApiSpecVersion: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions/latest',
    summary: 'Get the latest version of an OpenAPI specification',
    ...read,
    reply: OpenAPISpecVersion,
    errors: [404],
  }),
  getLatestOpenApiSpecVersionContent: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions/latest/content',
    summary: 'Get the content of the latest version',
    ...read,
    reply: OpenAPISpecContent,
    errors: [404],
  }),
  getLatestOpenApiSpecVersionContentRaw: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions/latest/content/raw',
    summary: 'Get the source of the latest version',
    ...read,
    reply: OpenAPISpecRawContent,
    errors: [404],
  }),
  getOpenApiSpecVersionById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}',
    summary: 'Get a version of an OpenAPI specification',
    ...read,
    reply: OpenAPISpecVersion,
    errors: [404],
  }),
  getOpenApiSpecVersionContentById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content',
    summary: 'Get the content of a version',
    ...read,
    reply: OpenAPISpecContent,
    errors: [404],
  }),
}
