/** A comment, review or description that is not sent yet. */
export interface CommentDraft {
  text: string
  /** IDs of the users whose `@name` is in the text, by name. */
  mentions: Readonly<Record<string, string>>
}

export const emptyDraft: CommentDraft = { text: '', mentions: {} }

const prefix = 'octavo.comment-draft.'
/** Maximum number of drafts in a browser; the oldest is removed first. */
const maxDrafts = 50

interface StoredDraft extends CommentDraft {
  at: number
}

/** Returns the unsent text that is stored under a key. */
export function readDraft(key: string): CommentDraft | undefined {
  const stored = localStorage.getItem(prefix + key)
  return stored === null ? undefined : parseDraft(stored)
}

/** Stores a text until it is sent; an empty text removes it. If the storage is full or blocked, nothing is stored. */
export function writeDraft(key: string, { text, mentions }: CommentDraft): void {
  if (text.trim() === '') return localStorage.removeItem(prefix + key)
  const stored: StoredDraft = { text, mentions, at: Date.now() }
  try {
    localStorage.setItem(prefix + key, JSON.stringify(stored))
    removeOldDrafts()
  } catch {}
}

function removeOldDrafts(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  if (keys.length <= maxDrafts) return
  keys.sort((one, other) => timeOf(other) - timeOf(one))
  for (const key of keys.slice(maxDrafts)) localStorage.removeItem(key)
}

const timeOf = (key: string): number => parseDraft(localStorage.getItem(key) ?? '')?.at ?? 0

function parseDraft(stored: string): StoredDraft | undefined {
  try {
    return JSON.parse(stored) as StoredDraft
  } catch {
    return undefined
  }
}
