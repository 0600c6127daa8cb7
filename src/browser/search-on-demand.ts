import { findElement, loadStyles, onClick } from './dom.ts'

type SearchModule = typeof import('./search.ts')

/** Loads the search when it is about to be used. Until it is loaded, the field keeps the typed text. */
export function startSearchOnDemand(): void {
  const form = findElement<HTMLFormElement>('[data-search]')
  const field = form && findElement<HTMLInputElement>('[name=q]', form)
  if (!field) return
  const address = form.dataset['search'] ?? ''
  let loaded: Promise<SearchModule> | undefined
  const load = () => {
    loaded ??= Promise.all([import(/* @vite-ignore */ address), loadStyles(form.dataset['styles'] ?? '')]).then(
      ([search]) => search as SearchModule,
    )
    // A failed load is retried next time; meanwhile submitting the form opens the results.
    loaded.catch(() => (loaded = undefined))
    return loaded
  }
  const open = () => void load().then(({ openSearch }) => openSearch(form, field.value))
  const start = (query?: string) => {
    if (query) field.value = query
    field.focus()
    open()
  }
  // Opening on focus would prevent keyboard users from moving past the field.
  form.addEventListener('pointerenter', () => void load(), { once: true })
  form.addEventListener('focusin', () => void load(), { once: true })
  form.addEventListener('click', () => start())
  field.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) open()
  })
  field.addEventListener('compositionend', open)
  onClick('[data-action="search"]', (button, event) => {
    event.preventDefault()
    start(button.dataset['query'])
  })
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
    const hasModifier = event.metaKey || event.ctrlKey
    const isShortcut = event.key.toLowerCase() === 'k' && hasModifier && !event.shiftKey && !event.altKey
    if (!isShortcut && (event.key !== '/' || isTyping || hasModifier || event.altKey)) return
    if (findElement('dialog[open]')) return
    event.preventDefault()
    start()
  })
}
