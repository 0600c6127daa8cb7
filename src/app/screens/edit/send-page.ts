import { ApiError, request } from '../../api.ts'
import { type PagePlace, joinPageText } from './page-text.ts'

/** What the user edits. */
export interface EditedPage {
  title: string
  description: string
  body: string
}

/** What the server has: the page in the revision over which the user writes. */
interface StoredPage extends EditedPage {
  base: string
  titleLine: string
}

/** Sends what differs from the stored page; returns the new revision and whether changes of others were merged. */
export async function sendPage(
  { pageId, spaceId, changeRequestId }: PagePlace,
  stored: StoredPage,
  { title, description, body }: EditedPage,
): Promise<{ revision: string; isMerged: boolean }> {
  const change = { operation: 'update_page' as const, page: pageId }
  const document = { markdown: joinPageText(stored.titleLine, body) }
  const fields = {
    ...(title !== stored.title && { title: title.trim() }),
    ...(description !== stored.description && { description }),
  }
  const reply = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content', {
    params: { spaceId, changeRequestId },
    query: { compat: false },
    body: {
      changes: [
        ...(body === stored.body ? [] : [{ ...change, base: stored.base, document }]),
        // The Markdown contains the title as it was read; a new one replaces it afterwards.
        { ...change, ...fields },
      ],
    },
  })
  if (!('changes' in reply)) throw new ApiError(500, 'The reply has no list of changes')
  const isMerged = reply.changes.some((one) => one.object === 'updated_page' && one.merged === true)
  return { revision: reply.changeRequest.revision, isMerged }
}

/** Whether changes were refused because their page does not exist. */
export const isMissingPage = ({ status, details }: ApiError): boolean =>
  status === 400 && details.some(({ path }) => /^body\.changes\.\d+\.page$/.test(path))
