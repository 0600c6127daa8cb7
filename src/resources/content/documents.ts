import { type Document, type ContentRef } from '../../content/document/nodes.ts'
import { identify } from '../../content/document/identify.ts'
import { DocumentTooLargeError, assertWithinLimits } from '../../content/document/limits.ts'
import { mapReferences, referencesIn } from '../../content/document/references.ts'
import { readDocument } from '../../content/document/validate.ts'
import { DocumentError } from '../../content/document/validate-values.ts'
import { ExpressionError, parse, parseForgiving } from '../../content/expression/index.ts'
import { type PageMetadata, readFrontMatter } from '../../content/markdown/front-matter.ts'
import { parsePage } from '../../content/markdown/parse.ts'
import { readStable, verbatim } from '../../content/markdown/references.ts'
import { fileOfPage, folderOf, joinPath, pagePathOf } from '../../content/repository/paths.ts'
import type { Draft } from '../../content/revision/draft.ts'
import { maxFieldLength } from '../../contract/content-changes.ts'
import { type DocumentBody, maxMarkdown } from '../../contract/document.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { emptyDocument } from './body.ts'
import { homeOf } from './links.ts'

/** A text as it was given. */
export interface WrittenDocument {
  document: Document
  /** What the text itself says about the page that it is. */
  metadata: PageMetadata
  /** Links of Markdown are paths until they are resolved. */
  hasPaths: boolean
}

/** Reads a text that was sent; `field` is where in the request it stands. */
export function readWritten(body: DocumentBody, field: string): WrittenDocument {
  if (body.markdown !== undefined) return readMarkdown(body.markdown, field)
  if (body.document === undefined) return { document: emptyDocument, metadata: {}, hasPaths: false }
  const read = () => {
    const document = readDocument(body.document)
    assertWithinLimits(document)
    return document
  }
  return { document: checked(read, `${field}.document`), metadata: {}, hasPaths: false }
}

function readMarkdown(markdown: string, field: string): WrittenDocument {
  return checked(() => {
    if (markdown.length > maxMarkdown) throw new DocumentTooLargeError(`The Markdown is longer than ${maxMarkdown}`)
    const page = parsePage(markdown, { references: verbatim, isExpression })
    const front = page.frontMatter === undefined ? undefined : readFrontMatter(page.frontMatter, verbatim)
    const [problem] = front?.problems ?? []
    if (problem) throw invalid(`${field}.markdown`, `front matter ${problem.path}: ${problem.message}`)
    assertWithinLimits(page.document)
    const title = page.title?.trim() || front?.metadata.title
    const metadata = { ...front?.metadata, ...(title !== undefined && { title }) }
    checkLengths(metadata, `${field}.markdown`)
    return { document: page.document, metadata, hasPaths: true }
  }, field)
}

/** Fails when a text says more about its page than a change may say. */
function checkLengths(metadata: PageMetadata, field: string): void {
  for (const [name, most] of Object.entries(maxFieldLength)) {
    const said = metadata[name as keyof typeof maxFieldLength]
    if (said !== undefined && said.length > most) {
      throw invalid(field, `${name}: must have at most ${most} characters`)
    }
  }
}

function checked<T>(read: () => T, field: string): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentTooLargeError) {
      throw new AppError('tooLarge', `${field}: ${error.message}`, [{ path: field, message: error.message }])
    }
    if (error instanceof DocumentError)
      throw invalid(error.path === '' ? field : `${field}.${error.path}`, error.message)
    throw error
  }
}

