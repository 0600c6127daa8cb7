import type { ContentPlace } from '../../data/content-place.ts'

/** Text of a page that the server does not have yet. */
export interface Draft {
  /** ID of the revision that the draft is based on. */
  base: string
  /** Format of the body; Markdown if it is absent. */
  format?: 'markdown' | 'document'
  title: string
  description: string
  body: string
  /** Time of the last change in milliseconds. */
  at: number
  /** Whether the user continues with text of the live content, which is then restored without asking. */
  isMoved?: boolean
}

/** Identifies a page in a change request or in the live content. */
export interface DraftPlace extends ContentPlace {
  pageId: string
}

const prefix = 'octavo.draft:'
/** Maximum number of characters of all drafts; browsers store about five million per server. */
const maxCharacters = 3_000_000

const prefixOf = ({ spaceId, changeRequestId, pageId }: DraftPlace): string =>
  `${prefix}${spaceId}:${changeRequestId ?? 'live'}:${pageId}:`

/** There may be drafts in both formats that are based on the same revision. */
const keyOf = (place: DraftPlace, { base, format = 'markdown' }: Pick<Draft, 'base' | 'format'>): string =>
  `${prefixOf(place)}${base}:${format}`

/** Stores a draft until the server has the text. Returns false if the browser has no space for it. */
export function storeDraft(place: DraftPlace, draft: Draft): boolean {
  const key = keyOf(place, draft)
  if (draft.body.length > maxCharacters) return false
  const value = JSON.stringify(draft)
  if (value.length > maxCharacters) return false
  if (tryStore(key, value)) return true
  for (const oldest of listDrafts()) {
    if (oldest.key === key) continue
    localStorage.removeItem(oldest.key)
    if (tryStore(key, value)) return true
  }
  return false
}

function tryStore(key: string, value: string): boolean {
  if (countCharacters(key) + value.length > maxCharacters) return false
  try {
    localStorage.setItem(key, value)
    return true
  } catch {
    // Other data of the app may fill the storage, too.
    return false
  }
}

const listKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

/** Counts the characters of all drafts but one. */
const countCharacters = (except: string): number =>
  listKeys().reduce((sum, key) => sum + (key === except ? 0 : (localStorage.getItem(key)?.length ?? 0)), 0)

/** Removes the draft of a page in a format that is based on a revision. */
export function removeDraft(place: DraftPlace, draft: Pick<Draft, 'base' | 'format'>): void {
  localStorage.removeItem(keyOf(place, draft))
}

/** Returns the newest draft of a page, in a format if one is given. */
export function findDraft(place: DraftPlace, format?: Draft['format']): Draft | undefined {
  const drafts = listDrafts(prefixOf(place)).map(({ draft }) => draft)
  return drafts.findLast((draft) => format === undefined || (draft.format ?? 'markdown') === format)
}

/** Returns all drafts, the oldest first. Entries that cannot be read are removed. */
function listDrafts(start = prefix): { key: string; draft: Draft }[] {
  const entries = listKeys().flatMap((key) => {
    if (!key.startsWith(start)) return []
    const draft = parseDraft(localStorage.getItem(key) ?? '')
    if (!draft) localStorage.removeItem(key)
    return draft ? [{ key, draft }] : []
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
