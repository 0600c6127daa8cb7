import type { ContentChanges } from '../../../contract/content-changes.ts'
import type { ApiError } from '../../api.ts'
import { changeContent } from '../../data/content-place.ts'
import type { PageFields, PageFormat, PagePlace } from './page-text.ts'

/** The page as the user edited it. */
export interface EditedPage extends PageFields {
  body: string
}

/** The page as the server has stored it, in the revision that the edits are based on. */
interface StoredPage extends EditedPage {
  base: string
  titleLine: string
}

/** A request that can be repeated: for a repeated key, the server returns the first reply. */
export interface SaveAttempt {
  key: string
  before: StoredPage
  sent: EditedPage
}

/** Returns a random key. `randomUUID` does not exist without HTTPS. */
export const createRequestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join('-')

/** Sends the differences from the stored page; returns the new revision and whether changes of others were merged. */
export async function sendPage(
  place: PagePlace,
  { key, before, sent }: SaveAttempt,
  format: PageFormat,
): Promise<{ revision: string; isMerged: boolean }> {
  const listed = listChanges(place, before, sent, format)
  const { revision, changes } = await changeContent(place, listed, { 'idempotency-key': key })
  return { revision, isMerged: changes.some((one) => 'merged' in one && one.merged === true) }
}

function listChanges(
  { kind, pageId }: PagePlace,
  stored: StoredPage,
  { title, description, body }: EditedPage,
  format: PageFormat,
): ContentChanges['changes'] {
  const change =
    kind === 'page'
      ? { operation: 'update_page' as const, page: pageId }
      : { operation: 'update_reusable_content' as const, reusableContent: pageId }
  const document = format.toRequest(stored.titleLine, body)
  return [
    ...(body === stored.body ? [] : [{ ...change, base: stored.base, document }]),
    // The Markdown contains the old title; a new title is set by the next field.
    {
      ...change,
      ...(title !== stored.title && { title: title.trim() }),
      ...(description !== stored.description && { description }),
    },
  ]
}

/** Whether changes were refused because the page no longer exists. */
export const isMissingPage = ({ status, details }: ApiError): boolean =>
  status === 400 && details.some(({ path }) => /^body\.changes\.\d+\.(?:page|reusableContent)$/.test(path))

/** Adds a page or reusable content again that was deleted in the meantime; returns its new ID. */
export async function addPageAgain(
  place: PagePlace,
  title: string,
  body: string,
  format: PageFormat,
): Promise<string | undefined> {
  const document = format.toRequest(toTitleLine(title), body)
  const { changes } = await changeContent(place, [
    place.kind === 'page'
      ? { operation: 'insert_page', ...(format.name === 'document' && { title }), document }
      : { operation: 'insert_reusable_content', title, document },
  ])
  const [created] = changes
  if (created?.object === 'created_page') return created.page.id
  return created?.object === 'created_reusable_content' ? created.reusableContent : undefined
}

const toTitleLine = (title: string): string => `# ${title.replace(/[\\`*_[\]<>#~]/g, '\\$&')}`