/** Whether a text is an expression that can be evaluated. */
export function isExpression(source: string): boolean {
  try {
    parseForgiving(source)
    return true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** Fails when a condition cannot be read; an empty one is none. */
export function checkCondition(condition: string, field: string): void {
  if (condition.trim() === '') return
  try {
    parse(condition)
  } catch (error) {
    if (error instanceof ExpressionError) throw invalid(field, error.message)
    throw error
  }
}

/** What is inserted under a name that only its list of changes knows. */
export interface BatchRefs {
  pages: ReadonlyMap<string, string>
  files: ReadonlyMap<string, string>
  reusableContents: ReadonlyMap<string, string>
}

/** Turns the paths in a document into references to what stands there now. What leads nowhere stays as it was written. */
export async function resolveLinks(
  draft: Draft,
  document: Document,
  pageId: string | undefined,
  refs: BatchRefs,
): Promise<Document> {
  const destinations = new Set(referencesIn(document).map(({ ref }) => destinationOf(ref)))
  const own = pageId === undefined ? 'README.md' : await fileOfDraftPage(draft, pageId)
  const resolved = new Map<string, ContentRef>()
  for (const destination of destinations) {
    const target = destination === undefined ? undefined : await resolve(draft, own, destination, refs)
    if (target && destination !== undefined) resolved.set(destination, target)
  }
  if (resolved.size === 0) return document
  return mapReferences(document, (ref) => resolved.get(destinationOf(ref) ?? '') ?? ref)
}

/** What a reference was written as, if it may be a path. */
function destinationOf(ref: ContentRef): string | undefined {
  if (ref.kind === 'url') return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(ref.url) ? undefined : ref.url
  // `/pages/about` may be the id of a page or a path.
  if (ref.kind === 'page' && ref.space === undefined) return `/pages/${ref.page}`
  if (ref.kind === 'anchor' && ref.page !== undefined && ref.space === undefined)
    return `/pages/${ref.page}#${ref.anchor}`
  return undefined
}

async function resolve(
  draft: Draft,
  own: string,
  destination: string,
  refs: BatchRefs,
): Promise<ContentRef | undefined> {
  const [written = '', anchor] = destination.split('#', 2)
  const named = /^\.\/(.+)$/.exec(written)?.[1]
  if (named !== undefined) {
    const file = refs.files.get(named)
    if (file !== undefined) return { kind: 'file', file }
    const reusableContent = refs.reusableContents.get(named.replace(/\.md$/, ''))
    if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
    const page = named.endsWith('.md') ? refs.pages.get(named.slice(0, -3)) : undefined
    if (page !== undefined) return pageRef(page, anchor)
  }
  const page = await findWrittenPage(draft, own, decoded(written))
  return page === undefined ? undefined : pageRef(page, anchor)
}

const pageRef = (page: string, anchor: string | undefined): ContentRef =>
  anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

async function findWrittenPage(draft: Draft, own: string, written: string): Promise<string | undefined> {
  if (written === '' || readStable(written)?.kind === 'file') return undefined
  const fromTop = /^\/pages\/(.*)$/.exec(written)?.[1]
  if (fromTop !== undefined && (await draft.findPage(fromTop))) return fromTop
  const file = fromTop ?? joinPath(folderOf(own), written)
  return file === undefined ? undefined : findPageAt(draft, pagePathOf(file))
}

async function findPageAt(draft: Draft, path: string): Promise<string | undefined> {
  const top = await draft.children(null)
  if (path === '') return homeOf(top)
  let entries = top
  let found: string | undefined
  for (const slug of path.toLowerCase().split('/')) {
    found = entries.find((entry) => entry.slug.toLowerCase() === slug && entry.type !== 'link')?.id
    if (found === undefined) return undefined
    entries = await draft.children(found)
  }
  return found
}

async function fileOfDraftPage(draft: Draft, pageId: string): Promise<string> {
  return fileOfPage(await draft.pathOf(pageId), {
    isHome: homeOf(await draft.children(null)) === pageId,
    hasChildren: (await draft.children(pageId)).length > 0,
  })
}

/** A text that stands alone, as it is stored: every block has the key by which it is known. */
export function storedDocument(body: DocumentBody, field: string): Document {
  return identify(undefined, readWritten(body, field).document)
}
