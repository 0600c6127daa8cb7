import type { OpenAPISpec, OpenAPISpecSource } from '../../src/contract/openapi-spec.ts'
import { type Admin, waitUntil } from './server.ts'

/** Returns a small specification with one operation. */
export const petSpec = (title = 'Pets', more: Record<string, unknown> = {}) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths: { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } },
  ...more,
})

/** Waits until a specification is processed. */
export const waitForSpec = (
  { api, organizationId }: Pick<Admin, 'api' | 'organizationId'>,
  specSlug: string,
  processedAfter = '',
): Promise<OpenAPISpec> =>
  waitUntil(async () => {
    const spec = await api.getOpenApiSpecBySlug({ params: { organizationId, specSlug } })
    return spec.processingState === 'complete' && (spec.lastProcessedAt ?? '') > processedAfter && spec
  }, `the specification ${specSlug} is processed`)

/** Creates or replaces a specification and waits until it is processed. */
export async function putSpec(
  admin: Pick<Admin, 'api' | 'organizationId'>,
  specSlug: string,
  source: OpenAPISpecSource,
): Promise<OpenAPISpec> {
  const params = { organizationId: admin.organizationId, specSlug }
  await admin.api.createOrUpdateOpenApiSpecBySlug({ params, body: { source } })
  return waitForSpec(admin, specSlug)
}
