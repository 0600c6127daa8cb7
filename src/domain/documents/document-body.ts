import type { Document } from '../../content/document/nodes.ts'
import { assignKeys } from '../../content/document/assign-keys.ts'
import { DocumentTooLargeError, assertWithinLimits } from '../../content/document/limits.ts'
import { restoreStoredDocument } from '../../content/document/restore.ts'
import { readDocument } from '../../content/document/validate.ts'
import { DocumentError } from '../../content/document/validate-values.ts'
import { findExpressionError, isExpression } from '../../content/expression/index.ts'
import { hasTooMuchMarkup } from '../../content/markdown/markup-limits.ts'
import type { PageMetadata } from '../../content/markdown/front-matter.ts'
import { parsePage } from '../../content/markdown/parse.ts'
import { type ParsedPageFile, parsePageFile } from '../../content/markdown/parse-page-file.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { emptyDocument } from '../../content/revision/reusable-contents.ts'
import { maxPageFieldLength } from '../../contract/content-changes.ts'
import { type DocumentBody, maxMarkdownLength } from '../../contract/document.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { UnparsableError, markdownParser, maxMainThreadLength } from '../../parsing/parse.ts'

/** A document that a request contains, as JSON or Markdown. */
export interface ParsedDocumentBody {
  document: Document
  /** The front matter of the Markdown. */
  metadata: PageMetadata
  /** Whether links are paths that must be resolved, as in Markdown. */
  hasPathLinks: boolean
}

/** Parses and checks a document of a request; `field` is its path in the request, for errors. */
export function parseDocumentBody(body: DocumentBody, field: string): ParsedDocumentBody {
  if (body.markdown !== undefined) return parseMarkdownBody(body.markdown, field)
  if (body.document === undefined) return { document: emptyDocument, metadata: {}, hasPathLinks: false }
  const parse = () => {
    const document = readDocument(body.document)
    assertWithinLimits(document)
    return document
  }
  return { document: withFieldErrors(parse, `${field}.document`), metadata: {}, hasPathLinks: false }
}

function parseMarkdownBody(markdown: string, field: string): ParsedDocumentBody {
  return withFieldErrors(() => {
    checkMarkdownLimits(markdown)
    return toParsedDocumentBody(parsePageFile(markdown, verbatimReferences), field)
  }, field)
}

/** Whether parsing may take so long that it must run in a worker thread. */
export const isLongDocumentBody = ({ markdown }: DocumentBody): boolean => (markdown?.length ?? 0) > maxMainThreadLength

/** Parses a long document in a worker thread. */
export async function parseDocumentBodyInThread(
  { markdown = '' }: DocumentBody,
  field: string,
): Promise<ParsedDocumentBody> {
  withFieldErrors(() => checkMarkdownLimits(markdown), field)
  try {
    const page = await markdownParser.parse(markdown)
    return withFieldErrors(() => toParsedDocumentBody(page, field), field)
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw documentTooLarge(error, field)
    if (!(error instanceof UnparsableError)) throw error
    throw documentTooLarge({ message: `The Markdown ${error.message}. Split it into several pages` }, field)
  }
}

/** Parses a document, in a worker thread if it may take long; must run outside of a transaction. */
export const parseDocumentBodyOfAnySize = async (body: DocumentBody, field: string): Promise<ParsedDocumentBody> =>
  isLongDocumentBody(body) ? parseDocumentBodyInThread(body, field) : parseDocumentBody(body, field)

function checkMarkdownLimits(markdown: string): void {
  if (markdown.length > maxMarkdownLength)
    throw new DocumentTooLargeError(`The Markdown exceeds the maximum of ${maxMarkdownLength}`)
  if (hasTooMuchMarkup(markdown))
    throw new DocumentTooLargeError('The Markdown contains too much markup for one page. Split it into several pages')
}

function toParsedDocumentBody(page: ParsedPageFile, field: string): ParsedDocumentBody {
  const [problem] = page.problems
  if (problem) throw invalid(`${field}.markdown`, `front matter ${problem.path}: ${problem.message}`)
  assertWithinLimits(page.document)
  const title = page.title?.trim() || page.metadata.title
  const metadata = { ...page.metadata, ...(title !== undefined && { title }) }
  checkMetadataLengths(metadata, `${field}.markdown`)
  return { document: page.document, metadata, hasPathLinks: true }
}

/** Fails when a field of the front matter is longer than a change allows. */
function checkMetadataLengths(metadata: PageMetadata, field: string): void {
  for (const [name, maxLength] of Object.entries(maxPageFieldLength)) {
    const value = metadata[name as keyof typeof maxPageFieldLength]
    if (value !== undefined && value.length > maxLength) {
      throw invalid(field, `${name}: must have at most ${maxLength} characters`)
    }
  }
}

function withFieldErrors<T>(parse: () => T, field: string): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw documentTooLarge(error, field)
    if (error instanceof DocumentError)
      throw invalid(error.path === '' ? field : `${field}.${error.path}`, error.message)
    throw error
  }
}

const documentTooLarge = ({ message }: { message: string }, field: string): AppError =>
  new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])

/** Fails when a condition cannot be parsed; an empty one is valid. */
export function checkCondition(condition: string, field: string): void {
  const problem = condition.trim() === '' ? undefined : findExpressionError(condition)
  if (problem !== undefined) throw invalid(field, problem)
}

/** Parses a document that belongs to no page, and adds the keys of its blocks. */
export function parseStandaloneDocument(body: DocumentBody, field: string): Document {
  return assignKeys(undefined, restoreStoredDocument(parseDocumentBody(body, field).document, undefined))
}

/**
 * Parses text that is not a page, such as a comment, and adds the keys of its blocks: unlike in a page, a heading at the
 * start is part of the document, and there is no front matter.
 */
export function parseTextBody(body: DocumentBody, field: string): Document {
  const { markdown } = body
  if (markdown === undefined) return parseStandaloneDocument(body, field)
  return withFieldErrors(() => {
    checkMarkdownLimits(markdown)
    // Front matter is recognized only on the first line.
    const { document } = parsePage(`\n${markdown}`, { references: verbatimReferences, isExpression, hasTitle: false })
    assertWithinLimits(document)
    return assignKeys(undefined, document)
  }, field)
}
