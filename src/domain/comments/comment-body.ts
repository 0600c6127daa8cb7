import type { Document } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { maxCommentDocument, maxCommentMarkdown, maxMentions } from '../../contract/comments.ts'
import type { DocumentBody, DocumentFormat } from '../../contract/document.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { parseTextBody } from '../documents/document-body.ts'
import { presentDocument } from '../documents/present-document.ts'

/** Body of a comment as it is stored. */
export interface CommentBody {
  /** Document as JSON. */
  json: string
  isEmpty: boolean
  /** IDs of the users who are mentioned. */
  userIds: string[]
}

/** Parses the body of a comment or reply; `field` is its path in the request. */
export function parseCommentBody(body: DocumentBody, field: string): CommentBody {
  if ((body.markdown?.length ?? 0) > maxCommentMarkdown)
    throw tooLarge(`${field}.markdown`, `must have at most ${maxCommentMarkdown} characters`)
  // Checked before parsing too, because a document in a request can be as large as a page.
  if (body.document && JSON.stringify(body.document).length > maxCommentDocument) throw tooMuchMarkup(field)
  const document = parseTextBody(body, field)
  const json = JSON.stringify(document)
  if (json.length > maxCommentDocument) throw tooMuchMarkup(field)
  const userIds = collectReferences(document).flatMap(({ ref }) => (ref.kind === 'user' ? [ref.user] : []))
  const mentioned = new Set(userIds)
  if (mentioned.size > maxMentions) throw invalid(field, `must not mention more than ${maxMentions} users`)
  return { json, isEmpty: document.nodes.length === 0, userIds: [...mentioned] }
}

const tooMuchMarkup = (field: string): AppError =>
  tooLarge(field, `must have at most ${maxCommentDocument} characters as a JSON document`)

const tooLarge = (path: string, message: string): AppError =>
  new AppError('tooLarge', `${path}: ${message}`, [{ path, message }])

/** Presents a stored body in the requested format, by default Markdown. */
export function presentCommentBody(json: string, format: DocumentFormat | undefined) {
  const document = JSON.parse(json) as Document
  return format === 'document'
    ? { document: presentDocument(document) }
    : { markdown: printPage({ document }, verbatimReferences) }
}
