import { assignKeys } from '../document/assign-keys.ts'
import type { ExtractKeeper } from '../document/extract.ts'
import type { Document } from '../document/nodes.ts'
import type { Yielder, Draft, PageBody } from '../revision/draft.ts'
import { type ListedFile, type Objects, type PageCover, readObject } from '../revision/objects.ts'
import type { FolderReader } from './folder.ts'
import { type ListingDraft, importVersion, readSources, withProblems } from './listing.ts'
import { resolvePageTitles } from './page-titles.ts'
import { baseName } from './paths.ts'
import type { PlannedPage, RepositoryPlan } from './plan.ts'
import {
  type DocumentJson,
  type OffThreadParser,
  type ParsedTextFile,
  parseTextFile,
  parseTextFileOffThread,
} from './parse-text-file.ts'
import type { RepositoryFileMap } from './references.ts'
import type { SourceFile, SourceText } from './source.ts'

/** Options for parsing texts that take long. */
export interface LongTextSettings {
  /** Maximum length of a text that is parsed here; longer ones are passed to `parse`. */
  maxLength: number
  /** Maximum number of texts that are parsed here; if there are more, all of them are passed to `parse`. */
  maxCount: number
  parse: OffThreadParser
  /** Keeps the extracts of documents that are parsed elsewhere. */
  extracts?: ExtractKeeper
}

export interface ImportTextsOptions {
  fileMap: RepositoryFileMap
  plan: RepositoryPlan
  folder: FolderReader
  /** Listed file that each file was before, by path. */
  matches: ReadonlyMap<string, ListedFile>
  /** Names of paths that refer to something else than before; files with links to them are read again. */
  changedPaths: ReadonlySet<string>
  draft: Draft
  listing: ListingDraft
  objects: Objects
  now: string
  onText?: ((progress: { done: number; total: number }) => Promise<void>) | undefined
  yieldIfDue?: Yielder | undefined
  longTexts?: LongTextSettings | undefined
}

/** Maximum number of stored sources in memory at a time. */
const batchSize = 50

/** Maximum number of texts that are parsed ahead, and of their characters: a document takes several times the memory of its text. */
const readAheadLimits = { texts: 6, characters: 2 * 1024 ** 2 }

interface ParsedSource {
  path: string
  text: string
  parsed: ParsedFile
}

/** A parsed file; if it was parsed elsewhere, the blocks of its document already have keys. */
type ParsedFile = ParsedTextFile<Document | DocumentJson>

/**
 * Reads the pages and reusable contents that are new or changed, or whose links resolve differently; returns the bodies of the
 * pages.
 */
export async function importTexts(
  options: ImportTextsOptions,
): Promise<{ bodies: Map<string, PageBody>; read: number }> {
  const { objects, folder, onText, yieldIfDue } = options
  const { fresh, again } = selectTextsToRead(options)
  const total = fresh.length + again.length
  const bodies = new Map<string, PageBody>()
  const planned = indexPlannedPages(options.plan.pages)
  let done = 0
  for await (const { path, text, parsed } of parseAll(options, readTexts(objects, again, folder.texts(fresh)), total)) {
    await onText?.({ done, total })
    await yieldIfDue?.()
    const id = options.fileMap.pageOfFile.get(path)
    if (id === undefined) await importReusableContent(options, path, parsed)
    else bodies.set(id, detachFromSource(await createPageBody(options, planned.get(id), id, parsed)))
    addToListing(options, path, text, parsed)
    done++
  }
  return { bodies, read: total }
}

async function* readTexts(
  objects: Objects,
  storedFiles: readonly ListedFile[],
  fetchedTexts: AsyncIterable<SourceText>,
): AsyncGenerator<SourceText> {
  for (let at = 0; at < storedFiles.length; at += batchSize) {
    for (const [path, text] of await readSources(objects, storedFiles.slice(at, at + batchSize))) yield { path, text }
  }
  yield* fetchedTexts
}

/** Parses texts in order; while long ones are parsed elsewhere, parsing of the next ones starts. */
async function* parseAll(
  options: ImportTextsOptions,
  texts: AsyncIterable<SourceText>,
  total: number,
): AsyncGenerator<ParsedSource> {
  const pending: { parsing: Promise<ParsedSource>; length: number }[] = []
  let pendingLength = 0
  const takeFirst = (): Promise<ParsedSource> => {
    const { parsing, length } = pending.shift() as (typeof pending)[number]
    pendingLength -= length
    return parsing
  }
  const limits = options.longTexts ? readAheadLimits : { texts: 0, characters: 0 }
  const { maxLength, maxCount, parse } = options.longTexts ?? { maxLength: Infinity, maxCount: Infinity }
  const lengthLimit = total > maxCount ? 0 : maxLength
  for await (const text of texts) {
    // Nothing else accesses the draft in the meantime, because the consumer is waiting for the next text.
    const isLong = parse !== undefined && text.text.length > lengthLimit
    const parsing = isLong
      ? parseOffThread(options, text, await loadPreviousDocument(options, text.path), parse)
      : parseLocally(options, text)
    // Prevents an unhandled rejection; the error is thrown where the promise is awaited.
    parsing.catch(() => undefined)
    pending.push({ parsing, length: text.text.length })
    pendingLength += text.text.length
    while (pending.length > limits.texts || pendingLength > limits.characters) yield await takeFirst()
  }
  while (pending.length > 0) yield await takeFirst()
}

