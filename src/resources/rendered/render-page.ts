import type { ContentRef, Document } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { ownKeyOf } from '../../content/document/reusable-contents.ts'
import type { PageObject } from '../../content/revision/objects.ts'
import type { RenderedDocument, RenderedPage } from '../../contract/rendered.ts'
import { requestLinkedSpecs } from '../../domain/openapi/linked-specs.ts'
import { loadSpecs } from '../../domain/openapi/load-specs.ts'
import type { SpecDocuments } from '../../domain/openapi/spec-documents.ts'
import { findHighlightedCode } from '../../highlight/store.ts'
import { renderIcon } from '../../icons/icons.ts'
import { notFound } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { Clock } from '../../kernel/time.ts'
import { type ChangeKind, compareDocuments } from '../../render/changes.ts'
import { getTexts } from '../../render/texts/locales.ts'
import type { Database } from '../../storage/database.ts'
import { presentLayout, presentTag } from '../content/present.ts'
import type { MemberSpace } from './member-space.ts'
import { ResolvedReferences } from './references.ts'
import {
  type ContentAssets,
  type ContentFrame,
  type MarkedDocument,
  type RenderedContent,
  type Renderers,
  listCoverRefs,
  renderContent,
  toPageCover,
} from './render-content.ts'

export interface RenderServices extends Renderers {
  documents: SpecDocuments
  database: Database
  clock: Clock
  /** Returns the paths of assets on the host of the API. */
  contentAssets: () => ContentAssets
}

type ChangeCounts = NonNullable<RenderedPage['changes']>

/** A page to render, with its differences from another revision. */
interface ComparedPage extends MarkedDocument {
  space: MemberSpace
  page: PageObject
  state: Pick<RenderedPage, 'changes' | 'isNew' | 'isDeleted'>
}

/** Renders a page of a space, and marks its differences from another version of the space. */
export async function renderPage(
  services: RenderServices,
  space: MemberSpace,
  pageId: string,
  other: MemberSpace | undefined,
): Promise<RenderedPage> {
  const compared = await comparePage(space, pageId, other)
  const { page, state } = compared
  const { rendered, references } = await renderDocument(services, compared.space, compared, { pageId, page })
  const { tags } = compared.space.tree.root
  const isVisible = await compared.space.isVisible(pageId)
  return {
    object: 'rendered-page',
    id: pageId,
    title: page.title,
    ...(page.description !== undefined && { description: page.description }),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...presentCover(page, references),
    ...(page.tags && {
      tags: page.tags.flatMap(({ tag }) => (Object.hasOwn(tags, tag) && tags[tag] ? [presentTag(tag, tags[tag])] : [])),
    }),
    ...presentRendered(rendered),
    ...state,
    ...(isVisible !== undefined && { isVisible }),
  }
}

/** Finds a page and compares it; a page that exists only in the other version is marked as removed. */
async function comparePage(space: MemberSpace, pageId: string, other: MemberSpace | undefined): Promise<ComparedPage> {
  const page = (await space.findPagesById([pageId])).get(pageId)?.page
  const otherPage = (await other?.findPagesById([pageId]))?.get(pageId)?.page
  if (page && other && otherPage) {
    const [before, after] = [await other.readDocument(otherPage), await space.readDocument(page)]
    const { document, changes, counts } = await compareDocuments(before, after, createYielder())
    return { space, page, document, changes, state: { changes: counts, isNew: false, isDeleted: false } }
  }
  if (page) {
    const document = await space.readDocument(page)
    if (!other) return { space, page, document, state: {} }
    return { space, page, document, ...markWhole('added', document) }
  }
  if (!other || !otherPage) throw notFound('page')
  const document = await other.readDocument(otherPage)
  return { space: other, page: otherPage, document, ...markWhole('removed', document) }
}

/** Marks a whole page that exists in only one of the versions. */
function markWhole(mark: 'added' | 'removed', { nodes }: Document): { mark: ChangeKind; state: ComparedPage['state'] } {
  const changes: ChangeCounts = { added: 0, changed: 0, removed: 0, [mark]: nodes.length }
  return { mark, state: { changes, isNew: mark === 'added', isDeleted: mark === 'removed' } }
}

