import type { ContentChange } from '../../src/contract/content-changes.ts'
import type { RevisionPageDocument } from '../../src/contract/revision.ts'
import type { Admin, Person, TestServer } from './server.ts'

/** Change as it can be sent in a list. */
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

/** Change request with shortcuts for tests. */
export interface Proposal {
  id: string
  params: { spaceId: string; changeRequestId: string }
  /** Applies changes; returns the ids of the created pages. */
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

/** Applies changes to the published content; returns the ids of the created pages. */
export async function editLive({ api }: Pick<Person, 'api'>, spaceId: string, ...changes: Change[]): Promise<string[]> {
  const reply = await api.updateSpaceContent({ params: { spaceId }, body: { changes: changes as ContentChange[] } })
  return reply.changes.flatMap((change) => (change.object === 'created_page' ? [change.page.id] : []))
}

/** Returns a page of the published content with its Markdown. */
export async function readLive(
  { api }: Pick<Person, 'api'>,
  spaceId: string,
  pageId: string,
): Promise<RevisionPageDocument> {
  const page = await api.getPageById({ params: { spaceId, pageId }, query: { format: 'markdown' } })
  if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
  return page
}

/** Creates a space without content. */
export async function emptySpace({ api, organizationId }: Admin, title = 'Space'): Promise<string> {
  const space = await api.createSpace({ params: { organizationId }, body: { title, empty: true } })
  return space.id
}

/** Sends a raw body to the published content; returns the status and the paths of invalid fields. */
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
