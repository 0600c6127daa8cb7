/** Decodes percent-encoding; returns the text unchanged if it is not valid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
