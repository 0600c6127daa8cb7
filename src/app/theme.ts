import { signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Published pages of this server use the same key, so a choice applies to both. */
const storageKey = 'theme'

export const theme = signal<Theme>((localStorage.getItem(storageKey) as Theme | null) ?? 'system')

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  document.documentElement.dataset['theme'] = chosen
  if (chosen === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, chosen)
}
