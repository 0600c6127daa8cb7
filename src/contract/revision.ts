import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { ContentRef, DocumentFormat, FileRef, PageRef, TagRef, UrlRef, documentContentFields } from './document.ts'
import { Count, Id, QueryBoolean, Timestamp, User } from './shared.ts'

const metadata = QueryBoolean.default(true).describe('`false` omits Git metadata')
const computed = QueryBoolean.default(true).describe(
  '`false` returns computed pages as they are written, without generated content',
)

/** A query parameter that accepts a boolean or one other word. */
function booleanOr<const Word extends string>(word: Word) {
  return z
    .enum(['true', 'false', word], { error: `must be true, false or ${word}` })
    .transform((value) => (value === word ? word : value === 'true'))
    .meta({ anyOf: [{ type: 'boolean' }, { const: word }] })
    .default(false)
}

export const ContentQuery = z.object({ metadata, computed })
export type ContentQuery = z.infer<typeof ContentQuery>

export const ReusableContentQuery = ContentQuery.extend({
  format: z.literal('markdown').optional().describe('`markdown` adds the text; links contain stable ids'),
})
export type ReusableContentQuery = z.infer<typeof ReusableContentQuery>

export const DocumentQuery = z.object({
  evaluated: booleanOr('deterministic-only').describe(
    'Whether to evaluate expressions and conditions; `deterministic-only` skips those that depend on arbitrary strings of the visitor',
  ),
  dereferenced: booleanOr('reusable-contents').describe('Whether to replace references with the referenced content'),
})
export type DocumentQuery = z.infer<typeof DocumentQuery>

export const PageQuery = DocumentQuery.extend({
  format: DocumentFormat.optional().describe('Format of the page content; the content is omitted when absent'),
  'format.markdown.refs': z
    .enum(['relative', 'stable'])
    .default('relative')
    .describe(
      'Format of links to pages in Markdown: `relative` for paths that follow the navigation (`<path>.md`, or `<path>/README.md` for a page with children), `stable` for ids that do not change when pages move',
    ),
  metadata,
  computed,
})
export type PageQuery = z.infer<typeof PageQuery>

/** As `PageQuery`; `cachedMetadata` is accepted for clients that send it, and changes nothing. */
export const PageByPathQuery = PageQuery.extend({
  cachedMetadata: QueryBoolean.default(false).describe('Accepted; has no effect, because metadata is never stale'),
})

const GitBlob = z
  .object({
    oid: z.string().describe('Git object id of the file'),
    path: z.string().describe('Path from the root of the repository'),
  })
  .describe(
    'File from which the content was last imported or to which it was last exported. Editing does not change it; content created since then has none.',
  )
export type GitBlob = z.infer<typeof GitBlob>

export const GitCommit = z
  .object({
    oid: z.string(),
    message: z.string(),
    createdByService: z.boolean().describe('Whether the commit was created by an export'),
    createdByGitBook: z
      .boolean()
      .describe('Same value as `createdByService`, for compatibility with the official client'),
    url: z.string().optional(),
    ref: z.string().optional(),
  })
  .meta({ id: 'GitCommit' })
export type GitCommit = z.infer<typeof GitCommit>

export const VariableValue = z.union([z.string(), z.number(), z.boolean()])
const Variables = z.record(z.string(), VariableValue)

export const RevisionFile = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    downloadURL: z.string(),
    size: Count.describe('Size in bytes'),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: GitBlob.optional(),
  })
  .meta({ id: 'RevisionFile' })
export type RevisionFile = z.infer<typeof RevisionFile>

export const PageLayout = z
  .object({
    width: z.enum(['default', 'wide']),
    cover: z.boolean(),
    coverSize: z.enum(['hero', 'full', 'background']),
    coverMask: z.enum(['none', 'radial']),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
    tags: z.boolean(),
    actions: z.boolean(),
    anchors: z.boolean(),
  })
  .meta({ id: 'PageLayout' })
