import type { AuditAction } from '../../contract/audit-actions.ts'
import { OpenAPISpecSlug, type OpenAPISpecContent, type OpenAPISpecSource } from '../../contract/openapi-spec.ts'
import { openApiSpecs } from '../../contract/openapi-specs.ts'
import { type AuditEventValues, recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { toAuditedUrl } from '../../domain/audit/audited-url.ts'
import { type FileServices, storeFiles, withChargedQuota } from '../../domain/files/store-file.ts'
import * as store from '../../domain/openapi/openapi-store.ts'
import { readDocumentText, readSourceText } from '../../domain/openapi/read-document.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { CreatedReply } from '../../kernel/created-reply.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { JsonText } from '../../kernel/json-text.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { timestamp } from '../../kernel/time.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'
import { listSpecBacklinks } from '../links/list-spec-backlinks.ts'
import { processSpecJob, refreshInterval } from './jobs.ts'
import { enqueueDependents, enqueueGeneratedPages } from './recompute.ts'
import { presentContent, presentSpec, presentVersion } from './present.ts'

/** A source whose text is stored. */
type StoredSource = Pick<store.SpecRow, 'source_url' | 'source_blob'>

type CreateInput = OperationInput<typeof openApiSpecs.createOpenApiSpec>
type ReplaceInput = OperationInput<typeof openApiSpecs.createOrUpdateOpenApiSpecBySlug>

export const openApiSpecRoutes = (services: FileServices) => {
  const readContent = async (
    { urls }: OrganizationContext,
    { spec, version }: SpecVersion,
  ): Promise<JsonText<OpenAPISpecContent>> => {
    const text = presentContent(spec, version, await readDocumentText(services.blobs, version), urls)
    return new JsonText(`${version.id} ${spec.slug} ${spec.visibility}`, text)
  }

  return implement(openApiSpecs, {
    async listOpenApiSpecs({ db, organization, urls, role }, { query }) {
      const after = decodeCursor(query.page, 1)
      return toPage(
        await store.findSpecs(db, organization.id, { after, limit: query.limit }),
        query,
        await store.countSpecs(db, organization.id),
        (spec) => [spec.slug],
        (spec) => presentSpec(spec, urls, role),
      )
    },

    createOpenApiSpec: withPreparation(
      (context: OrganizationContext, { body }: CreateInput) =>
        storeSpecSource(services, context.organization.id, body.source),
      async (context, { body }, source) => present(context, await createSpec(context, body.slug, source)),
    ),

    async getOpenApiSpecBySlug(context, { params }) {
      return present(context, await getSpec(context, params.specSlug))
    },

    createOrUpdateOpenApiSpecBySlug: withPreparation(
      async (context: OrganizationContext, { params, body }: ReplaceInput) => {
        await assertSlugIsUsable(context, params.specSlug)
        return storeSpecSource(services, context.organization.id, body.source)
      },
      async (context, { params }, source) => {
        const spec = await store.findSpec(context.db, context.organization.id, params.specSlug)
        return spec
          ? present(context, await replaceSource(context, spec, source))
          : new CreatedReply(present(context, await createSpec(context, params.specSlug, source)))
      },
    ),

    async updateOpenApiSpecBySlug(context, { params, body }) {
      const spec = await getSpec(context, params.specSlug)
      const values = { visibility: body.visibility, updated_at: context.now() }
      const updated = await store.updateSpec(context.db, spec, values)
      // Only public specifications have a link to the document.
      if (updated.visibility !== spec.visibility) await enqueueGeneratedPages(context, spec)
      await recordSpecEvent(context, spec, 'openapi.update', {
        before: { visibility: spec.visibility },
        after: { visibility: updated.visibility },
      })
      return present(context, updated)
    },

    async deleteOpenApiSpecBySlug(context, { params }) {
      const { db, organization, now } = context
      const spec = await store.findSpec(db, organization.id, params.specSlug)
      if (!spec) return
      await store.deleteSpec(db, spec, now())
      await recordSpecEvent(context, spec, 'openapi.delete')
      await enqueueDependents(context, spec)
    },

    async listOpenApiSpecBacklinks(context, { params, query }) {
      const { slug, id } = await getSpec(context, params.specSlug)
      return listSpecBacklinks(context, [slug, id], query)
    },

    async listOpenApiSpecVersions(context, { params, query }) {
      const { db, urls } = context
      const spec = await getSpec(context, params.specSlug)
      const after = decodeCursor(query.page, 1)
      return toPage(
        await store.findVersions(db, spec, { after, limit: query.limit }),
        query,
        await store.countVersions(db, spec),
        (version) => [version.id],
        (version) => presentVersion(spec, version, urls),
      )
    },

    async getLatestOpenApiSpecVersion(context, { params }) {
      const { spec, version } = await getLatestVersion(context, params.specSlug)
      return presentVersion(spec, version, context.urls)
    },

    async getLatestOpenApiSpecVersionContent(context, { params }) {
      return readContent(context, await getLatestVersion(context, params.specSlug))
    },

    async getLatestOpenApiSpecVersionContentRaw(context, { params }) {
      const { version } = await getLatestVersion(context, params.specSlug)
      return { text: await readSourceText(services.blobs, version), format: version.format }
    },

    async getOpenApiSpecVersionById(context, { params }) {
      const { spec, version } = await getVersion(context, params)
      return presentVersion(spec, version, context.urls)
    },

    async getOpenApiSpecVersionContentById(context, { params }) {
      return readContent(context, await getVersion(context, params))
    },
  })
}

const present = ({ urls, role }: OrganizationContext, spec: store.SpecRow) => presentSpec(spec, urls, role)

async function getSpec({ db, organization }: OrganizationContext, slugOrId: string): Promise<store.SpecRow> {
  const spec = await store.findSpec(db, organization.id, slugOrId)
  if (!spec) throw notFound('specification')
  return spec
}

interface SpecVersion {
  spec: store.SpecRow
  version: store.SpecVersionRow
}

async function getLatestVersion({ db, organization }: OrganizationContext, slugOrId: string): Promise<SpecVersion> {
  const found = await store.findLatestVersion(db, organization.id, slugOrId)
  if (!found) throw notFound('version')
  return found
}

async function getVersion(
  context: OrganizationContext,
  { specSlug, versionId }: { specSlug: string; versionId: string },
): Promise<SpecVersion> {
  const spec = await getSpec(context, specSlug)
  const version = await store.findVersion(context.db, spec, versionId)
  if (!version) throw notFound('version')
  return { spec, version }
}

/** Stores the text of a source, before the transaction that refers to it. */
async function storeSpecSource(
  services: FileServices,
  organizationId: string,
  source: OpenAPISpecSource,
): Promise<StoredSource> {
  if ('url' in source) return { source_url: source.url, source_blob: null }
  const bytes = Buffer.from(source.text)
  const [stored] = await storeFiles(withChargedQuota(services, organizationId), [
    { bytes, name: 'openapi', declared: 'text/plain' },
  ])
  return { source_url: null, source_blob: stored?.blob ?? null }
}

/** Fails unless the path names an existing specification or contains a slug for a new one. */
async function assertSlugIsUsable({ db, organization }: OrganizationContext, slugOrId: string): Promise<void> {
  const { error } = OpenAPISpecSlug.safeParse(slugOrId)
  if (error && !(await store.findSpec(db, organization.id, slugOrId)))
    throw invalid('path.specSlug', error.issues[0]?.message ?? 'is not a valid slug')
}

/** Returns the values of a specification whose source was replaced. */
const toReplacedValues = ({ now }: OrganizationContext, source: StoredSource) => ({
  ...source,
  state: 'pending' as const,
  refresh_at: source.source_url === null ? null : timestamp(Date.parse(now()) + refreshInterval),
  updated_at: now(),
})

async function createSpec(context: OrganizationContext, slug: string, source: StoredSource): Promise<store.SpecRow> {
  const { db, organization, newId, now, enqueue } = context
  try {
    const spec = await store.insertSpec(db, {
      organization_id: organization.id,
      id: newId(),
      slug,
      visibility: 'private',
      version_id: null,
      error_code: null,
      errors: '[]',
      error_count: 0,
      source_revision: 1,
      processed_at: null,
      created_at: now(),
      ...toReplacedValues(context, source),
    })
    await enqueue(db, processSpecJob, { organizationId: organization.id, specId: spec.id })
    await recordSpecEvent(context, spec, 'openapi.create', { after: { source: describeSource(spec) } })
    return spec
  } catch (error) {
    throw isUniqueViolation(error, 'openapi_specs_slug')
      ? conflict(`A specification with the slug ${slug} already exists`)
      : error
  }
}

async function replaceSource(
  context: OrganizationContext,
  spec: store.SpecRow,
  source: StoredSource,
): Promise<store.SpecRow> {
  const { db, now, enqueue } = context
  if (spec.source_blob !== null && spec.source_blob !== source.source_blob)
    await recordUnusedBlobs(db, [spec.source_blob], now())
  const replaced = await store.updateSpec(db, spec, {
    ...toReplacedValues(context, source),
    source_revision: spec.source_revision + 1,
  })
  await enqueue(db, processSpecJob, { organizationId: spec.organization_id, specId: spec.id })
  await recordSpecEvent(context, spec, 'openapi.update', { after: { source: describeSource(replaced) } })
  return replaced
}

const describeSource = ({ source_url: url }: StoredSource): string => (url === null ? 'text' : toAuditedUrl(url))

async function recordSpecEvent(
  context: OrganizationContext,
  { organization_id, id, slug }: store.SpecRow,
  action: AuditAction,
  values?: AuditEventValues,
): Promise<void> {
  await recordEventAbout(context, 'openapi-spec', { organization_id, id, title: slug }, action, values)
  await store.recordSpecChange(context, { organization_id, id })
}
