import { z } from 'zod'
import { ComputedInput } from './computed.ts'
import { ContentRef, DocumentBody, TagRef } from './document.ts'
import { PageCover, PageLayout, PageMetaLinks, RevisionFile } from './revision.ts'
import { HttpUrl, Id, limitedRecord } from './shared.ts'

const maxChanges = 50
const maxFilesPerChange = 20
/** Maximum number of variables that one change sets. */
const maxVariables = 1000
const maxInlineBytes = 1024 * 1024

/** Maximum lengths of the title, description and similar texts of a page. */
export const maxPageFieldLength = { title: 1000, description: 10_000, emoji: 50, icon: 50, condition: 1024 }

const Title = z.string().min(1).max(maxPageFieldLength.title)
const Slug = z.string().max(100)
const Emoji = z.string().max(maxPageFieldLength.emoji).describe('An empty string removes the emoji')
const Icon = z.string().max(maxPageFieldLength.icon).describe('An empty string removes the icon')
const Condition = z
  .string()
  .max(maxPageFieldLength.condition)
  .describe('Expression that decides which visitors see it; an empty string removes the condition')

const SiblingIndex = z.int().min(0).describe('Zero-based position among the siblings')
const Ref = z
  .string()
  .min(1)
  .max(256)
  .describe(
    'Temporary name of the inserted item. Other changes of the same request can refer to it as `./<ref>.md` or, for files, `./<ref>`',
  )
const Parent = Id.nullable().describe('ID or `ref` of the parent page or group; null for the top level')
const TopLevelParent = z.null({ error: 'must be null: groups can only be at the top level' })
const PageId = Id.describe('ID of the page')

const VariableValue = z.union([z.string().max(256), z.number(), z.boolean()], {
  error: 'must be a string of at most 256 characters, a number or a boolean',
})
const VariableName = z.string().min(1).max(100)

const Tag = z
  .object({
    slug: z.string().min(1).max(100),
    label: z.string().min(1).max(100),
    color: z
      .enum([
        'default',
        'green',
        'blue',
        'red',
        'orange',
        'yellow',
        'purple',
        'pink',
        'violet',
        'cyan',
        '$primary',
        '$info',
        '$success',
        '$warning',
        '$danger',
        '$tint',
      ])
      .exactOptional(),
    emoji: z.string().min(1).max(50).exactOptional(),
    icon: z.string().min(1).max(50).exactOptional(),
  })
  .refine((tag) => tag.emoji === undefined || tag.icon === undefined, {
    path: ['icon'],
    message: 'cannot be set together with `emoji`',
  })

/** Fields that all kinds of pages share. */
const nodeFields = {
  linkTitle: z.string().min(1).max(100).nullable().describe('Shorter title for links; null removes it'),
  emoji: Emoji,
  icon: Icon,
  hidden: z.boolean().describe('Whether to omit it from the navigation; it remains accessible'),
  condition: Condition,
}
const indexingFields = {
  noIndex: z.boolean().describe('Whether to exclude it from search'),
  noRobotsIndex: z.boolean().describe('Whether search engines are asked not to index it'),
}

const groupFields = z.object({ ...nodeFields, ...indexingFields, slug: Slug }).partial().shape
const linkFields = z.object(nodeFields).partial().shape
const pageFields = z
  .object({
    ...nodeFields,
    ...indexingFields,
    title: Title,
    slug: Slug.describe('Generated from the title when absent; must be unique among the siblings'),
    description: z.string().max(maxPageFieldLength.description),
    layout: PageLayout.partial().nullable().describe('Updates the given properties; null resets all'),
    cover: PageCover.extend({
      yPos: z.number().default(0),
      height: z.number().min(10).max(700).exactOptional(),
    })
      .nullable()
      .describe('null removes the cover'),
    tags: z
      .array(z.object({ tag: TagRef, primary: z.boolean().exactOptional() }))
      .max(100)
      .nullable()
      .describe('Replaces all tags; null removes all'),
    variables: limitedRecord(VariableName, VariableValue, maxVariables)
      .nullable()
      .describe('Replaces all variables; null removes all'),
    metaLinks: PageMetaLinks.nullable().describe('null removes the links'),
  })
  .partial().shape

