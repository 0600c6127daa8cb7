/** A text with insertions, and the differences between its offsets and those of the source. */
export interface MaskedText {
  text: string
  /** Sorted: from `at` in the text on, offsets are `ahead` of those in the source. */
  shifts: readonly { at: number; ahead: number }[]
}

/** A text to insert at an offset of the source, and the number of characters to remove there. */
export interface Insertion {
  offset: number
  text: string
  removed?: number
}

/** Inserts texts at the given offsets of the source, which are sorted. */
export function insertTexts({ text, shifts }: MaskedText, insertions: readonly Insertion[]): MaskedText {
  const merged: { at: number; ahead: number }[] = []
  const parts: string[] = []
  let [at, next, ahead, length] = [0, 0, 0, 0]
  for (const insertion of insertions) {
    for (; next < shifts.length; next++) {
      const shift = shifts[next] as MaskedText['shifts'][number]
      if (shift.at - shift.ahead > insertion.offset) break
      ahead = shift.ahead
      merged.push({ at: shift.at + length, ahead: ahead + length })
    }
    const place = insertion.offset + ahead
    parts.push(text.slice(at, place), insertion.text)
    const { removed = 0 } = insertion
    at = place + removed
    length += insertion.text.length - removed
    // Offsets after removed characters are those of the character after them.
    merged.push({ at: at + length, ahead: ahead + length })
  }
  for (const shift of shifts.slice(next)) merged.push({ at: shift.at + length, ahead: shift.ahead + length })
  parts.push(text.slice(at))
  return { text: parts.join(''), shifts: merged }
}

/** Converts an offset in the masked text to an offset in the source. */
export function toSourceOffset({ shifts }: MaskedText, offset: number): number {
  let [low, high] = [0, shifts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shifts[middle] as { at: number }).at <= offset) low = middle + 1
    else high = middle
  }
  const place = offset - (shifts[low - 1]?.ahead ?? 0)
  const next = shifts[low]
  // An offset in an inserted text is the offset at which it was inserted.
  return next ? Math.min(place, next.at - next.ahead) : place
}
