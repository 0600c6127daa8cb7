import { findElement, writeStorage, readStorage } from './dom.ts'

const themes = ['light', 'dark', 'system'] as const

/** Starts the button that switches between the light, dark and system themes. */
export function startTheme(): void {
  const button = findElement('[data-theme-toggle]')
  if (!button) return
  const root = document.documentElement
  const show = () => {
    const theme = root.dataset['theme'] ?? 'system'
    button.setAttribute('aria-label', `${button.dataset['themeToggle']}: ${button.dataset[theme] ?? ''}`)
    button.title = button.dataset[theme] ?? ''
  }
  show()
  button.addEventListener('click', () => {
    const at = themes.indexOf(root.dataset['theme'] as (typeof themes)[number])
    const next = themes[(at + 1) % themes.length] ?? 'system'
    root.dataset['theme'] = next
    writeStorage('theme', next)
    show()
  })
  // Synchronizes other tabs of the site.
  addEventListener('storage', ({ key }) => {
    const theme = key === 'theme' && readStorage('theme')
    if (theme) root.dataset['theme'] = theme
    show()
  })
}
