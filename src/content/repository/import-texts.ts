import { assignKeys } from '../document/identify.ts'
import type { Document } from '../document/nodes.ts'
import type { Yielder, Draft, PageBody } from '../revision/draft.ts'
import { type ListedFile, type Objects, type PageCover, readObject } from '../revision/objects.ts'
import type { FolderReader } from './folder.ts'
import { type ListingDraft, importVersion, readSources, withProblems } from './listing.ts'
import { titlesOf } from './page-titles.ts'
import { baseName } from './paths.ts'
import type { PlannedPage, RepositoryPlan } from './plan.ts'
import { type DocumentText, type ParseElsewhere, type ReadText, readText, readTextElsewhere } from './read-text.ts'
import type { RepositoryNames } from './references.ts'
import type { SourceFile, SourceText } from './source.ts'

/** Options for parsing texts that take long. */
export interface LongTexts {
  /** Maximum length of a text that is parsed here; longer ones are passed to `parse`. */
  length: number
  /** Maximum number of texts that are parsed here; if there are more, all of them are passed to `parse`. */
  count: number
  parse: ParseElsewhere
}

export interface TextsToImport {
  names: RepositoryNames
  plan: RepositoryPlan
  folder: FolderReader
  /** Listed file that each file was before, by path. */
  matches: ReadonlyMap<string, ListedFile>
  /** Names of paths that refer to something else than before; files with links to them are read again. */
  changedNames: ReadonlySet<string>
  draft: Draft
  listing: ListingDraft
  objects: Objects
  now: string
  onText?: ((progress: { done: number; total: number }) => Promise<void>) | undefined
  breathe?: Yielder | undefined
  longTexts?: LongTexts | undefined
}

/** Maximum number of stored sources in memory at a time. */
const portion = 50

/** Maximum number of texts that are parsed ahead. */
const readAhead = 6

interface ReadFile {
  path: string
  text: string
  read: ReadBody
}

/** A parsed file; if it was parsed elsewhere, the blocks of its document already have keys. */
type ReadBody = ReadText<Document | DocumentText>

/**
 * Reads the pages and reusable contents that are new or changed, or whose links resolve differently; returns the bodies of the
 * pages.
 */
export async function importTexts(work: TextsToImport): Promise<{ bodies: Map<string, PageBody>; read: number }> {
  const { objects, folder, onText, breathe } = work
  const { fresh, again } = textsToRead(work)
  const total = fresh.length + again.length
  const bodies = new Map<string, PageBody>()
  const planned = plannedPages(work.plan.pages)
  let done = 0
  for await (const { path, text, read } of readAll(work, textsOf(objects, again, folder.texts(fresh)), total)) {
    await onText?.({ done, total })
    await breathe?.()
    const id = work.names.pageOfFile.get(path)
    if (id === undefined) await takeReusableContent(work, path, read)
    else bodies.set(id, withoutSource(await bodyOf(work, planned.get(id), id, read)))
    listText(work, path, text, read)
    done++
  }
  return { bodies, read: total }
}

async function* textsOf(
  objects: Objects,
  again: readonly ListedFile[],
  fresh: AsyncIterable<SourceText>,
): AsyncGenerator<SourceText> {
  for (let at = 0; at < again.length; at += portion) {
    for (const [path, text] of await readSources(objects, again.slice(at, at + portion))) yield { path, text }
  }
  yield* fresh
}

/** Parses texts in order; while long ones are parsed elsewhere, parsing of the next ones starts. */
async function* readAll(
  work: TextsToImport,
  texts: AsyncIterable<SourceText>,
  total: number,
): AsyncGenerator<ReadFile> {
  const begun: Promise<ReadFile>[] = []
  const { length, count, parse } = work.longTexts ?? { length: Infinity, count: Infinity }
  const longest = total > count ? 0 : length
  for await (const text of texts) {
    // Nothing else accesses the draft meanwhile, because the consumer is waiting for the next text.
    const isLong = parse !== undefined && text.text.length > longest
    const reading = isLong ? readElsewhere(work, text, await previousOf(work, text.path), parse) : readHere(work, text)
    // Prevents an unhandled rejection; the error is thrown where the promise is awaited.
    reading.catch(() => undefined)
    begun.push(reading)
    if (begun.length > (work.longTexts ? readAhead : 0)) yield await (begun.shift() as Promise<ReadFile>)
  }
  for (const reading of begun) yield await reading
}

async function readHere({ names }: TextsToImport, { path, text, problem }: SourceText): Promise<ReadFile> {
  return { path, text, read: withProblem(readText(names, path, text), problem) }
}

