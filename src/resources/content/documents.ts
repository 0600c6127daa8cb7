import type { Document } from '../../content/document/nodes.ts'
import { identify } from '../../content/document/identify.ts'
import { DocumentTooLargeError, assertWithinLimits } from '../../content/document/limits.ts'
import { restoreStored } from '../../content/document/restore.ts'
import { readDocument } from '../../content/document/validate.ts'
import { DocumentError } from '../../content/document/validate-values.ts'
import { problemIn } from '../../content/expression/index.ts'
import { hasTooMuchMarkup } from '../../content/markdown/bounds.ts'
import type { PageMetadata } from '../../content/markdown/front-matter.ts'
import { type ReadPage, readPage } from '../../content/markdown/read-page.ts'
import { verbatim } from '../../content/markdown/references.ts'
import { maxFieldLength } from '../../contract/content-changes.ts'
import { type DocumentBody, maxMarkdown } from '../../contract/document.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { UnparsableError, markdownParser, shortText } from '../../parsing/parse.ts'
import { emptyDocument } from './body.ts'

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
    checkMarkdown(markdown)
    return writtenAs(readPage(markdown, verbatim), field)
  }, field)
}

/** Whether reading a text that was sent may take so long that it has to be done in a thread. */
export const isLong = ({ markdown }: DocumentBody): boolean => (markdown?.length ?? 0) > shortText

/** The same as `readWritten` for a text that is long. */
export async function readLong({ markdown = '' }: DocumentBody, field: string): Promise<WrittenDocument> {
  checked(() => checkMarkdown(markdown), field)
  try {
    const page = await markdownParser.parse(markdown)
    return checked(() => writtenAs(page, field), field)
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw tooLarge(error, field)
    if (!(error instanceof UnparsableError)) throw error
    throw tooLarge({ message: `The Markdown ${error.message}: write it as several pages` }, field)
  }
}

function checkMarkdown(markdown: string): void {
  if (markdown.length > maxMarkdown) throw new DocumentTooLargeError(`The Markdown is longer than ${maxMarkdown}`)
  if (hasTooMuchMarkup(markdown)) throw new DocumentTooLargeError('The Markdown has more markup than a page can have')
}

function writtenAs(page: ReadPage, field: string): WrittenDocument {
  const [problem] = page.problems
  if (problem) throw invalid(`${field}.markdown`, `front matter ${problem.path}: ${problem.message}`)
  assertWithinLimits(page.document)
  const title = page.title?.trim() || page.metadata.title
  const metadata = { ...page.metadata, ...(title !== undefined && { title }) }
  checkLengths(metadata, `${field}.markdown`)
  return { document: page.document, metadata, hasPaths: true }
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
    if (error instanceof DocumentTooLargeError) throw tooLarge(error, field)
    if (error instanceof DocumentError)
      throw invalid(error.path === '' ? field : `${field}.${error.path}`, error.message)
    throw error
  }
}

const tooLarge = ({ message }: { message: string }, field: string): AppError =>
  new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])

/** Fails when a condition cannot be read; an empty one is none. */
export function checkCondition(condition: string, field: string): void {
  const problem = condition.trim() === '' ? undefined : problemIn(condition)
  if (problem !== undefined) throw invalid(field, problem)
}

/** A text that stands alone, as it is stored: every block has the key by which it is known. */
export function storedDocument(body: DocumentBody, field: string): Document {
  return identify(undefined, restoreStored(readWritten(body, field).document, undefined))
}

/** The same outside of a transaction, for a text that may be long. */
export async function prepareStored(body: DocumentBody, field: string): Promise<Document> {
  return isLong(body) ? identify(undefined, (await readLong(body, field)).document) : storedDocument(body, field)
}
