import { z } from 'zod'
import { operation } from './operation.ts'
import { Count, HttpUrl, Id, ListQuery, Timestamp, paginated } from './shared.ts'

export const importStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const

/** Maximum number of uploads in one import. */
export const maxImportFiles = 50

export const ImportSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('website'), url: HttpUrl.describe('URL of the page or directory to import') }),
    z.object({
      type: z.literal('file'),
      files: z
        .array(z.string().min(1).max(100))
        .min(1)
        .max(maxImportFiles)
        .describe('Keys of uploads: Markdown, HTML, or ZIP archives of them'),
    }),
  ])
  .meta({ id: 'ContentImportSource' })
export type ImportSource = z.infer<typeof ImportSource>

/** The source of an import in replies: also a template, which clients see as a source without files. */
export const ImportRunSource = z
  .union([
    ...ImportSource.options,
    z.object({
      type: z.literal('file'),
      files: z.array(z.string()).max(0),
      template: Id.describe('ID of the template that is applied'),
    }),
  ])
  .meta({ id: 'ContentImportRunSource' })
export type ImportRunSource = z.infer<typeof ImportRunSource>

export const ImportTarget = z
  .object({
    space: Id,
    changeRequest: z
      .string()
      .optional()
      .describe('ID of the change request to import into; without it, the content is imported into the space itself'),
    page: Id.optional().describe('Parent page of the imported pages; without it, they are appended at the top level'),
  })
  .meta({ id: 'ContentImportTarget' })
export type ImportTarget = z.infer<typeof ImportTarget>

export const ImportedPage = z
  .object({
    id: Id.optional().describe('Absent until the page is imported'),
    sourceURL: z.string().optional().describe('URL from which the page was read'),
    title: z.string().optional(),
    type: z.enum(['page', 'folder']),
    status: z.enum(['complete', 'pending']),
  })
  .meta({ id: 'ContentImportPage' })
export type ImportedPage = z.infer<typeof ImportedPage>

export const ImportWarning = z
  .object({
    url: z.string().optional().describe('URL that the warning is about'),
    file: z.string().optional().describe('Uploaded file that the warning is about'),
    line: z.int().optional(),
    message: z.string(),
  })
  .meta({ id: 'ContentImportWarning' })
export type ImportWarning = z.infer<typeof ImportWarning>

export const ImportRun = z
  .object({
    object: z.literal('import-run'),
    id: Id,
    status: z.enum(importStatuses),
    reason: z.string().optional().describe('Why the import failed'),
    source: ImportRunSource,
    target: ImportTarget,
    importedResources: Count.describe('Number of pages that were read'),
    totalResources: Count.describe('Number of pages that were found; may increase while the import runs'),
    revision: Id.optional().describe('ID of the revision that the import created'),
    pages: z.array(ImportedPage).optional().describe('Omitted in lists'),
    warningCount: Count,
    warnings: z
      .array(ImportWarning)
      .optional()
      .describe('Content that could not be imported unchanged; omitted in lists'),
    createdBy: Id.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ContentImportRun' })
export type ImportRun = z.infer<typeof ImportRun>

export const ContentImport = z.object({
  url: HttpUrl.describe('URL of the page or directory to import'),
  source: z.enum(['website']),
})
export type ContentImport = z.infer<typeof ContentImport>

export const ContentImportResult = z
  .object({
    revision: Id.describe('ID of the current revision'),
    importedResources: Count.describe('Number of imported pages'),
    totalResources: Count.describe('Number of pages that were found'),
  })
  .meta({ id: 'ContentImportResult' })
export type ContentImportResult = z.infer<typeof ContentImportResult>

const waitDescription =
  'Waits up to 50 seconds, or the time given in `Prefer: wait=<seconds>`. A longer import continues in the background: the reply then reports fewer imported pages than were found, and `Location` contains the URL of the import.'

export const imports = {
  importContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/import',
    summary: 'Import a website into a space',
    description: waitDescription,
    access: 'space:edit',
    scope: 'space:write',
    body: ContentImport,
    status: 201,
    reply: ContentImportResult,
    errors: [404, 409],
  }),
  importContentInChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/import',
    summary: 'Import a website into a change request',
    description: waitDescription,
    access: 'space:edit',
    scope: 'space:write',
    body: ContentImport,
    status: 201,
    reply: ContentImportResult,
    errors: [404, 409],
  }),
  listImportRuns: operation({
    method: 'GET',
    path: '/org/{organizationId}/imports',
    summary: 'List imports',
    description: 'Returns imports into spaces that the caller can see, newest first.',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery.extend({
      space: z.string().optional(),
      changeRequest: z.string().optional().describe('ID of a change request'),
      site: z.string().optional().describe('Only imports into spaces of this site'),
      status: z
        .enum(['active', ...importStatuses])
        .optional()
        .describe('`active` matches `pending` and `in-progress`'),
    }),
    reply: paginated(ImportRun),
  }),
  startImportRun: operation({
    method: 'POST',
    path: '/org/{organizationId}/imports',
    summary: 'Create an import',
    description:
      'Imports a website or uploaded files into a space or a change request. The import runs in the background; `Location` contains its URL. Content can be imported into a `locked` space only through a change request.',
    access: 'organization:view',
    scope: 'space:write',
    body: z.object({
      source: ImportSource,
      target: ImportTarget,
      site: z.string().optional().describe('Accepted; has no effect'),
      enhance: z.boolean().default(true).describe('Accepted; has no effect'),
    }),
    status: 201,
    reply: ImportRun,
    errors: [404, 409],
  }),
  getImportRun: operation({
    method: 'GET',
    path: '/org/{organizationId}/imports/{importRunId}',
    summary: 'Get an import',
    access: 'organization:view',
    scope: 'space:read',
    reply: ImportRun,
  }),
  cancelImportRun: operation({
    method: 'POST',
    path: '/org/{organizationId}/imports/{importRunId}/cancel',
    summary: 'Cancel an import',
    description: 'Discards everything that was imported. An import that has ended cannot be cancelled.',
    access: 'organization:view',
    scope: 'space:write',
    reply: ImportRun,
    errors: [404],
  }),
}
