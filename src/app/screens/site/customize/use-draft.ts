import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Values, areEqual, getAt, setAt } from './paths.ts'

/** Unsaved changes: of the site, and of its spaces by the ID of the site space. */
export interface Draft {
  site: Values
  spaces: Readonly<Record<string, Values>>
}

const emptyDraft: Draft = { site: {}, spaces: {} }

const keyOf = (siteId: string): string => `octavo.customization:${siteId}`

function readDraft(siteId: string): Draft {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(siteId)) ?? 'null') as Partial<Draft> | null
    return { site: stored?.site ?? {}, spaces: stored?.spaces ?? {} }
  } catch {
    return emptyDraft
  }
}

/** Counts the changed settings: lists, colors and links count as one. */
export const countChanges = ({ site, spaces }: Draft): number =>
  [site, ...Object.values(spaces)].reduce((sum, values) => sum + countLeaves(values), 0)

function countLeaves(values: Values, depth = 0): number {
  return Object.values(values).reduce<number>((sum, value) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    return sum + (isGroup && depth < 1 ? countLeaves(value as Values, depth + 1) : 1)
  }, 0)
}

/** Stores the unsaved changes of a site in the browser until they are saved or discarded. */
export function useDraft(siteId: string) {
  const draft = useSignal<Draft>(readDraft(siteId))
  useEffect(() => {
    if (countChanges(draft.value) === 0) localStorage.removeItem(keyOf(siteId))
    else localStorage.setItem(keyOf(siteId), JSON.stringify(draft.value))
  }, [draft.value])

  /** Changes a setting of the site, or of a site space; setting the saved value removes the change. */
  function change(scope: string, saved: unknown, path: string, value: unknown): void {
    const before = scope === '' ? draft.value.site : (draft.value.spaces[scope] ?? {})
    const isSaved = areEqual(getAt(saved, path) ?? null, value ?? null)
    const after = setAt(before, path, isSaved ? undefined : (value ?? null))
    if (scope === '') draft.value = { ...draft.value, site: after }
    else {
      const { [scope]: _, ...others } = draft.value.spaces
      draft.value = {
        ...draft.value,
        spaces: Object.keys(after).length === 0 ? others : { ...others, [scope]: after },
      }
    }
  }
  const clear = () => void (draft.value = emptyDraft)
  return { draft: draft.value, change, clear }
}

/** Returns the effective value of a setting: the changed one, or the saved one. */
export function readValue(saved: unknown, changes: Values, path: string): unknown {
  const changed = getAt(changes, path)
  return changed === undefined ? getAt(saved, path) : (changed ?? undefined)
}