async function parseLocally(
  { fileMap }: ImportTextsOptions,
  { path, text, problem }: SourceText,
): Promise<ParsedSource> {
  return { path, text, parsed: withProblem(parseTextFile(fileMap, path, text), problem) }
}

async function parseOffThread(
  { fileMap, longTexts }: ImportTextsOptions,
  { path, text, problem }: SourceText,
  previous: Document | undefined,
  parse: OffThreadParser,
): Promise<ParsedSource> {
  const isExtracted = longTexts?.extracts?.isFull() === false
  const { isRejected, ...parsed } = await parseTextFileOffThread(fileMap, path, { text, previous, isExtracted }, parse)
  return { path, text: isRejected ? '' : text, parsed: withProblem(parsed, problem) }
}

const withProblem = (parsed: ParsedFile, problem: string | undefined): ParsedFile =>
  problem === undefined ? parsed : { ...parsed, problems: [{ message: problem }, ...parsed.problems] }

/** Returns the document that a file had before. */
async function loadPreviousDocument(
  { fileMap, draft, objects }: ImportTextsOptions,
  path: string,
): Promise<Document | undefined> {
  const page = fileMap.pageOfFile.get(path)
  const content = fileMap.reusableContentOfFile.get(path)
  const before =
    page !== undefined ? (await draft.findPage(page))?.body : await draft.reusableContents.find(content ?? '')
  return before?.document === undefined ? undefined : (await readObject(objects, 'document', before.document)).document
}

function selectTextsToRead({ fileMap, folder, matches, changedPaths, listing }: ImportTextsOptions) {
  const fresh: SourceFile[] = []
  const again: ListedFile[] = []
  const isCurrent = listing.stored.version === importVersion
  for (const [path, item] of [...fileMap.pageOfFile, ...fileMap.reusableContentOfFile]) {
    const file = folder.find(path)
    if (!file) continue
    const listed = listing.storedFiles.get(path)
    if (listed?.oid === file.oid && listed.item === item) {
      if (isCurrent ? listed.targets?.some((name) => changedPaths.has(name)) : listed.hash !== undefined) {
        // The stored text of a file with problems may be empty or incorrectly decoded, so the file is fetched again.
        if (isCurrent || listed.problems === undefined) again.push(listed)
        else fresh.push(file)
      }
      continue
    }
    // The text of a renamed file with the same bytes is already stored.
    const moved = matches.get(path)
    if (moved?.oid === file.oid && moved.hash !== undefined) again.push({ ...moved, id: path })
    else fresh.push(file)
  }
  return { fresh, again }
}

function indexPlannedPages(pages: readonly PlannedPage[]): Map<string, PlannedPage> {
  const planned = new Map<string, PlannedPage>()
  const add = (page: PlannedPage): void => {
    planned.set(page.id, page)
    page.children.forEach(add)
  }
  pages.forEach(add)
  return planned
}

async function createPageBody(
  options: ImportTextsOptions,
  planned: PlannedPage | undefined,
  id: string,
  { title, metadata, document }: ParsedFile,
): Promise<PageBody> {
  const { draft, now } = options
  const before = (await draft.findPage(id))?.body
  const { cover, ...fields } = metadata
  return {
    ...fields,
    ...(cover && { cover: keepTextColors(cover, before?.cover) }),
    ...resolvePageTitles(planned ?? { title: '' }, title),
    document: await writeDocument(options, before?.document, document),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}

/** Keeps the text colors of a cover, which front matter cannot contain. */
function keepTextColors(cover: PageCover, before: PageCover | undefined): PageCover {
  const { textColor, textColorDark } = before ?? {}
  return { ...(textColor && { textColor }), ...(textColorDark && { textColorDark }), ...cover }
}

async function importReusableContent(
  options: ImportTextsOptions,
  path: string,
  { title = baseName(path).replace(/\.(?:md|markdown)$/i, ''), document }: ParsedFile,
): Promise<void> {
  const { fileMap, draft } = options
  const id = fileMap.reusableContentOfFile.get(path) as string
  const before = await draft.reusableContents.find(id)
  draft.reusableContents.set(id, { title, document: await writeDocument(options, before?.document, document) })
}

/** Stores a document; blocks that it had before keep their keys. */
async function writeDocument(
  { objects, yieldIfDue, longTexts }: ImportTextsOptions,
  before: string | undefined,
  document: Document | DocumentJson,
): Promise<string> {
  if ('json' in document) {
    const hash = objects.writeCanonical(document.json)
    if (document.extract) longTexts?.extracts?.keep(hash, document.extract)
    return hash
  }
  const former = before === undefined ? undefined : await readObject(objects, 'document', before)
  const identified = assignKeys(former?.document, document)
  await yieldIfDue?.()
  return objects.write({ kind: 'document', document: identified })
}

function addToListing(
  { fileMap, folder, listing, objects }: ImportTextsOptions,
  path: string,
  text: string,
  { title, targets, problems }: ParsedFile,
): void {
  const page = fileMap.pageOfFile.get(path)
  const file: ListedFile = {
    id: path,
    oid: folder.find(path)?.oid ?? '',
    hash: objects.write({ kind: 'source', text }),
    ...(page === undefined
      ? { is: 'reusable-content', item: fileMap.reusableContentOfFile.get(path) }
      : { is: 'page', item: page }),
    ...(title === undefined && { isUntitled: true }),
    ...(targets.length > 0 && { targets }),
  }
  listing.set(detachFromSource(withProblems(file, problems)))
}

/** Returns a deep copy with its own strings: substrings of a source would keep the whole source in memory. */
function detachFromSource<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
