import { PageAnchors } from '../../content/document/anchors.ts'
import type { ContentRef, Document, FileRef } from '../../content/document/nodes.ts'
import { withAnchorIds } from '../../content/document/outline.ts'
import { collectReferences, mapReferences } from '../../content/document/references.ts'
import { toSlug } from '../../content/markdown/slug.ts'
import {
  type FileObject,
  type PageEntry,
  type PageObject,
  navigationTitleOf,
  readObjects,
} from '../../content/revision/objects.ts'
import { type Sequence, findInSorted, readSequence } from '../../content/revision/sequence.ts'
import { type Tree, findPage } from '../../content/revision/tree.ts'
import { convertOpenApiBlocks } from '../../domain/openapi/convert-blocks.ts'
import type { LoadedSpecs } from '../../domain/openapi/load-specs.ts'
import { addEmbedTitles } from '../../domain/embeds/embed-titles.ts'
import { createTooLargeError } from '../../domain/pdf/request-pdf.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import {
  type PdfFile,
  type PdfPage,
  type PdfSource,
  type PdfTarget,
  imageTypes,
  pdfVersion,
  refKeyOf,
} from '../../pdf/source.ts'
import { createOpenApiLabels, createPdfTexts, formatPdfDate } from '../../pdf/texts.ts'
import type { VisitorView } from '../../visitors/visitor-view.ts'
import { prepareDocument, readDocumentObject } from '../content/body.ts'
import { downloadUrlOf } from '../content/signed-links.ts'

/** Maximum number of pages in one PDF. */
const maxPages = 1000

/** Maximum number of blocks in one PDF. */
const maxBlocks = 200_000

/** Maximum size of an image in bytes. */
const maxImageSize = 16 * 1024 ** 2

/** Appearance of a PDF, and names that are not part of the content. */
export type PdfAppearance = Pick<
  PdfSource,
  'title' | 'subtitle' | 'language' | 'direction' | 'color' | 'code' | 'fonts'
> & {
  logo?: PdfFile | undefined
}

export interface PdfContent {
  organizationId: string
  spaceId: string
  tree: Tree
  /** Visibility for a visitor; undefined for members, who see all content. */
  visitorView: VisitorView | undefined
  /** ID of the page that the PDF contains; without it, all pages. */
  pageId?: string | undefined
  /** Whether the pages below `pageId` are left out. */
  isSinglePage: boolean
  appearance: PdfAppearance
  /** Loads the OpenAPI specifications that references name. */
  loadSpecs(refs: readonly ContentRef[]): Promise<LoadedSpecs>
  /** Looks up references to content outside the PDF. */
  resolveOutside(refs: readonly ContentRef[]): Promise<(ref: ContentRef) => PdfTarget | undefined>
}

interface ReadPage {
  entry: PageEntry
  page: PageObject
  depth: number
  document: Document | undefined
}

/** Reads the content of a PDF that the reader may see. */
export async function readPdfSource(context: BaseContext, content: PdfContent): Promise<PdfSource> {
  const pages = await withEmbedTitles(context, content, await readPages(content))
  if (pages.length === 0) throw notFound('page')
  const { appearance, tree } = content
  const refs = new Map<string, ContentRef>()
  const yieldIfDue = createYielder()
  for (const { document } of pages) {
    if (document) for (const { ref } of collectReferences(document)) refs.set(refKeyOf(ref), ref)
    await yieldIfDue()
  }
  const { targets, files } = await resolveReferences(context, content, pages, [...refs.values()])
  const [first] = pages
  const { logo, ...look } = appearance
  const updatedAt = pages.reduce((latest, { page }) => (page.updatedAt > latest ? page.updatedAt : latest), '')
  return {
    version: pdfVersion,
    ...look,
    ...(content.pageId !== undefined && first && { title: first.page.title, subtitle: appearance.title }),
    date: formatPdfDate(updatedAt, appearance.language),
    ...(logo && { logo: logoKey }),
    texts: createPdfTexts(appearance.language),
    pages: pages.map(toPdfPage),
    targets,
    files: logo ? { ...files, [logoKey]: logo } : files,
    tags: Object.fromEntries(Object.entries(tree.root.tags).map(([slug, { label }]) => [slug, label])),
  }
}

