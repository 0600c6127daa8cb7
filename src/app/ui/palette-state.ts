import { signal } from '@preact/signals'

/** Whether the command palette is open. Its module is loaded when it is opened for the first time. */
export const isPaletteOpen = signal(false)

export const openPalette = (): void => void (isPaletteOpen.value = true)
export const closePalette = (): void => void (isPaletteOpen.value = false)
