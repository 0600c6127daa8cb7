import { signal } from '@preact/signals'

/** The open dialog that all screens share. Its module is loaded when it is opened for the first time. */
export const openDialog = signal<'shortcuts' | 'languages' | undefined>(undefined)

export const openShortcuts = (): void => void (openDialog.value = 'shortcuts')

export const openLanguages = (): void => void (openDialog.value = 'languages')
