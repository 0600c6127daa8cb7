import { z } from 'zod'
import { Count, HttpUrl, Id, Timestamp } from './shared.ts'

export const OpenAPISpecSlug = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must consist of lower-case letters and digits, in words that are separated by single hyphens',
  )
  .meta({ id: 'OpenAPISpecSlug' })

/** Maximum size in bytes of a file that is fetched; the strings of a request body have a lower limit. */
export const maxSpecSize = 16 * 1024 ** 2

export const OpenAPISpecSource = z
  .union([
    z.strictObject({ url: HttpUrl.describe('URL of the specification; it is fetched now and every six hours') }),
    z.strictObject({ text: z.string().min(1).describe('Specification as JSON or YAML, at most 8 MB') }),
  ])
  .meta({ id: 'OpenAPISpecSource' })
export type OpenAPISpecSource = z.infer<typeof OpenAPISpecSource>

export const OpenAPISpecVisibility = z.enum(['private', 'public']).meta({ id: 'OpenAPISpecVisibility' })
export type OpenAPISpecVisibility = z.infer<typeof OpenAPISpecVisibility>

export const OpenAPIProcessingState = z
  .enum(['pending', 'progress', 'complete'])
  .meta({ id: 'OpenAPISpecProcessingState' })
export type OpenAPIProcessingState = z.infer<typeof OpenAPIProcessingState>

export const OpenAPIErrorCode = z
  .enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])
  .meta({ id: 'OpenAPISpecProcessingErrorCode' })
export type OpenAPIErrorCode = z.infer<typeof OpenAPIErrorCode>

export const OpenAPIError = z
  .object({
    message: z.string().describe('What is wrong, with the file, line and path where this is known'),
    code: z.string().exactOptional(),
  })
  .meta({ id: 'OpenAPIErrorObject' })
export type OpenAPIError = z.infer<typeof OpenAPIError>

export const OpenAPISpec = z
  .object({
    object: z.literal('openapi-spec'),
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: z.string(),
    sourceURL: z.string().optional().describe('Absent if the specification was sent as text'),
    processingState: OpenAPIProcessingState.describe(
      'The last version remains in use until processing is `complete` without an error',
    ),
    visibility: OpenAPISpecVisibility,
    lastVersion: Id.optional().describe('ID of the latest version; absent until one was processed'),
    lastProcessedAt: Timestamp.optional(),
    lastProcessErrorCode: OpenAPIErrorCode.optional().describe('Absent if the last processing succeeded'),
    lastProcessedErrors: z.array(OpenAPIError).optional().describe('The first 100 problems'),
    lastProcessedErrorCount: Count.describe('Number of all problems'),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z
        .string()
        .optional()
        .describe('Public URL of the document; present only if the specification is public'),
    }),
  })
  .meta({ id: 'OpenAPISpec' })
export type OpenAPISpec = z.infer<typeof OpenAPISpec>

export const OpenAPISpecVersion = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: Id,
    createdAt: Timestamp,
    url: z.string().describe('URL of the content'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'OpenAPISpecVersion' })
export type OpenAPISpecVersion = z.infer<typeof OpenAPISpecVersion>

export const OpenAPISpecContent = z
  .object({
    filesystem: z
      .array(
        z.object({
          dir: z.string(),
          filename: z.string(),
          isEntrypoint: z.boolean(),
          references: z.array(z.string()),
          specification: z
            .record(z.string(), z.unknown())
            .describe('Document as OpenAPI 3.1 or newer, in which all references begin with `#`'),
        }),
      )
      .describe('One file, because the files of a specification are bundled'),
    urls: z.object({
      source: z.string().describe('URL of the source; of a text, the URL of the raw content'),
      public: z.string().nullable().describe('Public URL of the document; null if the specification is private'),
    }),
  })
  .meta({ id: 'OpenAPISpecContent' })
export type OpenAPISpecContent = z.infer<typeof OpenAPISpecContent>

export const OpenAPISpecRawContent = z
  .object({
    text: z.string().describe('Text of the first file, as it was sent or fetched'),
    format: z.enum(['json', 'yaml']),
  })
  .meta({ id: 'OpenAPISpecRawContent' })
export type OpenAPISpecRawContent = z.infer<typeof OpenAPISpecRawContent>
