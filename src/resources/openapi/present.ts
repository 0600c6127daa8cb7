import type { OpenAPISpec, OpenAPISpecVersion } from '../../contract/openapi-spec.ts'
import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import type { SpecRow, SpecVersionRow } from '../../domain/openapi/openapi-store.ts'
import { publicUrlOf } from '../../domain/openapi/public-url.ts'
import type { Urls } from '../../kernel/context.ts'

export function presentSpec(spec: SpecRow, urls: Urls, role: RoleOrGuest): OpenAPISpec {
  const errors = (JSON.parse(spec.errors) as string[]).map((message) => ({
    message,
    ...(spec.error_code !== null && { code: spec.error_code }),
  }))
  const path = pathOf(spec)
  const published = publicUrlOf(spec, urls)
  return {
    object: 'openapi-spec',
    id: spec.id,
    createdAt: spec.created_at,
    updatedAt: spec.updated_at,
    slug: spec.slug,
    ...(spec.source_url !== null && { sourceURL: spec.source_url }),
    processingState: spec.state,
    visibility: spec.visibility,
    ...(spec.version_id !== null && { lastVersion: spec.version_id }),
    ...(spec.processed_at !== null && { lastProcessedAt: spec.processed_at }),
    ...(spec.error_code !== null && { lastProcessErrorCode: spec.error_code }),
    ...(errors.length > 0 && { lastProcessedErrors: errors }),
    lastProcessedErrorCount: spec.error_count,
    permissions: { view: true, edit: isActionAllowed('organization', 'createOpenAPISpec', role) },
    urls: { location: urls.api(path), app: urls.app(path), ...(published !== null && { published }) },
  }
}

export function presentVersion(spec: SpecRow, version: SpecVersionRow, urls: Urls): OpenAPISpecVersion {
  const path = `${pathOf(spec)}/versions/${version.id}`
  return {
    object: 'openapi-spec-version',
    id: version.id,
    createdAt: version.created_at,
    url: urls.api(`${path}/content`),
    urls: { location: urls.api(path) },
  }
}

/** Returns the content of a version as JSON; the document is inserted as text, because it may be large. */
export function presentContent(spec: SpecRow, version: SpecVersionRow, document: string, urls: Urls): string {
  const source = version.source_url ?? urls.api(`${pathOf(spec)}/versions/latest/content/raw`)
  const addresses = JSON.stringify({ source, public: publicUrlOf(spec, urls) })
  return `{"filesystem":[{"dir":"./","filename":"openapi.json","isEntrypoint":true,"references":[],"specification":${document}}],"urls":${addresses}}`
}

const pathOf = ({ organization_id, slug }: SpecRow): string => `/orgs/${organization_id}/openapi/${slug}`
