import type { ContentChanges } from '../../../contract/content-changes.ts'
import type { ApiError } from '../../api.ts'
import { changeContent } from '../../data/content-place.ts'
import type { PageFields, PageFormat, PagePlace } from './page-text.ts'

/** What the user edits. */
export interface EditedPage extends PageFields {
  body: string
}

/** What the server has: the page in the revision over which the user writes. */
interface StoredPage extends EditedPage {
  base: string
  titleLine: string
}

/** A request that can be repeated: the server returns the reply of the first one to a repeated key. */
export interface SaveAttempt {
  key: string
  before: StoredPage
  sent: EditedPage
}

/** Returns a random key. `randomUUID` does not exist without HTTPS. */
export const createRequestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join('-')

/** Sends what differs from the stored page; returns the new revision and whether changes of others were merged. */
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
    // Markdown contains the title as it was read; a new one replaces it afterwards.
    {
      ...change,
      ...(title !== stored.title && { title: title.trim() }),
      ...(description !== stored.description && { description }),
    },
  ]
}

/** Whether changes were refused because their page does not exist. */
export const isMissingPage = ({ status, details }: ApiError): boolean =>
  status === 400 && details.some(({ path }) => /^body\.changes\.\d+\.(?:page|reusableContent)$/.test(path))

/** Adds a text that was deleted in the meantime again; returns the ID of the new page or reusable content. */
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