const RevertedRevision = Id.optional()

const moveFields = { into: Parent.optional(), at: SiblingIndex.optional() }
const insertFields = { ...moveFields, ref: Ref.optional() }

const InsertedFile = z
  .object({
    ref: Ref.optional(),
    name: z.string().min(1).max(256),
    contentType: z
      .string()
      .max(255)
      .regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, 'must be a media type')
      .optional(),
    url: HttpUrl.optional().describe('Public URL from which the server fetches the file'),
    base64: z
      .base64({ error: 'must be a Base64 string' })
      .max(4 * Math.ceil(maxInlineBytes / 3), 'must decode to at most 1 MB')
      .optional()
      .describe('Base64-encoded bytes, at most 1 MB; requires `contentType`'),
    upload: z.string().max(256).optional().describe('`key` of a completed upload'),
  })
  .refine((file) => [file.url, file.base64, file.upload].filter((source) => source !== undefined).length === 1, {
    message: 'must have exactly one of `url`, `base64` and `upload`',
  })
  .refine((file) => file.base64 === undefined || file.contentType !== undefined, {
    path: ['contentType'],
    message: 'is required with `base64`',
  })

export const ContentChange = z
  .discriminatedUnion(
    'operation',
    [
      z.object({
        operation: z.literal('update_page'),
        page: PageId,
        document: DocumentBody.optional().describe(
          'Replaces the whole document. Front matter in Markdown also sets page fields',
        ),
        base: Id.optional().describe(
          'ID of the revision of the space, or of one of its change requests, in which `document` was edited. Changes of the page since then are merged with `document` by block. When both sides changed the same text, the reply is 409, its `details` contain the keys of the blocks, and nothing is changed. Without `base`, `document` replaces changes of others',
        ),
        computed: ComputedInput.nullable()
          .optional()
          .describe('Source of generated pages or content; null removes it from a page with a document'),
        ...pageFields,
        ...moveFields,
      }),
      z
        .object({
          operation: z.literal('insert_page'),
          type: z
            .enum(['document', 'computed'])
            .default('document')
            .describe('`computed` inserts a page that is replaced by pages generated from `computed`'),
          document: DocumentBody.optional().describe(
            'Content of the page, required unless it is computed. A title in Markdown (front matter or first heading) overrides `title`',
          ),
          computed: ComputedInput.optional().describe(
            'Source of generated pages. On a page with a document, they are below it; with `props.doc`, generated content follows the document',
          ),
          ...pageFields,
          ...insertFields,
        })
        .refine(({ type, document }) => type === 'computed' || document !== undefined, {
          path: ['document'],
          message: 'is required',
        }),
      z.object({ operation: z.literal('delete_page'), page: PageId }),
      z.object({
        operation: z.literal('revert_page'),
        page: PageId,
        revision: Id.optional().describe(
          'ID of the revision to restore; defaults to the revision from which the change request was created or last updated or, for a space, to its previous revision',
        ),
        block: z
          .array(z.string())
          .min(1)
          .max(1000)
          .optional()
          .describe('Restrict the change to the blocks with these keys'),
      }),
      z.object({
        operation: z.literal('insert_files'),
        files: z.array(InsertedFile).min(1).max(maxFilesPerChange),
      }),
      z.object({
        operation: z.literal('insert_group'),
        title: Title,
        ...groupFields,
        ...insertFields,
        into: TopLevelParent.optional(),
      }),
      z.object({
        operation: z.literal('update_group'),
        page: Id.describe('ID of the group'),
        title: Title.optional(),
        ...groupFields,
        ...moveFields,
        into: TopLevelParent.optional(),
      }),
      z.object({
        operation: z.literal('insert_link'),
        title: Title,
        target: ContentRef,
        ...linkFields,
        ...insertFields,
      }),
      z.object({
        operation: z.literal('update_link'),
        page: Id.describe('ID of the link'),
        title: Title.optional(),
        target: ContentRef.optional(),
        ...linkFields,
        ...moveFields,
      }),
      z.object({
        operation: z.literal('set_variables'),
        variables: limitedRecord(VariableName, VariableValue.nullable(), maxVariables).describe(
          'Sets the given variables; null removes one',
        ),
      }),
      z.object({
        operation: z.literal('insert_reusable_content'),
        title: Title,
        document: DocumentBody,
        ref: Ref.optional(),
      }),
      z.object({
        operation: z.literal('update_reusable_content'),
        reusableContent: Id,
        title: Title.optional(),
        document: DocumentBody.optional(),
        base: Id.optional().describe('Like `base` of `update_page`'),
      }),
      z.object({ operation: z.literal('delete_reusable_content'), reusableContent: Id }),
      z.object({
        operation: z.literal('revert_reusable_content'),
        reusableContent: Id,
        revision: RevertedRevision.describe(
          'ID of the revision to restore, which must contain the reusable content; defaults as for `revert_page`',
        ),
      }),
      z.object({
        operation: z.literal('set_tags'),
        tags: z.array(Tag).max(1000).describe('Replaces all tags of the space'),
      }),
      z
        .object({
          operation: z.literal('update_file'),
          file: Id,
          name: InsertedFile.shape.name.optional(),
          upload: InsertedFile.shape.upload.describe(
            '`key` of a completed upload that replaces the content. Pages that use the file show the new content',
          ),
        })
        .refine(({ name, upload }) => name !== undefined || upload !== undefined, {
          path: ['name'],
          message: 'is required without `upload`',
        }),
      z.object({
        operation: z.literal('revert_files'),
        files: z.array(Id).min(1).max(1000),
        revision: RevertedRevision.describe(
          'ID of the revision to restore, which must contain the files; defaults as for `revert_page`',
        ),
      }),
      z.object({ operation: z.literal('delete_files'), files: z.array(Id).min(1).max(1000) }),
    ],
    { error: 'must be a supported operation' },
  )
  .meta({ id: 'ContentChange' })
