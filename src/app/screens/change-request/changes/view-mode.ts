import { signal } from '@preact/signals'

export type ViewMode = 'inline' | 'side-by-side'

const storageKey = 'octavo.changes-view'

/** Layout of comparisons, which is stored in this browser. */
export const viewMode = signal<ViewMode>(
  localStorage.getItem(storageKey) === 'side-by-side' ? 'side-by-side' : 'inline',
)

export function setViewMode(mode: ViewMode): void {
  viewMode.value = mode
  localStorage.setItem(storageKey, mode)
}

export const toggleView = (): void => setViewMode(viewMode.value === 'inline' ? 'side-by-side' : 'inline')
