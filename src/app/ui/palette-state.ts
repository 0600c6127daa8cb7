import { signal } from '@preact/signals'

/** Whether the command palette is open. Its module is loaded when it is opened for the first time. */
export const isPaletteOpen = signal(false)

/** Text with which the palette opens. */
export const initialQuery = signal('')

export function openPalette(query = ''): void {
  initialQuery.value = query
  isPaletteOpen.value = true
}

export const closePalette = (): void => void (isPaletteOpen.value = false)
