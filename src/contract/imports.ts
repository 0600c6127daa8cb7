import { z } from 'zod'
import { operation } from './kit.ts'
import { Count, HttpUrl, Id, ListQuery, Timestamp, pageOf } from './shared.ts'

export const importStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const

/** How many uploads one import takes. */
export const maxImportFiles = 50

export const ImportSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('website'), url: HttpUrl.describe('The page or folder of the website to read') }),
    z.object({
      type: z.literal('file'),
      files: z
        .array(z.string().min(1).max(100))
        .min(1)
        .max(maxImportFiles)
        .describe('The keys of uploads: Markdown, HTML, or zip archives of them'),
    }),
  ])
  .meta({ id: 'ContentImportSource' })
export type ImportSource = z.infer<typeof ImportSource>

export const ImportTarget = z
  .object({
    space: Id,
    changeRequest: z.string().optional().describe('Without one, the content goes into the space itself'),
    page: Id.optional().describe('The page to import into; without one, pages come last at the top'),
  })
  .meta({ id: 'ContentImportTarget' })
export type ImportTarget = z.infer<typeof ImportTarget>

export const ImportedPage = z
  .object({
    id: Id.optional().describe('Absent until the page is imported'),
    sourceURL: z.string().optional().describe('Where it was read'),
    title: z.string().optional(),
    type: z.enum(['page', 'folder']),
    status: z.enum(['complete', 'pending']),
  })
  .meta({ id: 'ContentImportPage' })
export type ImportedPage = z.infer<typeof ImportedPage>

export const ImportWarning = z
  .object({
    url: z.string().optional().describe('What was read on the web'),
    file: z.string().optional().describe('What was read in an upload'),
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
    reason: z.string().optional().describe('Why it failed'),
    source: ImportSource,
    target: ImportTarget,
    importedResources: Count.describe('How many pages were read'),
    totalResources: Count.describe('How many pages were found; may grow while it runs'),
    revision: Id.optional().describe('The revision that the import made'),
    pages: z.array(ImportedPage).optional().describe('Not in lists'),
    warningCount: Count,
    warnings: z.array(ImportWarning).optional().describe('What could not be imported as it was; not in lists'),
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
  url: HttpUrl.describe('The page or folder of the website to read'),
  source: z.enum(['website']),
})
export type ContentImport = z.infer<typeof ContentImport>

export const ContentImportResult = z
  .object({
    revision: Id.describe('The active revision'),
    importedResources: Count.describe('How many pages were imported'),
    totalResources: Count.describe('How many pages were found'),
  })
  .meta({ id: 'ContentImportResult' })
export type ContentImportResult = z.infer<typeof ContentImportResult>

const waits =
  'Waits up to 50 seconds, or as long as `Prefer: wait=<seconds>` says. An import that takes longer goes on: then fewer resources are imported than there are, and `Location` names the run to follow.'

export const imports = {
  importContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/import',
    summary: 'Import a website into a space',
    description: waits,
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
    description: waits,
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
    summary: 'List the imports into spaces that one can see, the newest first',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery.extend({
      space: z.string().optional(),
      changeRequest: z.string().optional().describe('The id of a change request'),
      site: z.string().optional().describe('Of spaces that stand on this site'),
      status: z
        .enum(['active', ...importStatuses])
        .optional()
        .describe('`active` stands for `pending` and `in-progress`'),
    }),
    reply: pageOf(ImportRun),
  }),
  startImportRun: operation({
    method: 'POST',
    path: '/org/{organizationId}/imports',
    summary: 'Import a website or files into a space or a change request',
    description:
      'The import runs on its own: its state is at `Location`. Content of a `locked` space can be imported into change requests only.',
    access: 'organization:view',
    scope: 'space:write',
    body: z.object({
      source: ImportSource,
      target: ImportTarget,
      site: z.string().optional().describe('Accepted, without effect'),
      enhance: z.boolean().default(true).describe('Accepted, without effect'),
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
    description: 'Nothing of it remains. One that has ended cannot be cancelled any more.',
    access: 'organization:view',
    scope: 'space:write',
    reply: ImportRun,
    errors: [404],
  }),
}
