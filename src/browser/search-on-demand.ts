import { all, one } from './dom.ts'

type Search = typeof import('./search.ts')

/** Loads the search when somebody is about to use it. */
export function startSearchOnDemand(): void {
  const form = one<HTMLFormElement>('[data-search]')
  if (!form) return
  const address = form.dataset['search'] ?? ''
  let loaded: Promise<Search> | undefined
  const load = () => (loaded ??= import(/* @vite-ignore */ address) as Promise<Search>)
  const open = (query = '') => void load().then(({ openSearch }) => openSearch(form, query))
  form.addEventListener('pointerenter', () => void load(), { once: true })
  form.addEventListener('focusin', () => open(one<HTMLInputElement>('input', form)?.value))
  form.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    open()
  })
  all('[data-action="search"]').forEach((button) =>
    button.addEventListener('click', () => open(button.dataset['query'])),
  )
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
    const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if (!isShortcut && (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey)) return
    event.preventDefault()
    open()
  })
}