/** Renders a reusable content of a space. */
export async function renderReusableContent(
  services: RenderServices,
  space: MemberSpace,
  id: string,
  { title, document: stored }: { title: string; document: Document },
): Promise<RenderedPage> {
  const document = await space.prepareDocument(stored)
  const { rendered } = await renderDocument(services, space, { document }, {})
  return { object: 'rendered-page', id, title, ...presentRendered(rendered) }
}

/** Renders a document that is not stored. */
export async function renderUnstoredDocument(
  services: RenderServices,
  space: MemberSpace,
  document: Document,
  location: PageLocation,
): Promise<Omit<RenderedDocument, 'title' | 'description'>> {
  const prepared = await space.prepareDocument(document, location.page?.variables)
  const { rendered } = await renderDocument(services, space, { document: prepared }, location)
  return { object: 'rendered-document', ...presentRendered(rendered) }
}

/** The page that a document belongs to. */
interface PageLocation {
  pageId?: string | undefined
  page?: PageObject | undefined
}

async function renderDocument(
  services: RenderServices,
  space: MemberSpace,
  marked: MarkedDocument,
  { pageId, page }: PageLocation,
): Promise<{ rendered: RenderedContent; references: ResolvedReferences }> {
  const refs = [...collectReferences(marked.document).map(({ ref }) => ref), ...(page ? listCoverRefs(page) : [])]
  const references = await ResolvedReferences.resolve(space, refs, pageId)
  const frame = createFrame(services, space, references, { pageId, page })
  return { rendered: await renderContent(services, frame, marked), references }
}

function createFrame(
  services: RenderServices,
  space: MemberSpace,
  references: ResolvedReferences,
  { pageId, page }: PageLocation,
): ContentFrame {
  const { context, organizationId } = space.reader
  const locale = context.space.language ?? 'en'
  return {
    organizationId,
    texts: getTexts(locale),
    locale,
    tags: space.tree.root.tags,
    icon: (name) => renderIcon(name, 'regular'),
    assets: services.contentAssets(),
    references,
    loadSpecs: (refs) => loadSpecsOfSpace(services, space, refs),
    readHighlightedCode: async () =>
      pageId === undefined
        ? new Map<string, null>()
        : findHighlightedCode(context.db, { organizationId, spaceId: space.spaceId }, pageId),
    options: {
      externalLinkTarget: 'self',
      searchHrefFor: (query) => `${space.href}?search=${encodeURIComponent(query)}`,
      marksBrokenLinks: true,
      marksConditions: true,
      hasAnchors: page ? presentLayout(page).anchors : true,
      blockKeyOf: ({ key }) => (key === undefined ? undefined : ownKeyOf(key)),
    },
  }
}

/** Loads the specifications that references name, and requests the processing of linked ones. */
async function loadSpecsOfSpace(
  { documents, database, clock }: RenderServices,
  { reader, spaceId, tree }: MemberSpace,
  refs: readonly ContentRef[],
) {
  const { context, organizationId } = reader
  const { db, now, enqueue, log } = context
  const loaded = await loadSpecs({ db, documents, now }, { organizationId, spaceId, tree }, refs)
  const { due, used } = loaded.linked
  if (due.length > 0 || used.length > 0) {
    requestLinkedSpecs({ database, clock, enqueue }, organizationId, loaded.linked).catch((error: unknown) =>
      log.warn('A linked OpenAPI specification could not be requested', { error }),
    )
  }
  return loaded
}

function presentCover(page: PageObject, references: ResolvedReferences): Pick<RenderedPage, 'cover'> {
  const cover = presentLayout(page).cover ? toPageCover(page, references) : undefined
  if (!cover) return {}
  const { light, dark, size, isFading, text, y, height } = cover
  return {
    cover: {
      light,
      ...(dark !== undefined && { dark }),
      size,
      mask: isFading ? 'radial' : 'none',
      ...(text && { textColor: text.light, textColorDark: text.dark }),
      yPos: y,
      ...(height !== undefined && { height }),
    },
  }
}

const presentRendered = ({ html, outline, needs, isComplete }: RenderedContent) => ({
  html: html.text,
  outline: outline.map(({ id, title, depth }) => ({ id, title, level: depth })),
  ...needs,
  complete: isComplete,
})