/** Adds the titles of embeds, which are links in a PDF. */
async function withEmbedTitles(
  { db }: BaseContext,
  { organizationId }: PdfContent,
  pages: readonly ReadPage[],
): Promise<ReadPage[]> {
  const documents = pages.flatMap(({ document }) => document ?? [])
  const titled = (await addEmbedTitles(db, organizationId, documents)).values()
  return pages.map((page) => (page.document ? { ...page, document: titled.next().value } : page))
}

/** Key of the logo among the files; no reference has it. */
const logoKey = 'logo'

const toPdfPage = ({ entry, page, depth, document }: ReadPage): PdfPage => ({
  id: entry.id,
  title: page.title,
  ...(page.description && { description: page.description }),
  ...(page.emoji && { emoji: page.emoji }),
  depth,
  ...(document && { document }),
})

async function readPages(content: PdfContent): Promise<ReadPage[]> {
  const { tree, visitorView, pageId, isSinglePage } = content
  const yieldIfDue = createYielder()
  const pages: ReadPage[] = []
  let blocks = 0
  const add = async ({ entry, page, depth }: Omit<ReadPage, 'document'>) => {
    const document = entry.type === 'document' ? await readDocument(content, entry.id, page) : undefined
    blocks += document ? countNodes(document) : 0
    pages.push({ entry, page, depth, document })
    if (pages.length > maxPages || blocks > maxBlocks) throw createTooLargeError()
    await yieldIfDue()
  }
  const addList = async (list: Sequence<PageEntry>, depth: number): Promise<void> => {
    const entries = (await readSequence(tree.objects, list)).filter(
      ({ type }) => type === 'document' || type === 'group',
    )
    if (pages.length + entries.length > maxPages) throw createTooLargeError()
    const found = await readObjects(
      tree.objects,
      'page',
      entries.map(({ hash }) => hash),
    )
    for (const [index, entry] of entries.entries()) {
      const page = found[index] as PageObject
      if (page.hidden === true || (visitorView && !visitorView.isVisible(page))) continue
      await add({ entry, page, depth })
      if (entry.levels !== undefined) await addList(page.pages, depth + 1)
    }
  }
  if (pageId === undefined) {
    await addList(tree.root.pages, 0)
    return pages
  }
  const located = await findPage(tree, pageId)
  if (!located || !['document', 'group'].includes(located.entry.type)) throw notFound('page')
  if (visitorView && !(await visitorView.isVisibleWithAncestors(located))) throw notFound('page')
  await add({ entry: located.entry, page: located.page, depth: 0 })
  if (!isSinglePage) await addList(located.page.pages, 1)
  return pages
}

/** Returns the document of a page for the reader. Anchors in it name their page, so that they are the same on all pages. */
async function readDocument(content: PdfContent, id: string, page: PageObject): Promise<Document> {
  const { tree, visitorView, appearance } = content
  const stored = await readDocumentObject(tree, page.document)
  const query = { evaluated: true, dereferenced: true } as const
  const document = await prepareDocument(tree, stored, query, { pageVariables: page.variables, visitorView })
  const labels = createOpenApiLabels(appearance.language)
  const converted = await convertOpenApiBlocks(
    withAnchorIds(document, toSlug),
    (refs) => content.loadSpecs(refs),
    labels,
  )
  return mapReferences(converted, (ref) =>
    ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined ? { ...ref, page: id } : ref,
  )
}

const countNodes = ({ nodes }: Document): number => {
  let count = 0
  const stack: unknown[] = [...nodes]
  for (let next = stack.pop(); next; next = stack.pop()) {
    count++
    const { nodes: inner, fragments } = next as { nodes?: readonly unknown[]; fragments?: readonly unknown[] }
    for (const child of inner ?? []) stack.push(child)
    for (const child of fragments ?? []) stack.push(child)
  }
  return count
}

