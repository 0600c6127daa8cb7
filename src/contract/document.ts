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

/** What content points at. */
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

/** A block at the top of a document. Only its outside is described here; the content engine checks what it holds. */
export interface DocumentBlock {
  object: 'block'
  type: string
}

const DocumentBlock: z.ZodType<DocumentBlock, DocumentBlock> = z
  .looseObject({ object: z.literal('block'), type: z.string() })
  .meta({ id: 'DocumentBlock' })

/** Maximum number of blocks that are looked at; the content engine has a lower limit, which it explains. */
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

/** How long Markdown may be, in UTF-16 units. */
export const maxMarkdown = 1024 * 1024

/**
 * The text of something as it is written: Markdown, a document, or (neither) nothing. Anything else in it is refused, as
 * a document that was sent one level too high would otherwise become an empty text.
 */
export const DocumentBody = z
  .strictObject({ markdown: z.string().optional(), document: JsonDocument.optional() })
  .refine((body) => body.markdown === undefined || body.document === undefined, {
    path: ['document'],
    message: 'cannot be set together with `markdown`',
  })
  .meta({ id: 'DocumentBody', description: 'Either `markdown` or `document`; an empty object is an empty document' })
export type DocumentBody = z.infer<typeof DocumentBody>

/** The text of something as it is read, in the format that was asked for. */
export const documentContent = { markdown: z.string().optional(), document: JsonDocument.optional() }

export const DocumentFormat = z.enum(['document', 'markdown'])
export type DocumentFormat = z.infer<typeof DocumentFormat>
