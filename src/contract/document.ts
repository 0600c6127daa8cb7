import { z } from 'zod'
import { Id } from './shared.ts'

const space = Id.exactOptional().describe('ID of the space; defaults to the space that contains the reference')

export const FileRef = z.object({ kind: z.literal('file'), file: Id, space })
export const UrlRef = z.object({ kind: z.literal('url'), url: z.string() })
export const PageRef = z.object({ kind: z.literal('page'), page: Id, space })
export const TagRef = z.object({
  kind: z.literal('tag'),
  tag: z.string().describe('Slug of the tag'),
  space,
})

/** A reference in content. */
export const ContentRef = z
  .discriminatedUnion('kind', [
    FileRef,
    UrlRef,
    PageRef,
    z.object({ kind: z.literal('anchor'), anchor: z.string(), page: Id.exactOptional(), space }),
    z.object({ kind: z.literal('user'), user: Id }),
    z.object({ kind: z.literal('collection'), collection: Id }),
    z.object({ kind: z.literal('space'), space: Id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: Id, space }),
    TagRef,
    z.object({ kind: z.literal('openapi'), spec: z.string().describe('Slug or ID of an OpenAPI specification') }),
  ])
  .meta({ id: 'ContentRef' })
export type ContentRef = z.infer<typeof ContentRef>

/** A top-level block of a document. Only the outer fields are declared here; the content engine checks the rest. */
export interface DocumentBlock {
  object: 'block'
  type: string
}

const DocumentBlock: z.ZodType<DocumentBlock, DocumentBlock> = z
  .looseObject({ object: z.literal('block'), type: z.string() })
  .meta({ id: 'DocumentBlock' })

/** Maximum number of blocks that are validated; the content engine has a lower limit with a clearer error. */
const maxBlocks = 100_000

export interface JsonDocument {
  object: 'document'
  data: { schemaVersion?: number | undefined }
  nodes: readonly DocumentBlock[]
  meta?: { token?: string | undefined } | undefined
}

export const JsonDocument: z.ZodType<JsonDocument, JsonDocument> = z
  .object({
    object: z.literal('document'),
    data: z.looseObject({ schemaVersion: z.int().optional() }),
    nodes: z.array(DocumentBlock).max(maxBlocks),
    meta: z.object({ token: z.string().optional() }).optional(),
  })
  .meta({ id: 'JSONDocument' })

/** Maximum length of Markdown in UTF-16 code units. */
export const maxMarkdownLength = 1024 * 1024

/**
 * Content in a request: Markdown, a document, or nothing. Other fields are refused, because a document that was sent one
 * level too high would otherwise become empty content.
 */
export const DocumentBody = z
  .strictObject({ markdown: z.string().optional(), document: JsonDocument.optional() })
  .refine((body) => body.markdown === undefined || body.document === undefined, {
    path: ['document'],
    message: 'cannot be set together with `markdown`',
  })
  .meta({ id: 'DocumentBody', description: 'Either `markdown` or `document`; an empty object is an empty document' })
export type DocumentBody = z.infer<typeof DocumentBody>

/** Content in a reply, in the requested format. */
export const documentContentFields = { markdown: z.string().optional(), document: JsonDocument.optional() }

export const DocumentFormat = z.enum(['document', 'markdown'])
export type DocumentFormat = z.infer<typeof DocumentFormat>