async function resolveReferences(
  context: BaseContext,
  content: PdfContent,
  pages: readonly ReadPage[],
  refs: readonly ContentRef[],
): Promise<Pick<PdfSource, 'targets' | 'files'>> {
  const yieldIfDue = createYielder()
  const byId = new Map(pages.map((one) => [one.entry.id, one]))
  const anchorsById = new Map<string, PageAnchors>()
  const files = await readFiles(context, content, refs)
  const targets: Record<string, PdfTarget> = {}
  const outside: ContentRef[] = []
  const isOwn = (ref: ContentRef) => !('space' in ref) || ref.space === undefined || ref.space === content.spaceId
  for (const ref of refs) {
    await yieldIfDue()
    const key = refKeyOf(ref)
    const file = Object.hasOwn(files, key) ? files[key] : undefined
    const pageId = (ref.kind === 'page' || ref.kind === 'anchor') && isOwn(ref) ? ref.page : undefined
    const target = pageId === undefined ? undefined : byId.get(pageId)
    if (target) {
      const { entry, page, document } = target
      const anchors =
        anchorsById.get(entry.id) ??
        new PageAnchors(page.title, document ?? { object: 'document', data: {}, nodes: [] }, toSlug)
      anchorsById.set(entry.id, anchors)
      const anchor = ref.kind === 'anchor' ? anchors.find(ref.anchor) : undefined
      const isTitle = anchor === undefined || anchor === anchors.titleId
      targets[key] = { title: navigationTitleOf(page), page: entry.id, ...(!isTitle && { anchor }) }
    } else if (file) targets[key] = { title: file.name, url: file.url }
    else outside.push(ref)
  }
  const find = await content.resolveOutside(outside)
  for (const ref of outside) {
    const target = find(ref)
    if (target) targets[refKeyOf(ref)] = target
  }
  return { targets, files }
}

/** Looks up the files of the space, and images on other servers. */
async function readFiles(
  { urls, signer, now }: BaseContext,
  { spaceId, tree }: PdfContent,
  refs: readonly ContentRef[],
): Promise<Record<string, PdfFile>> {
  const own = refs.filter(
    (ref): ref is Extract<FileRef, { kind: 'file' }> =>
      ref.kind === 'file' && (ref.space === undefined || ref.space === spaceId),
  )
  const entries = await findInSorted(
    tree.objects,
    tree.root.files,
    own.map(({ file }) => file),
  )
  const found = [...entries.values()]
  const objects = await readObjects(
    tree.objects,
    'file',
    found.map(({ hash }) => hash),
  )
  const byId = new Map(found.map((entry, index) => [entry.id, { entry, file: objects[index] as FileObject }]))
  const files: Record<string, PdfFile> = {}
  for (const ref of own) {
    const one = byId.get(ref.file)
    if (one)
      files[refKeyOf(ref)] = toPdfFile(one.file, downloadUrlOf({ spaceId, urls, signer, now }, one.entry, one.file))
  }
  for (const ref of refs) {
    if (ref.kind !== 'url' || !/^https?:\/\/[^\s]+$/i.test(ref.url) || !URL.canParse(ref.url)) continue
    const isImage = /\.(?:png|jpe?g|webp|gif|svg)$/i.test(new URL(ref.url).pathname)
    files[refKeyOf(ref)] = { name: fileNameOf(ref.url), url: ref.url, ...(isImage && { image: { url: ref.url } }) }
  }
  return files
}

/** Maximum length of the name of a file on another server. */
const maxNameLength = 40

/** Returns the name of a file on another server: the end of its path, or its host. */
function fileNameOf(url: string): string {
  const { host, pathname } = new URL(url)
  const name = pathname.split('/').findLast((part) => part !== '') ?? host
  return name.length <= maxNameLength ? name : host
}

/** Returns a file of this server for a PDF; images that are too large are links. */
export function toPdfFile({ name, size, blob, contentType, dimensions }: FileObject, url: string | undefined): PdfFile {
  const isShown = imageTypes.has(contentType) && size <= maxImageSize
  return {
    name,
    ...(url !== undefined && { url }),
    size,
    ...(isShown && { image: { blob, contentType } }),
    ...(dimensions && { dimensions }),
  }
}