export type PageLayout = z.infer<typeof PageLayout>

const ImageRef = z.discriminatedUnion('kind', [FileRef, UrlRef])
const CoverTextColor = z.enum(['black', 'white'])

export const PageCover = z
  .object({
    ref: ImageRef.exactOptional(),
    refDark: ImageRef.exactOptional(),
    textColor: CoverTextColor.exactOptional(),
    textColorDark: CoverTextColor.exactOptional(),
    yPos: z.number(),
    height: z.number().exactOptional(),
  })
  .meta({ id: 'PageCover' })
export type PageCover = z.infer<typeof PageCover>

const MetaLinkTarget = z.discriminatedUnion('kind', [PageRef, UrlRef])
export const PageMetaLinks = z
  .object({ canonical: MetaLinkTarget.exactOptional(), alternates: z.array(MetaLinkTarget).max(1000).exactOptional() })
  .meta({ id: 'PageMetaLinks' })
export type PageMetaLinks = z.infer<typeof PageMetaLinks>

const TranslationRef = z.object({ kind: z.literal('translation'), translation: Id })

/** The source of computed content. */
export const ComputedSource = z
  .object({
    type: z.string().describe('`builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`'),
    props: z.record(z.string(), z.unknown()),
    dependencies: z
      .record(
        z.string(),
        z.object({
          ref: z.union([ContentRef, TranslationRef]),
          value: z.unknown().optional().describe('Value of the reference; null when it does not exist'),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ComputedSource' })
export type ComputedSource = z.infer<typeof ComputedSource>

const computedFields = { computed: ComputedSource.optional(), computedSeed: z.string().optional() }

const pageFields = {
  id: Id,
  title: z.string(),
  linkTitle: z.string().optional(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
  condition: z.string().optional(),
}

const indexingFields = {
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
}

const documentPageFields = {
  ...pageFields,
  kind: z.literal('sheet'),
  type: z.literal('document'),
  urls: z.object({ app: z.string() }),
  slug: z.string(),
  path: z.string(),
  description: z.string().optional(),
  git: GitBlob.optional(),
  layout: PageLayout,
  cover: PageCover.optional(),
  variables: Variables.optional(),
  ...indexingFields,
  metaLinks: PageMetaLinks.optional(),
  tags: z.array(z.object({ tag: TagRef, primary: z.boolean().optional() })),
  documentId: z.string().optional(),
  ...computedFields,
  ...documentContentFields,
}

const groupFields = {
  ...pageFields,
  kind: z.literal('group'),
  type: z.literal('group'),
  slug: z.string(),
  path: z.string(),
  ...indexingFields,
}

/** Child pages of a page or group. */
export type RevisionSubpage = RevisionPageDocument | RevisionPageLink | RevisionPageComputed
type Subpages = z.ZodType<RevisionSubpage[], RevisionSubpage[]>

export interface RevisionPageDocument extends z.infer<z.ZodObject<typeof documentPageFields>> {
  pages: RevisionSubpage[]
}

export const RevisionPageDocument = z
  .object({
    ...documentPageFields,
    get pages(): Subpages {
      return z.array(RevisionSubpage)
    },
  })
  .meta({ id: 'RevisionPageDocument' })

export const RevisionPageGroup = z
  .object({
    ...groupFields,
    get pages(): Subpages {
      return z.array(RevisionSubpage)
    },
  })
  .meta({ id: 'RevisionPageGroup' })
export type RevisionPageGroup = z.infer<typeof RevisionPageGroup>

export const RevisionPageLink = z
  .object({
    ...pageFields,
    kind: z.literal('link'),
    type: z.literal('link'),
    target: ContentRef,
    href: z.string().optional(),
    hidden: z.boolean().optional(),
  })
  .meta({ id: 'RevisionPageLink' })
export type RevisionPageLink = z.infer<typeof RevisionPageLink>

export const RevisionPageComputed = z
  .object({ ...pageFields, type: z.literal('computed'), computed: ComputedSource })
  .meta({ id: 'RevisionPageComputed' })
export type RevisionPageComputed = z.infer<typeof RevisionPageComputed>

const RevisionSubpage = z.discriminatedUnion('type', [RevisionPageDocument, RevisionPageLink, RevisionPageComputed])

/** Groups are only allowed at the top level. */
export const RevisionPage = z
  .discriminatedUnion('type', [RevisionPageDocument, RevisionPageGroup, RevisionPageLink, RevisionPageComputed])
  .meta({ id: 'RevisionPage' })
export type RevisionPage = z.infer<typeof RevisionPage>

const tableOfContentsFields = {
  id: Id,
  type: z.enum(['document', 'group', 'link', 'computed']),
  title: z.string(),
  linkTitle: z.string().optional(),
  path: z.string().optional().describe('Absent for links and computed pages'),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  hidden: z.boolean().optional(),
}

/** A page as a table of contents shows it. */
export interface TableOfContentsPage extends z.infer<z.ZodObject<typeof tableOfContentsFields>> {
  pages?: TableOfContentsPage[] | undefined
}

export const TableOfContentsPage = z
  .object({
    ...tableOfContentsFields,
    get pages(): z.ZodOptional<z.ZodType<TableOfContentsPage[], TableOfContentsPage[]>> {
      return z.array(TableOfContentsPage).optional().describe('Child pages; absent when there are none')
    },
  })
  .meta({ id: 'TableOfContentsPage' })

/** Results of looking up a path. */
export const PageByPath = z.discriminatedUnion('type', [RevisionPageDocument, RevisionPageGroup])
export type PageByPath = z.infer<typeof PageByPath>

export const RevisionReusableContent = z
  .object({
    id: Id,
    title: z.string(),
    git: GitBlob.optional(),
    document: z.string().optional().describe('ID of the document'),
    markdown: z.string().optional().describe('The title and the text; only with `format=markdown`'),
    urls: z.object({ app: z.string() }),
    ...computedFields,
  })
  .meta({ id: 'RevisionReusableContent' })
export type RevisionReusableContent = z.infer<typeof RevisionReusableContent>

export const RevisionTag = z
  .object({
    slug: z.string(),
    label: z.string(),
    color: z.string(),
    emoji: z.string().optional(),
    icon: z.string().optional(),
  })
  .meta({ id: 'RevisionTag' })
export type RevisionTag = z.infer<typeof RevisionTag>

const revisionSummaryFields = {
  object: z.literal('revision'),
  id: Id,
  parents: z.array(Id),
  createdAt: Timestamp,
  createdBy: User.optional(),
  git: GitCommit.optional().describe(
    'Commit from which the revision was imported or to which it was exported; absent for edits',
  ),
  urls: z.object({ app: z.string(), published: z.string().optional(), public: z.string().optional() }),
}

/** The kinds of revision, which share most fields. */
function revisionSchema<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return z.discriminatedUnion('type', [
    z.object({ ...fields, type: z.literal('edits') }),
    z.object({ ...fields, type: z.literal('merge'), mergedFrom: ChangeRequest }),
    z.object({ ...fields, type: z.literal('rollback') }),
    z.object({ ...fields, type: z.literal('update') }),
    z.object({
      ...fields,
      type: z.literal('computed'),
      sourceRevision: Id,
      mergedFrom: ChangeRequest.optional(),
    }),
  ])
}

export const RevisionSummary = revisionSchema(revisionSummaryFields).meta({ id: 'RevisionSummary' })
export type RevisionSummary = z.infer<typeof RevisionSummary>

export const Revision = revisionSchema({
  ...revisionSummaryFields,
  pages: z.array(RevisionPage),
  files: z.array(RevisionFile),
  reusableContents: z.array(RevisionReusableContent),
  tags: z.array(RevisionTag),
  variables: Variables.optional(),
}).meta({ id: 'Revision' })
export type Revision = z.infer<typeof Revision>
