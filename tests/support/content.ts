import type { ContentChange } from '../../src/contract/content-changes.ts'
import type { RevisionPageDocument } from '../../src/contract/revision.ts'
import type { Admin, Person, TestServer } from './server.ts'

/** What a change of a list can be sent as. */
export type Change = ContentChange | Record<string, unknown>

export const insertPage = (markdown: string, more: Record<string, unknown> = {}): Change => ({
  operation: 'insert_page',
  document: { markdown },
  ...more,
})

export const updatePage = (page: string, more: Record<string, unknown>): Change => ({
  operation: 'update_page',
  page,
  ...more,
})

export const writePage = (page: string, markdown: string): Change => updatePage(page, { document: { markdown } })

/** A change request with a name for each thing that tests do to it. */
export interface Proposal {
  id: string
  params: { spaceId: string; changeRequestId: string }
  /** Applies changes; returns the ids of the pages that were created. */
  edit: (...changes: Change[]) => Promise<string[]>
  merge: () => Promise<{ revision: string; result: 'merge' | 'conflicts' }>
  update: () => Promise<{ revision: string; result: 'update' | 'conflicts' }>
}

export async function propose({ api }: Pick<Person, 'api'>, spaceId: string, subject = ''): Promise<Proposal> {
  const { id } = await api.createChangeRequest({ params: { spaceId }, body: { subject } })
  const params = { spaceId, changeRequestId: id }
  return {
    id,
    params,
    async edit(...changes) {
      const reply = await api.updateChangeRequestContent({
        params,
        query: { compat: 'false' },
        body: { changes: changes as ContentChange[] },
      })
      if (!('changes' in reply)) throw new Error('The reply is that of the compatible form')
      return reply.changes.flatMap((change) => (change.object === 'created_page' ? [change.page.id] : []))
    },
    merge: () => api.mergeChangeRequest({ params }),
    update: () => api.updateChangeRequest({ params }),
  }
}

/** Applies changes to the live content; returns the ids of the pages that were created. */
export async function editLive({ api }: Pick<Person, 'api'>, spaceId: string, ...changes: Change[]): Promise<string[]> {
  const reply = await api.updateSpaceContent({ params: { spaceId }, body: { changes: changes as ContentChange[] } })
  return reply.changes.flatMap((change) => (change.object === 'created_page' ? [change.page.id] : []))
}

/** A page of the live content with its Markdown. */
export async function readLive(
  { api }: Pick<Person, 'api'>,
  spaceId: string,
  pageId: string,
): Promise<RevisionPageDocument> {
  const page = await api.getPageById({ params: { spaceId, pageId }, query: { format: 'markdown' } })
  if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
  return page
}

/** A space without any content. */
export async function emptySpace({ api, organizationId }: Admin, title = 'Space'): Promise<string> {
  const space = await api.createSpace({ params: { organizationId }, body: { title, empty: true } })
  return space.id
}

/** Sends a body to the live content as it is; tells the status and the fields that were named. */
export async function sendContent(
  octavo: Pick<TestServer, 'admin' | 'fetch'>,
  spaceId: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const path = `/v1/spaces/${spaceId}/content`
  const reply = await octavo.fetch(path, { method: 'POST', token: octavo.admin.token, body })
  const { error } = (await reply.json()) as { error?: { details?: { path: string }[] } }
  return [reply.status, ...(error?.details ?? []).map((detail) => detail.path)].join(' ')
}
