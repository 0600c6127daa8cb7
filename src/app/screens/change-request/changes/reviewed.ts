import { signal } from '@preact/signals'
import type { ChangeRequest } from '../../../../contract/change-request.ts'

/** Pages that the user has marked as reviewed in a revision of a change request. */
interface ReviewedPages {
  revision: string
  keys: string[]
}

const storageKey = (id: string): string => `octavo.reviewed.${id}`

/** Counts the changes of marks, so that components that show them are rendered again. */
const version = signal(0)

/** Returns the keys of the entries that were marked as reviewed in the current revision in this browser. */
export function readReviewed({ id, revision }: ChangeRequest): ReadonlySet<string> {
  void version.value
  const stored = JSON.parse(localStorage.getItem(storageKey(id)) ?? 'null') as ReviewedPages | null
  return new Set(stored?.revision === revision ? stored.keys : [])
}

/** Marks an entry as reviewed, or removes the mark. */
export function setReviewed(changeRequest: ChangeRequest, key: string, isReviewed: boolean): void {
  const keys = new Set(readReviewed(changeRequest))
  if (isReviewed) keys.add(key)
  else keys.delete(key)
  const stored: ReviewedPages = { revision: changeRequest.revision, keys: [...keys] }
  localStorage.setItem(storageKey(changeRequest.id), JSON.stringify(stored))
  version.value++
}
