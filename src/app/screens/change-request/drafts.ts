const prefix = 'octavo.draft.'

/** Returns a text that was typed in this browser and not sent yet. */
export const readDraft = (key: string): string => localStorage.getItem(prefix + key) ?? ''

/** Keeps a text in this browser until it is sent. */
export function storeDraft(key: string, text: string): void {
  if (text === '') clearDraft(key)
  else localStorage.setItem(prefix + key, text)
}

export const clearDraft = (key: string): void => localStorage.removeItem(prefix + key)
