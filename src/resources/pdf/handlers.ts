import type { ContentRef } from '../../content/document/nodes.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { readLineages } from '../../content/revision/lineages.ts'
import { type PdfLink, type PdfQuery, pdf } from '../../contract/pdf.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { findMemberNames } from '../../domain/members/member-queries.ts'
import { loadSpecs } from '../../domain/openapi/load-specs.ts'
import type { SpecDocuments } from '../../domain/openapi/spec-documents.ts'
import { type PdfServices, assertPdfAvailable, requestPdf } from '../../domain/pdf/request-pdf.ts'
import { type RevisionContent, getComputedContent } from '../../domain/revisions/revisions.ts'
import { findPublishedSpaceUrl } from '../../domain/sites/published-space-url.ts'
import { defaultTokenColors } from '../../highlight/token-classes.ts'
import type { SpaceReadContext } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { type PdfTarget, refKeyOf } from '../../pdf/source.ts'
import { canSeePage } from '../../publishing/pages.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { VisitorView } from '../../visitors/visitor-view.ts'
import { readPdfSource } from './read-source.ts'

/** Color of PDFs of spaces, which have no customization. */
const defaultColor = '#346ddb'

export interface PdfRouteServices extends PdfServices {
  documents: SpecDocuments
}

/** Handlers for PDFs of spaces and change requests. */
export const pdfRoutes = (services: PdfRouteServices) =>
  implement(pdf, {
    getSpacePdf: async (context, { query }) =>
      requestSpacePdf(
        services,
        context,
        await getComputedContent(context, context.space, context.space.revision_id),
        query,
      ),
    getChangeRequestPdf: async (context, { params, query }) => {
      const { id, revision_id: revisionId } = await getChangeRequest(context, params.changeRequestId)
      const content = await getComputedContent(context, context.space, revisionId)
      return requestSpacePdf(services, context, content, query, id)
    },
  })

async function requestSpacePdf(
  services: PdfRouteServices,
  context: SpaceReadContext,
  { tree }: RevisionContent,
  { page, only }: PdfQuery,
  changeRequest?: string,
): Promise<PdfLink> {
  assertPdfAvailable()
  const { space } = context
  const language = space.language ?? 'en'
  const source = await readPdfSource(context, {
    organizationId: space.organization_id,
    spaceId: space.id,
    tree,
    visitorView: VisitorView.of(context, tree),
    pageId: page,
    isSinglePage: only,
    appearance: {
      title: space.title,
      language,
      direction: /^(?:ar|he|fa|ur)\b/.test(language) ? 'rtl' : 'ltr',
      color: defaultColor,
      code: { tokens: defaultTokenColors },
      fonts: [],
    },
    loadSpecs: (refs) =>
      loadSpecs(
        { ...context, documents: services.documents },
        { organizationId: space.organization_id, spaceId: space.id, tree },
        refs,
      ),
    resolveOutside: (refs) => resolveOutside(context, tree, refs),
  })
  const owner = { organizationId: space.organization_id, ...(!context.visitor && { spaceId: space.id }) }
  const url = await requestPdf(services, context, owner, source)
  // Visitors of sites are not users, and the content that they can read is published.
  if (!context.visitor) {
    await services.database.transaction((db) =>
      recordEventAbout({ ...context, db }, 'space', space, 'space.export', { after: { page, changeRequest } }),
    )
  }
  return { url }
}

/** Looks up pages of the space that are not part of the PDF, members and tags. */
async function resolveOutside(
  context: SpaceReadContext,
  tree: RevisionContent['tree'],
  refs: readonly ContentRef[],
): Promise<(ref: ContentRef) => PdfTarget | undefined> {
  const { space, visitor } = context
  const isOwn = (ref: { space?: string }) => ref.space === undefined || ref.space === space.id
  const found = new Map<string, PdfTarget>()
  const pageIds = refs.flatMap((ref) =>
    (ref.kind === 'page' || ref.kind === 'anchor') && isOwn(ref) ? (ref.page ?? []) : [],
  )
  const lineages = pageIds.length === 0 ? new Map<string, never>() : await readLineages(tree, pageIds)
  const published = lineages.size === 0 ? undefined : await findPublishedSpaceUrl(context)
  const viewpoint = visitor && Viewpoint.of(visitor)
  const userIds = refs.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []))
  const names =
    userIds.length === 0 ? new Map<string, string>() : await findMemberNames(context.db, space.organization_id, userIds)
  for (const ref of refs) {
    const target = ((): PdfTarget | undefined => {
      switch (ref.kind) {
        case 'url':
          return { title: ref.url, url: ref.url }
        case 'user': {
          const title = names.get(ref.user)
          return title === undefined ? undefined : { title }
        }
        case 'tag': {
          const { tags } = tree.root
          const tag = Object.hasOwn(tags, ref.tag) ? tags[ref.tag] : undefined
          return tag && { title: tag.label }
        }
        case 'page':
        case 'anchor': {
          const lineage = isOwn(ref) ? lineages.get(ref.page ?? '') : undefined
          const pages = lineage?.map(({ page }) => page)
          if (!lineage || !pages || (viewpoint && !canSeePage(viewpoint, pages, tree.root.variables))) return undefined
          const path = lineage.map(({ entry }) => encodeURIComponent(entry.slug)).join('/')
          const url = published && `${published.replace(/\/?$/, '/')}${path}`
          return { title: navigationTitleOf(pages.at(-1) as { title: string }), ...(url && { url }) }
        }
        default:
          return undefined
      }
    })()
    if (target) found.set(refKeyOf(ref), target)
  }
  return (ref) => found.get(refKeyOf(ref))
}
