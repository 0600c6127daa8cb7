import type { Document } from '../../content/document/nodes.ts'
import { identify } from '../../content/document/identify.ts'
import { DocumentTooLargeError, assertWithinLimits } from '../../content/document/limits.ts'
import { restoreStored } from '../../content/document/restore.ts'
import { readDocument } from '../../content/document/validate.ts'
import { DocumentError } from '../../content/document/validate-values.ts'
import { problemIn } from '../../content/expression/index.ts'
import { hasTooMuchMarkup } from '../../content/markdown/bounds.ts'
import type { PageMetadata } from '../../content/markdown/front-matter.ts'
import { type ParsedPageFile, parsePageFile } from '../../content/markdown/parse-page-file.ts'
import { verbatim } from '../../content/markdown/references.ts'
import { emptyDocument } from '../../content/revision/reuse.ts'
import { maxFieldLength } from '../../contract/content-changes.ts'
import { type DocumentBody, maxMarkdown } from '../../contract/document.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { UnparsableError, markdownParser, shortText } from '../../parsing/parse.ts'

/** A document that a request contains, as JSON or Markdown. */
export interface WrittenDocument {
  document: Document
  /** The front matter of the Markdown. */
  metadata: PageMetadata
  /** Whether links are paths that must be resolved, as in Markdown. */
  hasPaths: boolean
}

/** Parses and checks a document of a request; `field` is its path in the request, for errors. */
export function parseWritten(body: DocumentBody, field: string): WrittenDocument {
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
    checkMarkdown(markdown)
    return writtenAs(parsePageFile(markdown, verbatim), field)
  }, field)
}

/** Whether parsing may take so long that it must run in a worker thread. */
export const isLong = ({ markdown }: DocumentBody): boolean => (markdown?.length ?? 0) > shortText

/** Parses a long document in a worker thread. */
export async function parseLong({ markdown = '' }: DocumentBody, field: string): Promise<WrittenDocument> {
  checked(() => checkMarkdown(markdown), field)
  try {
    const page = await markdownParser.parse(markdown)
    return checked(() => writtenAs(page, field), field)
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw tooLarge(error, field)
    if (!(error instanceof UnparsableError)) throw error
    throw tooLarge({ message: `The Markdown ${error.message}. Split it into several pages` }, field)
  }
}

function checkMarkdown(markdown: string): void {
  if (markdown.length > maxMarkdown)
    throw new DocumentTooLargeError(`The Markdown exceeds the maximum of ${maxMarkdown}`)
  if (hasTooMuchMarkup(markdown))
    throw new DocumentTooLargeError('The Markdown contains too much markup for one page. Split it into several pages')
}

function writtenAs(page: ParsedPageFile, field: string): WrittenDocument {
  const [problem] = page.problems
  if (problem) throw invalid(`${field}.markdown`, `front matter ${problem.path}: ${problem.message}`)
  assertWithinLimits(page.document)
  const title = page.title?.trim() || page.metadata.title
  const metadata = { ...page.metadata, ...(title !== undefined && { title }) }
  checkLengths(metadata, `${field}.markdown`)
  return { document: page.document, metadata, hasPaths: true }
}

/** Fails when a field of the front matter is longer than a change allows. */
function checkLengths(metadata: PageMetadata, field: string): void {
  for (const [name, most] of Object.entries(maxFieldLength)) {
    const value = metadata[name as keyof typeof maxFieldLength]
    if (value !== undefined && value.length > most) {
      throw invalid(field, `${name}: must have at most ${most} characters`)
    }
  }
}

function checked<T>(read: () => T, field: string): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw tooLarge(error, field)
    if (error instanceof DocumentError)
      throw invalid(error.path === '' ? field : `${field}.${error.path}`, error.message)
    throw error
  }
}

const tooLarge = ({ message }: { message: string }, field: string): AppError =>
  new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])

/** Fails when a condition cannot be parsed; an empty one is valid. */
export function checkCondition(condition: string, field: string): void {
  const problem = condition.trim() === '' ? undefined : problemIn(condition)
  if (problem !== undefined) throw invalid(field, problem)
}

/** Parses a document that belongs to no page, and adds the keys of its blocks. */
export function parseStored(body: DocumentBody, field: string): Document {
  return identify(undefined, restoreStored(parseWritten(body, field).document, undefined))
}

/** Parses like `parseStored`, outside of a transaction and in a worker thread if the document is long. */
export async function parseStoredInThread(body: DocumentBody, field: string): Promise<Document> {
  return isLong(body) ? identify(undefined, (await parseLong(body, field)).document) : parseStored(body, field)
}
