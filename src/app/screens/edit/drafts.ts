/** Text of a page that the server does not have yet. */
export interface Draft {
  /** ID of the revision over which it was written. */
  base: string
  /** Format of the body; Markdown if it is absent. */
  format?: 'markdown' | 'document'
  title: string
  description: string
  body: string
  /** Time of the last change in milliseconds. */
  at: number
}

/** Names a page in a change request. */
export interface DraftPlace {
  spaceId: string
  changeRequestId: string
  pageId: string
}

const prefix = 'octavo.draft:'
/** Maximum number of characters of all drafts; browsers store about five million per server. */
const maxCharacters = 3_000_000

const prefixOf = ({ spaceId, changeRequestId, pageId }: DraftPlace): string =>
  `${prefix}${spaceId}:${changeRequestId}:${pageId}:`

/** Stores a draft until the server has it. Returns false if the browser has no room for it. */
export function storeDraft(place: DraftPlace, draft: Draft): boolean {
  const key = prefixOf(place) + draft.base
  const value = JSON.stringify(draft)
  if (value.length > maxCharacters) return false
  let others = listDrafts().filter((entry) => entry.key !== key)
  const removeOldest = (): boolean => {
    const [oldest, ...rest] = others
    if (!oldest) return false
    localStorage.removeItem(oldest.key)
    others = rest
    return true
  }
  while (others.reduce((sum, { size }) => sum + size, value.length) > maxCharacters) removeOldest()
  for (;;) {
    try {
      localStorage.setItem(key, value)
      return true
    } catch {
      if (!removeOldest()) return false
    }
  }
}

/** Removes the drafts of a page; those that were written over another revision remain if `base` is given. */
export function removeDrafts(place: DraftPlace, base?: string): void {
  const start = prefixOf(place)
  for (const { key } of listDrafts())
    if (base === undefined ? key.startsWith(start) : key === start + base) localStorage.removeItem(key)
}

/** Returns the newest draft of a page. */
export function findDraft(place: DraftPlace): Draft | undefined {
  const newest = listDrafts().findLast(({ key }) => key.startsWith(prefixOf(place)))
  return newest?.draft
}

/** Returns all drafts in the order of their age, the oldest first. Entries that cannot be read are removed. */
function listDrafts(): { key: string; size: number; draft: Draft }[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  const entries = keys.flatMap((key) => {
    const value = localStorage.getItem(key) ?? ''
    const draft = parseDraft(value)
    if (!draft) localStorage.removeItem(key)
    return draft ? [{ key, size: value.length, draft }] : []
  })
  return entries.sort((a, b) => a.draft.at - b.draft.at)
}

function parseDraft(value: string): Draft | undefined {
  try {
    const draft = JSON.parse(value) as Partial<Draft>
    const isDraft = typeof draft.base === 'string' && typeof draft.body === 'string' && typeof draft.at === 'number'
    return isDraft ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}
