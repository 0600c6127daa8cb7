import { z } from 'zod'
import { DocumentBody, DocumentFormat, documentContentFields } from './document.ts'
import { operation } from './operation.ts'
import { PageCover, PageLayout, RevisionTag } from './revision.ts'
import { Count, Id } from './shared.ts'

/** Kinds of blocks that differ from the compared revision. */
const ChangeCounts = z
  .object({ added: Count, changed: Count, removed: Count })
  .describe('Number of blocks that differ from the compared revision; absent without `comparedWith`')

const renderedFields = {
  html: z.string().describe('Content as HTML, without the title. Elements of blocks have the attribute `data-block`'),
  outline: z
    .array(z.object({ id: z.string().describe('Anchor of the section'), title: z.string(), level: z.int().min(1) }))
    .describe('Sections of the content'),
  styles: z
    .array(z.string())
    .describe('Paths on this server of the styles that the HTML needs besides those of all pages'),
  scripts: z.array(z.string()).describe('Paths on this server of the scripts that the HTML needs'),
  complete: z
    .boolean()
    .describe(
      'False when code was not highlighted, formulas or embeds were not rendered, or files and URLs of OpenAPI were not processed in time: request it again',
    ),
}

const RenderedCover = z.object({
  light: z.string().describe('URL of the image'),
  dark: z.string().optional().describe('URL of the image in dark mode'),
  size: PageLayout.shape.coverSize,
  mask: PageLayout.shape.coverMask,
  textColor: PageCover.shape.textColor,
  textColorDark: PageCover.shape.textColorDark,
  yPos: PageCover.shape.yPos,
  height: PageCover.shape.height,
})

const PageVisibility = z
  .boolean()
  .optional()
  .describe(
    'Whether the visitor sees the page: its condition and those of its ancestors are true. Absent without `visitorClaims`',
  )

export const RenderedPage = z
  .object({
    object: z.literal('rendered-page'),
    id: Id.describe('ID of the page or reusable content'),
    title: z.string(),
    description: z.string().optional(),
    emoji: z.string().optional(),
    icon: z.string().optional(),
    cover: RenderedCover.optional(),
    tags: z.array(RevisionTag).optional(),
    ...renderedFields,
    changes: ChangeCounts.optional(),
    isNew: z.boolean().optional().describe('Whether the page does not exist in the compared revision'),
    isDeleted: z.boolean().optional().describe('Whether the page exists only in the compared revision'),
    isVisible: PageVisibility,
  })
  .meta({ id: 'RenderedPage' })
export type RenderedPage = z.infer<typeof RenderedPage>

export const RenderedDocument = z
  .object({
    object: z.literal('rendered-document'),
    title: z.string().optional().describe('Title in the Markdown'),
    description: z.string().optional().describe('Description in the front matter of the Markdown'),
    ...renderedFields,
    ...documentContentFields,
    isVisible: PageVisibility,
  })
  .meta({ id: 'RenderedDocument' })
export type RenderedDocument = z.infer<typeof RenderedDocument>

const comparison =
  'With `comparedWith`, added, changed and removed blocks are marked. A page that exists only in the compared revision is returned with all blocks marked as removed.'

const description = `Returns what readers of a site see, with links to the web app. Conditional content is included together with its condition, unless \`visitorClaims\` contains the claims of a visitor for whom conditions and expressions are evaluated. Groups and links have no content: \`html\` is empty. ${comparison}`

/** Claims are part of URLs. */
const maxClaimsLength = 4096

const visitorFields = {
  visitorClaims: z
    .string()
    .max(maxClaimsLength)
    .optional()
    .describe(
      'Claims of a visitor as a JSON object, with the unsigned ones under `unsigned`, for example `{"plan":"pro"}`. Returns what this visitor sees',
    ),
}

const RenderedPageQuery = z.object({
  ...visitorFields,
  comparedWith: Id.optional().describe('ID of the revision to compare the page with'),
})
const RenderedChangeRequestPageQuery = z.object({
  ...visitorFields,
  comparedWith: Id.optional().describe(
    'ID of the revision to compare the page with, or `base` for the revision of the space that the change request is based on',
  ),
})

const RenderDocumentBody = z.object({
  ...visitorFields,
  document: DocumentBody,
  page: Id.optional().describe('ID of the page from which relative links are resolved'),
  include: z
    .array(DocumentFormat)
    .max(2)
    .optional()
    .describe(
      'Formats in which the reply also contains the document. Markdown starts with the title and refers to targets by ID',
    ),
})

export const rendered = {
  getRenderedPageById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}/html',
    summary: 'Get a page of a space as HTML',
    description,
    access: 'space:view',
    scope: 'space:read',
    query: RenderedPageQuery,
    reply: RenderedPage,
  }),
  getRenderedPageInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html',
    summary: 'Get a page of a change request as HTML',
    description,
    access: 'space:view',
    scope: 'space:read',
    query: RenderedChangeRequestPageQuery,
    reply: RenderedPage,
  }),
  getRenderedPageInRevision: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html',
    summary: 'Get a page of a revision as HTML',
    description: `${description} The reply can change, because titles of other spaces, names of members and specifications are current.`,
    access: 'space:view',
    scope: 'space:read',
    query: RenderedPageQuery,
    reply: RenderedPage,
  }),
  renderDocumentInSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/html',
    summary: 'Render a document as HTML',
    description: 'Returns what a page of the space with this content would show, without storing it.',
    access: 'space:view',
    scope: 'space:read',
    readOnly: true,
    body: RenderDocumentBody,
    reply: RenderedDocument,
    errors: [404],
  }),
  renderDocumentInChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/html',
    summary: 'Render a document as HTML in a change request',
    description: 'Returns what a page of the change request with this content would show, without storing it.',
    access: 'space:view',
    scope: 'space:read',
    readOnly: true,
    body: RenderDocumentBody,
    reply: RenderedDocument,
    errors: [404],
  }),
  getRenderedReusableContent: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/reusable-contents/{reusableContentId}/html',
    summary: 'Get a reusable content of a space as HTML',
    access: 'space:view',
    scope: 'space:read',
    reply: RenderedPage,
  }),
  getRenderedReusableContentInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/html',
    summary: 'Get a reusable content of a change request as HTML',
    access: 'space:view',
    scope: 'space:read',
    reply: RenderedPage,
  }),
}
