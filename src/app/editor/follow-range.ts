import type { Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** A part of the content whose positions follow changes until it is stopped. It is empty if its content was deleted. */
export interface FollowedRange {
  readonly from: number
  readonly to: number
  stop: () => void
}

interface Range {
  from: number
  to: number
}

const followed = new WeakMap<EditorView, Set<Range>>()

/**
 * Follows a part of the content, for example while a file for it is uploaded, because other people may change the text in the
 * meantime.
 */
export function followRange(view: EditorView, from: number, to = from): FollowedRange {
  const range = { from, to }
  const ranges = followed.get(view) ?? new Set()
  followed.set(view, ranges.add(range))
  return {
    get from() {
      return range.from
    },
    get to() {
      return range.to
    },
    stop: () => ranges.delete(range),
  }
}

/** Metadata key of transactions; the value is a function that follows a part of the content after the transaction. */
export const followStartKey = 'followStart'

/** Moves the followed ranges with a change. */
export function mapFollowedRanges(view: EditorView, tr: Transaction): void {
  for (const range of followed.get(view) ?? []) {
    range.from = tr.mapping.map(range.from, 1)
    range.to = Math.max(range.from, tr.mapping.map(range.to, -1))
  }
  const start = tr.getMeta(followStartKey) as ((view: EditorView) => void) | undefined
  start?.(view)
}