export type ContentChange = z.infer<typeof ContentChange>
export type ContentOperation = ContentChange['operation']

/** Changes apply in order, all or none, as one new revision. */
export const ContentChanges = z.object({ changes: z.array(ContentChange).min(1).max(maxChanges) })
export type ContentChanges = z.infer<typeof ContentChanges>

const page = z
  .object({ object: z.literal('page'), id: Id, urls: z.object({ location: z.string() }) })
  .meta({ id: 'AppliedPage' })
const ref = z.string().optional()
const merged = z
  .boolean()
  .optional()
  .describe('Present when the stored document also contains changes that were made since `base`')

/** The result for each changed item, in the order in which the changes first named it. */
export const AppliedChange = z
  .discriminatedUnion('object', [
    z.object({ object: z.literal('created_page'), ref, page }),
    z.object({
      object: z.literal('updated_page'),
      page,
      merged,
    }),
    z.object({ object: z.literal('deleted_page'), page: Id }),
    z.object({ object: z.literal('created_reusable_content'), ref, reusableContent: Id }),
    z.object({ object: z.literal('updated_reusable_content'), reusableContent: Id, merged }),
    z.object({ object: z.literal('deleted_reusable_content'), reusableContent: Id }),
    z.object({ object: z.literal('updated_file'), file: Id }),
    z.object({ object: z.literal('deleted_file'), file: Id }),
    z.object({ object: z.literal('updated_variables') }),
    z.object({ object: z.literal('updated_tags') }),
  ])
  .meta({ id: 'AppliedChange' })
export type AppliedChange = z.infer<typeof AppliedChange>

export const contentUpdateFields = {
  changes: z.array(AppliedChange),
  insertedFiles: z.array(RevisionFile).optional().describe('Results in the order of the changes'),
}
