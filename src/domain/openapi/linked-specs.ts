import { hash } from 'node:crypto'
import type { ContentRef, FileRef } from '../../content/document/nodes.ts'
import { type FileObject, readObjects } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { maxSpecSize } from '../../contract/openapi-spec.ts'
import type { Enqueue, JobDescriptor } from '../../kernel/context.ts'
import { type Clock, days, hours, minutes, timestamp } from '../../kernel/time.ts'
import type { Database } from '../../storage/database.ts'
import { type LinkedSpecRow, countWaitingLinkedSpecs, queueLinkedSpec, updateLinkedSpec } from './linked-spec-store.ts'

/** Time after which the URL of a linked specification is fetched again, if a page shows it. */
export const linkedSpecInterval = hours(6)

/** Time after which the time of the last request is stored again. */
const touchInterval = days(1)

/** Maximum number of linked specifications of an organization that wait to be processed; more are requested with later views. */
const maxWaiting = 20

/** Time after which a specification that waits is queued again. */
const maxWaitingTime = hours(1)

/** Maximum length of the URL of a linked specification. */
const maxUrlLength = 2048

/** Job that processes a linked specification. */
export const linkedSpecJob: JobDescriptor<{ organizationId: string; key: string }> = {
  name: 'openapi.linked',
  key: ({ organizationId, key }) => `${organizationId} ${key}`,
}

/** An OpenAPI file of a space, or a URL, that a block names directly. */
export interface LinkedSource {
  key: string
  source_url: string | null
  source_blob: string | null
}

/** Returns the sources that references of a page name, by the reference; files are those of the space. */
export async function findLinkedSources(
  { spaceId, tree }: { spaceId: string; tree: Tree },
  refs: readonly ContentRef[],
): Promise<Map<string, LinkedSource>> {
  const sources = new Map<string, LinkedSource>()
  const files = refs.filter(
    (ref): ref is Extract<FileRef, { kind: 'file' }> =>
      ref.kind === 'file' && (ref.space === undefined || ref.space === spaceId),
  )
  if (files.length > 0) {
    const ids = [...new Set(files.map(({ file }) => file))]
    const entries = [...(await findInSorted(tree.objects, tree.root.files, ids)).values()]
    const objects = await readObjects(
      tree.objects,
      'file',
      entries.map((entry) => entry.hash),
    )
    for (const [index, { id }] of entries.entries()) {
      const { blob, size } = objects[index] as FileObject
      if (size <= maxSpecSize) sources.set(`file ${id}`, { key: `file ${blob}`, source_url: null, source_blob: blob })
    }
  }
  for (const ref of refs) {
    if (ref.kind !== 'url' || ref.url.length > maxUrlLength || !/^https?:\/\//i.test(ref.url) || !URL.canParse(ref.url))
      continue
    const key = `url ${hash('sha256', ref.url)}`
    sources.set(`url ${ref.url}`, { key, source_url: ref.url, source_blob: null })
  }
  return sources
}

/** Returns the name of a reference among the linked sources. */
export const linkedSourceNameOf = (ref: ContentRef): string | undefined =>
  ref.kind === 'file' ? `file ${ref.file}` : ref.kind === 'url' ? `url ${ref.url}` : undefined

/** Whether a linked specification should be processed: it is new, was processed some time ago, or its job was lost. */
export function isLinkedSpecDue(row: LinkedSpecRow | undefined, now: string): boolean {
  if (!row) return true
  if (row.state === 'queued') return row.updated_at < waitingSince(now)
  return row.refresh_at !== null && row.refresh_at <= now
}

/** Time in which a new specification is usually processed. */
const expectedTime = minutes(1)

/** Whether a linked specification without a document is new or was queued a short time ago. */
export const isLinkedSpecExpected = (row: LinkedSpecRow | undefined, now: string): boolean =>
  !row || (row.state === 'queued' && Date.parse(row.updated_at) > Date.parse(now) - expectedTime)

/** Returns the time before which specifications that still wait have no job any more. */
const waitingSince = (now: string): string => timestamp(Date.parse(now) - maxWaitingTime)

/** Whether the time at which a linked specification was last shown should be stored again. */
export const isLinkedSpecTouchDue = ({ requested_at }: LinkedSpecRow, now: string): boolean =>
  Date.parse(requested_at) < Date.parse(now) - touchInterval

/** Queues linked specifications that are due, up to a maximum for each organization, and records that the others are used. */
export async function requestLinkedSpecs(
  { database, clock, enqueue }: { database: Database; clock: Clock; enqueue: Enqueue },
  organizationId: string,
  { due, used }: { due: readonly LinkedSource[]; used: readonly LinkedSource[] },
): Promise<void> {
  const now = timestamp(clock())
  await database.transaction(async (db) => {
    for (const { key } of used)
      await updateLinkedSpec(db, { organization_id: organizationId, key }, { requested_at: now })
    const waiting = await countWaitingLinkedSpecs(db, organizationId, waitingSince(now), maxWaiting)
    for (const source of due.slice(0, maxWaiting - waiting)) {
      const refresh_at = source.source_url === null ? null : timestamp(clock() + linkedSpecInterval)
      await queueLinkedSpec(db, { organization_id: organizationId, ...source, refresh_at }, now)
      await enqueue(db, linkedSpecJob, { organizationId, key: source.key })
    }
  })
}