async function readElsewhere(
  { names }: TextsToImport,
  { path, text, problem }: SourceText,
  previous: Document | undefined,
  parse: ParseElsewhere,
): Promise<ReadFile> {
  const { isLeftOut, ...read } = await readTextElsewhere(names, path, { text, previous }, parse)
  return { path, text: isLeftOut ? '' : text, read: withProblem(read, problem) }
}

const withProblem = (read: ReadBody, problem: string | undefined): ReadBody =>
  problem === undefined ? read : { ...read, problems: [{ message: problem }, ...read.problems] }

/** Returns the document that a file had before. */
async function previousOf({ names, draft, objects }: TextsToImport, path: string): Promise<Document | undefined> {
  const page = names.pageOfFile.get(path)
  const content = names.reusableContentOfFile.get(path)
  const before =
    page !== undefined ? (await draft.findPage(page))?.body : await draft.reusableContents.find(content ?? '')
  return before?.document === undefined ? undefined : (await readObject(objects, 'document', before.document)).document
}

function textsToRead({ names, folder, matches, changedNames, listing }: TextsToImport) {
  const fresh: SourceFile[] = []
  const again: ListedFile[] = []
  const isCurrent = listing.stored.version === importVersion
  for (const [path, item] of [...names.pageOfFile, ...names.reusableContentOfFile]) {
    const file = folder.find(path)
    if (!file) continue
    const listed = listing.storedFiles.get(path)
    if (listed?.oid === file.oid && listed.item === item) {
      if (isCurrent ? listed.targets?.some((name) => changedNames.has(name)) : listed.hash !== undefined) {
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

function plannedPages(pages: readonly PlannedPage[]): Map<string, PlannedPage> {
  const planned = new Map<string, PlannedPage>()
  const note = (page: PlannedPage): void => {
    planned.set(page.id, page)
    page.children.forEach(note)
  }
  pages.forEach(note)
  return planned
}

async function bodyOf(
  work: TextsToImport,
  planned: PlannedPage | undefined,
  id: string,
  { title, metadata, document }: ReadBody,
): Promise<PageBody> {
  const { draft, now } = work
  const before = (await draft.findPage(id))?.body
  const { cover, ...fields } = metadata
  return {
    ...fields,
    ...(cover && { cover: withTextColors(cover, before?.cover) }),
    ...titlesOf(planned ?? { title: '' }, title),
    document: await writeDocument(work, before?.document, document),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}

/** Keeps the text colors of a cover, which front matter cannot contain. */
function withTextColors(cover: PageCover, before: PageCover | undefined): PageCover {
  const { textColor, textColorDark } = before ?? {}
  return { ...(textColor && { textColor }), ...(textColorDark && { textColorDark }), ...cover }
}

async function takeReusableContent(
  work: TextsToImport,
  path: string,
  { title = baseName(path).replace(/\.(?:md|markdown)$/i, ''), document }: ReadBody,
): Promise<void> {
  const { names, draft } = work
  const id = names.reusableContentOfFile.get(path) as string
  const before = await draft.reusableContents.find(id)
  draft.reusableContents.set(id, { title, document: await writeDocument(work, before?.document, document) })
}

/** Stores a document; blocks that it had before keep their keys. */
async function writeDocument(
  { objects, breathe }: TextsToImport,
  before: string | undefined,
  document: Document | DocumentText,
): Promise<string> {
  if ('json' in document) return objects.writeCanonical(document.json)
  const former = before === undefined ? undefined : await readObject(objects, 'document', before)
  const identified = assignKeys(former?.document, document)
  await breathe?.()
  return objects.write({ kind: 'document', document: identified })
}

function listText(
  { names, folder, listing, objects }: TextsToImport,
  path: string,
  text: string,
  { title, targets, problems }: ReadBody,
): void {
  const page = names.pageOfFile.get(path)
  const file: ListedFile = {
    id: path,
    oid: folder.find(path)?.oid ?? '',
    hash: objects.write({ kind: 'source', text }),
    ...(page === undefined
      ? { is: 'reusable-content', item: names.reusableContentOfFile.get(path) }
      : { is: 'page', item: page }),
    ...(title === undefined && { isUntitled: true }),
    ...(targets.length > 0 && { targets }),
  }
  listing.set(withoutSource(withProblems(file, problems)))
}

/** Returns a deep copy with its own strings: substrings of a source would keep the whole source in memory. */
function withoutSource<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
